// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/bench/OperatorBenchPanel.h"

#include <QVBoxLayout>

#include "widgets/models/results/ResultTables.h"
#include "widgets/panels/parts/Panes.h"

namespace kinetoscope::panels {

namespace {

constexpr int kViewsWidth = 640;
constexpr int kSamplesWidth = 600;
constexpr int kOperatorBenchNameWidth = 260;
constexpr int kInputWidth = 200;

}  // namespace

OperatorBenchPanel::OperatorBenchPanel(const PanelContext& context, QWidget* parent)
    : BenchBase(context, bench::results::ResultKind::Operators, parent),
      m_options(new OperatorBenchOptions(*m_bar, context.settings)),
      m_model(models::operatorTable(m_stream.document())),
      m_sampleModel(models::callTable(m_stream.document(), nullptr)),
      m_views(new QTabWidget),
      m_chart(new plots::OperatorSpeedupChart),
      m_table(new DataTable(m_model)),
      m_title(new style::ElidedLabel(QString())),
      m_samples(new DataTable(m_sampleModel)) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_bar);
    m_views->setDocumentMode(true);
    m_views->addTab(m_chart, tr("Speedups"));
    m_views->addTab(m_table, tr("Operators"));
    m_chart->setObjectName(QStringLiteral("operatorChart"));
    m_table->setObjectName(QStringLiteral("speedups"));
    m_table->setWidest(m_model.columnOf("operator"), kOperatorBenchNameWidth);
    m_table->setLastColumnElides();
    m_table->setEmptyText(tr("Choose inputs and press Run, or open a saved result."));
    layout->addWidget(
        sideBySide({m_views, kViewsWidth}, {makeSamples(), kSamplesWidth}, GrowingPane::Left), 1);
    connect(m_bar, &BenchBar::runRequested, this, &OperatorBenchPanel::run);
    connect(&context.view, &session::ViewState::benchRequested, this, &OperatorBenchPanel::runFrom);
    connect(m_bar, &BenchBar::lineRead, this, &OperatorBenchPanel::takeLine);
    connect(m_bar, &BenchBar::ended, &m_model, &models::ResultModel::endRun);
    connect(m_chart, &plots::OperatorSpeedupChart::operatorClicked, this,
            &OperatorBenchPanel::select);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& current) {
                if (current.isValid()) {
                    select(static_cast<int>(m_model.sourceRow(current.row())));
                }
            });
}

const models::ColumnTableModel* OperatorBenchPanel::table() const {
    return m_samples->hasFocus() ? &m_sampleModel : &m_model;
}

QWidget* OperatorBenchPanel::makeSamples() {
    auto* pane = new QWidget;
    auto* layout = new QVBoxLayout(pane);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    m_title->setObjectName(QStringLiteral("operatorTitle"));
    m_samples->setObjectName(QStringLiteral("samples"));
    m_samples->setWidest(m_sampleModel.columnOf("input"), kInputWidth);
    m_samples->setLastColumnElides();
    m_samples->setEmptyText(tr("Click an operator to see its samples."));
    auto* heading = new QHBoxLayout;
    heading->setContentsMargins(10, 6, 10, 6);
    heading->addWidget(m_title);
    layout->addLayout(heading);
    layout->addWidget(m_samples, 1);
    return pane;
}

// Reading the suite takes a while.
void OperatorBenchPanel::setInFront(bool inFront) {
    if (inFront) {
        m_options->listOperators();
    }
}

void OperatorBenchPanel::run() {
    m_bar->start(m_options->takeArguments());
}

void OperatorBenchPanel::runFrom(const QString& trace, quint64 offset) {
    emit frontWanted();
    if (m_bar->running()) {
        m_bar->fail(tr("A bench is running; stop it before starting another."));
        return;
    }
    m_bar->start(m_options->argumentsFor(trace, offset));
}

void OperatorBenchPanel::takeLine(const QByteArray& line) {
    const auto change = m_stream.take({line.constData(), static_cast<std::size_t>(line.size())});
    using Change = decltype(change);
    if (change == Change::Plan) {
        showDocument();
    } else if (change == Change::Item) {
        const std::size_t index = m_stream.item();
        m_model.setRunning(m_stream.running());
        m_model.refresh(index);
        m_chart->refill();
        if (static_cast<int>(index) == m_selected) {
            showSamples();
        }
    }
    m_bar->setProgress(m_stream.done(), m_stream.document().items.size());
}

void OperatorBenchPanel::showDocument() {
    m_selected = -1;
    m_model.setTable(models::operatorTable(m_stream.document()));
    m_chart->setDocument(&m_stream.document());
    m_sampleModel.setTable(models::callTable(m_stream.document(), nullptr));
    m_title->setText({});
    tellFacts();
    if (!m_stream.document().items.empty()) {
        select(0);
    }
}

void OperatorBenchPanel::tellFacts() {
    const bench::results::ResultDocument& document = m_stream.document();
    QStringList facts = this->facts();
    const bench::results::OperatorOptions& options = document.options;
    facts << models::toText(options.inputFile.empty() ? options.suite : options.inputFile)
          << models::toText(options.dtype);
    for (const auto& [name, reason] : document.unavailable) {
        facts << tr("no %1: %2").arg(models::toText(name), models::toText(reason));
    }
    if (!document.problems.empty()) {
        facts << tr("input lines ignored: %1").arg(document.problems.size());
    }
    m_bar->setFacts(facts.join(QStringLiteral(" · ")));
}

void OperatorBenchPanel::select(int index) {
    if (index == m_selected) {
        return;
    }
    m_selected = index;
    m_chart->select(index);
    const bench::results::BenchItem& result =
        m_stream.document().items[static_cast<std::size_t>(index)];
    m_sampleModel.setTable(models::callTable(m_stream.document(), &result));
    const int row = m_model.shownRow(static_cast<std::uint32_t>(index));
    if (row >= 0 && m_table->currentIndex().row() != row) {
        m_table->selectRow(row);
    }
    showSamples();
}

void OperatorBenchPanel::showSamples() {
    const bench::results::BenchItem& result =
        m_stream.document().items[static_cast<std::size_t>(m_selected)];
    const auto number = [](double value) { return QString::number(value, 'f', 2); };
    QString title = models::toText(result.name);
    for (const std::string& name : models::candidatesOf(m_stream.document())) {
        if (const auto q = result.speedups(name)) {
            title +=
                tr("   %1 %2 (%3 – %4)")
                    .arg(models::toText(name), number((*q)[1]), number((*q)[0]), number((*q)[2]));
        }
    }
    m_title->setText(result.reason.empty()
                         ? title
                         : title + QStringLiteral("   ") + models::toText(result.reason));
    m_sampleModel.refresh();
}

}  // namespace kinetoscope::panels
