// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/MetricTablePanel.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include "core/metrics/SourceFolder.h"
#include "core/ncu/Table.h"
#include "widgets/models/Text.h"
#include "widgets/panels/parts/Panes.h"
#include "widgets/style/Icons.h"

namespace kinetoscope::panels {

namespace {

constexpr std::size_t kMaxTableBytes = 64U << 20U;
constexpr int kMetricTableWidth = 720;
constexpr int kPlotWidth = 480;

}  // namespace

MetricTablePanel::MetricTablePanel(const PanelContext& context, QWidget* parent)
    : Panel(parent),
      m_settings(context.settings),
      m_table(new DataTable(m_model)),
      m_errors(new style::MessageBar(style::MessageBar::Kind::Error)),
      m_path(new style::ElidedLabel(QString())),
      m_column(new QComboBox),
      m_filter(new QLineEdit),
      m_plot(new plots::BarPlot(plots::BarPlot::Form::Standing)) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(makeToolBar());
    layout->addWidget(m_errors);
    layout->addWidget(
        sideBySide({m_table, kMetricTableWidth}, {m_plot, kPlotWidth}, GrowingPane::Left), 1);
    m_table->setObjectName(QStringLiteral("metricTable"));
    m_table->setEmptyText(tr("Open a metric_table_….csv to see and sort its rows."));
    m_plot->setObjectName(QStringLiteral("metricPlot"));
    m_plot->setEmptyText(tr("Choose a column of numbers to plot."));
    connect(&m_model, &QAbstractItemModel::layoutChanged, this, &MetricTablePanel::plot);
    connect(&m_model, &QAbstractItemModel::modelReset, this, &MetricTablePanel::plot);
    connect(m_plot, &plots::BarPlot::barClicked, m_table, &QTableView::selectRow);
    connect(&context.session, &session::Session::tableRequested, this, [this](const QString& path) {
        if (!ncu::isProfile(path.toStdString())) {  // the panel Kernels shows those
            openTable(path);
        }
    });
}

QWidget* MetricTablePanel::makeToolBar() {
    auto* bar = new QWidget(this);
    auto* layout = new QHBoxLayout(bar);
    layout->setContentsMargins(10, 5, 10, 5);
    auto* open = new QPushButton(style::themedIcon(QStringLiteral("open")), tr("Table…"));
    open->setToolTip(tr("Open a metric table or another CSV file"));
    connect(open, &QPushButton::clicked, this, &MetricTablePanel::choose);
    auto* title = new QLabel(tr("Plot"));
    title->setBuddy(m_column);
    layout->addWidget(open);
    layout->addWidget(m_path, 1);
    layout->addWidget(m_filter);
    layout->addWidget(title);
    layout->addWidget(m_column);
    m_path->setForegroundRole(QPalette::PlaceholderText);
    m_column->setObjectName(QStringLiteral("metricColumn"));
    m_column->setMinimumWidth(180);
    m_filter->setObjectName(QStringLiteral("metricFilter"));
    m_filter->setPlaceholderText(tr("Filter rows"));
    m_filter->setClearButtonEnabled(true);
    m_filter->setMaximumWidth(220);
    connect(m_column, &QComboBox::currentIndexChanged, this, &MetricTablePanel::plot);
    connect(m_filter, &QLineEdit::textChanged, this,
            [this](const QString& text) { m_model.setFilter(text); });
    return bar;
}

void MetricTablePanel::choose() {
    const QString path =
        QFileDialog::getOpenFileName(this, tr("Open a metric table"), m_settings.lastFolder.value(),
                                     tr("Tables (*.csv);;All files (*)"));
    if (!path.isEmpty()) {
        openTable(path);
    }
}

void MetricTablePanel::openTable(const QString& path) {
    m_errors->clear();
    emit frontWanted();
    const auto text = metrics::readSmallFile(path.toStdString(), kMaxTableBytes);
    auto table =
        text ? metrics::parseCsv(*text) : Result<metrics::CsvTable>(tl::unexpected(text.error()));
    if (!table) {
        const QString message = models::toText(table.error().message);
        m_errors->addMessage(text ? path + QLatin1String(": ") + message : message);
        return;
    }
    m_path->setText(path);
    m_settings.lastFolder.set(QFileInfo(path).absolutePath());
    m_table->setEmptyText(tr("%1 has no rows.").arg(QFileInfo(path).fileName()));
    const QSignalBlocker quiet(m_column);
    m_column->clear();  // its columns are those of the table before
    m_table->sortByColumn(-1, Qt::DescendingOrder);
    m_model.setTable(std::move(*table));
    listColumns();
    plot();
}

void MetricTablePanel::listColumns() {
    int figure = -1;
    for (const int column : m_model.numericColumns()) {
        const QString name = m_model.columns()[static_cast<std::size_t>(column)].header;
        m_column->addItem(name, column);
        // Numbers that only identify a row get no bar.
        if (figure < 0 && !name.endsWith(QLatin1String("_id"))) {
            figure = m_column->count() - 1;
        }
    }
    m_column->setCurrentIndex(qMax(figure, qMin(0, m_column->count() - 1)));
}

void MetricTablePanel::plot() {
    std::vector<plots::Bar> bars;
    const bool chosen = m_column->currentIndex() >= 0;
    const int column = m_column->currentData().toInt();
    for (int row = 0; chosen && row < m_model.rowCount(); ++row) {
        const QString cell = m_model.index(row, column).data().toString();
        const QString first = m_model.index(row, 0).data().toString();
        bars.push_back(
            {first, tr("row %1: %2").arg(row + 1).arg(cell), m_model.number(row, column)});
    }
    m_plot->setBars(std::move(bars), m_column->currentText());
}

}  // namespace kinetoscope::panels
