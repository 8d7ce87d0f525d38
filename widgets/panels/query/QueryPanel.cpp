// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/query/QueryPanel.h"

#include <QHBoxLayout>
#include <QInputDialog>
#include <QLineEdit>
#include <QSignalBlocker>
#include <QSplitter>
#include <QVBoxLayout>
#include <array>

#include "core/text/Format.h"
#include "widgets/models/Text.h"
#include "widgets/panels/parts/GoTo.h"
#include "widgets/panels/parts/Panes.h"
#include "widgets/panels/parts/TableBar.h"
#include "widgets/style/PlainText.h"

namespace kinetoscope::panels {

namespace {

constexpr int kQueryTableWidth = 820;
constexpr int kQueryPlotWidth = 460;
constexpr int kEditorHeight = 90;
constexpr int kTableHeight = 260;
constexpr int kQueryNameWidth = 260;
constexpr qsizetype kMaxHistory = 30;

struct Example {
    const char* title;
    const char* sql;
};
// More are in docs/sql.md.
constexpr std::array kExamples{
    Example{QT_TRANSLATE_NOOP("QueryPanel", "GPU operations by name"),
            "SELECT name, count(*) AS count, sum(dur) / 1e6 AS ms\nFROM gpu_ops GROUP BY name "
            "ORDER BY ms DESC"},
    Example{QT_TRANSLATE_NOOP("QueryPanel", "Longest launch delays"),
            "SELECT id, name, delay / 1e3 AS delay_us, operator_name\nFROM launches ORDER BY delay "
            "DESC LIMIT 100"},
    Example{QT_TRANSLATE_NOOP("QueryPanel", "Shapes of an operator"),
            "SELECT arg(id, 'Input Dims') AS shapes, count(*) AS count, sum(dur) / 1e6 AS cpu_ms\n"
            "FROM slices WHERE name = 'aten::addmm' GROUP BY shapes ORDER BY cpu_ms DESC"},
    Example{QT_TRANSLATE_NOOP("QueryPanel", "Where the host waited"),
            "SELECT id, name, start, dur / 1e3 AS us\nFROM slices WHERE name REGEXP 'Synchronize' "
            "ORDER BY dur DESC"},
    Example{QT_TRANSLATE_NOOP("QueryPanel", "Steps and how busy the GPU was"),
            "SELECT number, dur / 1e6 AS ms, 100.0 * busy / dur AS busy_percent\nFROM steps ORDER "
            "BY number"}};

}  // namespace

QueryPanel::QueryPanel(const PanelContext& context, QWidget* parent)
    : Panel(parent),
      m_view(context.view),
      m_settings(context.settings),
      m_editor(new SqlEditor),
      m_table(new DataTable(m_model)),
      m_plot(new plots::PointPlot),
      m_errors(new style::MessageBar(style::MessageBar::Kind::Error)),
      m_run(new QPushButton(tr("Run"))),
      m_cancel(new QPushButton(tr("Cancel"))),
      m_queries(new QToolButton),
      m_queryMenu(new QMenu(this)),
      m_selectedOnly(new QCheckBox(tr("Only in the selected time"))),
      m_across(new QComboBox),
      m_up(new QComboBox),
      m_state(new QLabel) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(makeToolBar());
    layout->addWidget(m_errors);
    auto* panes = new QSplitter(Qt::Vertical);
    panes->addWidget(m_editor);
    panes->addWidget(
        sideBySide({m_table, kQueryTableWidth}, {m_plot, kQueryPlotWidth}, GrowingPane::Left));
    panes->setChildrenCollapsible(false);
    panes->setSizes({kEditorHeight, kTableHeight});
    panes->setStretchFactor(1, 1);
    layout->addWidget(panes, 1);
    setFocusProxy(m_editor);
    m_editor->setObjectName(QStringLiteral("sql"));
    m_editor->setPlaceholderText(tr("SELECT … FROM slices; Ctrl+Enter runs it"));
    const QStringList history = m_settings.queryHistory.value();
    m_editor->setPlainText(history.isEmpty() ? QString::fromLatin1(kExamples.front().sql)
                                             : history.front());
    m_table->setObjectName(QStringLiteral("answer"));
    m_plot->setObjectName(QStringLiteral("plot"));
    m_plot->hide();
    connect(m_editor, &SqlEditor::runWanted, this, &QueryPanel::run);
    connect(m_table, &QTableView::activated, this, &QueryPanel::goTo);
    connect(&m_model, &QAbstractItemModel::layoutChanged, this, &QueryPanel::plot);
    connect(&m_model, &QAbstractItemModel::modelReset, this, &QueryPanel::plot);
    connect(m_plot, &plots::PointPlot::pointClicked, m_table, &QTableView::selectRow);
    connect(&m_runner, &QueryRunner::busyChanged, this, &QueryPanel::tellState);
    connect(&m_runner, &QueryRunner::answered, this,
            [this](const std::shared_ptr<const QueryAnswer>& answer) { show(*answer); });
    connect(&m_runner, &QueryRunner::failed, this,
            [this](const QString& message) { m_errors->addMessage(message); });
    connect(&m_view, &session::ViewState::traceChanged, this, &QueryPanel::takeTrace);
    connect(&m_view, &session::ViewState::traceGrown, this, &QueryPanel::takeTrace);
    connect(&m_view, &session::ViewState::rangeChanged, this, &QueryPanel::tellState);
    takeTrace();
}

QWidget* QueryPanel::makeToolBar() {
    auto* bar = new QWidget(this);
    auto* layout = new QHBoxLayout(bar);
    layout->setContentsMargins(10, 5, 10, 5);
    m_run->setObjectName(QStringLiteral("run"));
    m_run->setToolTip(tr("Run the query (Ctrl+Enter)"));
    m_cancel->setObjectName(QStringLiteral("cancel"));
    m_cancel->setToolTip(tr("Cancel the running query"));
    m_queries->setObjectName(QStringLiteral("queries"));
    m_queries->setText(tr("Queries"));
    m_queries->setToolTip(tr("Examples, saved queries and recent ones"));
    m_queries->setPopupMode(QToolButton::InstantPopup);
    m_queries->setMenu(m_queryMenu);
    m_selectedOnly->setObjectName(QStringLiteral("selectedOnly"));
    m_selectedOnly->setToolTip(tr(
        "Rows with times: only those that run in the selected time; sums: only what starts in it"));
    m_state->setObjectName(QStringLiteral("state"));
    m_state->setTextFormat(Qt::PlainText);
    m_across->setObjectName(QStringLiteral("across"));
    m_up->setObjectName(QStringLiteral("up"));
    m_up->setToolTip(tr("Plot a numeric column against the previous one"));
    for (QWidget* widget :
         std::initializer_list<QWidget*>{m_run, m_cancel, m_queries, m_selectedOnly}) {
        layout->addWidget(widget);
    }
    layout->addWidget(m_state, 1);
    layout->addWidget(titleOf(m_across, tr("Plot")));
    layout->addWidget(m_across);
    layout->addWidget(m_up);
    connect(m_run, &QPushButton::clicked, this, &QueryPanel::run);
    connect(m_cancel, &QPushButton::clicked, &m_runner, &QueryRunner::cancel);
    connect(m_queryMenu, &QMenu::aboutToShow, this, &QueryPanel::fillQueries);
    for (QComboBox* column : {m_across, m_up}) {
        connect(column, &QComboBox::currentIndexChanged, this, &QueryPanel::plot);
    }
    return bar;
}

void QueryPanel::addQuery(const QString& title, const QString& sql) {
    QAction* action = m_queryMenu->addAction(style::shownText(title), this,
                                             [this, sql] { m_editor->setPlainText(sql); });
    action->setToolTip(style::plainToolTip(sql));
}

// A saved query is its name and, from the second line on, its SQL.
void QueryPanel::fillQueries() {
    m_queryMenu->clear();
    m_queryMenu->setToolTipsVisible(true);
    m_queryMenu->addAction(tr("Save this query…"), this, &QueryPanel::save);
    m_queryMenu->addSection(tr("Saved"));
    const QStringList saved = m_settings.savedQueries.value();
    for (const QString& query : saved) {
        addQuery(query.section(QChar('\n'), 0, 0), query.section(QChar('\n'), 1));
    }
    if (!saved.isEmpty()) {
        QMenu* remove = m_queryMenu->addMenu(tr("Remove"));
        for (const QString& query : saved) {
            remove->addAction(style::shownText(query.section(QChar('\n'), 0, 0)), this,
                              [this, query] {
                                  QStringList left = m_settings.savedQueries.value();
                                  left.removeOne(query);
                                  m_settings.savedQueries.set(left);
                              });
        }
    }
    m_queryMenu->addSection(tr("Examples"));
    for (const Example& example : kExamples) {
        addQuery(tr(example.title), QString::fromLatin1(example.sql));
    }
    m_queryMenu->addSection(tr("Last ones"));
    for (const QString& sql : m_settings.queryHistory.value()) {
        constexpr int kLetters = 80;
        addQuery(sql.simplified().left(kLetters), sql);
    }
}

void QueryPanel::save() {
    QInputDialog dialog(this);
    dialog.setWindowTitle(tr("Save the query"));
    dialog.setLabelText(tr("Name"));
    dialog.setTextValue(QString());
    dialog.findChild<QLineEdit*>()->setMinimumWidth(kQueryNameWidth);
    const bool accepted = dialog.exec() == QDialog::Accepted;
    const QString name = dialog.textValue().simplified();
    if (!accepted || name.isEmpty()) {
        return;
    }
    QStringList saved = m_settings.savedQueries.value();
    saved.removeIf([&](const QString& query) { return query.section(QChar('\n'), 0, 0) == name; });
    saved.append(name + QChar('\n') + m_editor->toPlainText());
    m_settings.savedQueries.set(saved);
}

void QueryPanel::run() {
    const QString sql = m_editor->toPlainText().trimmed();
    if (sql.isEmpty() || !m_view.trace()) {
        return;
    }
    QStringList history = m_settings.queryHistory.value();
    history.removeAll(sql);
    history.prepend(sql);
    m_settings.queryHistory.set(history.mid(0, kMaxHistory));
    m_errors->clear();
    m_runner.run(sql, m_selectedOnly->isChecked() ? m_view.selectedRange() : std::nullopt);
}

void QueryPanel::show(const QueryAnswer& answer) {
    const auto count = [](std::uint64_t rows) {
        return models::toText(text::formatCount(static_cast<std::int64_t>(rows)));
    };
    const std::uint64_t kept = answer.table.rows.size();
    const QString took =
        models::toText(text::formatDuration(static_cast<TimeNs>(answer.seconds * 1e9)));
    m_answerText =
        kept < answer.rows
            ? tr("the first %1 of %2 rows, %3").arg(count(kept), count(answer.rows), took)
        : kept == 1 ? tr("1 row, %1").arg(took)
                    : tr("%1 rows, %2").arg(count(kept), took);
    {
        const QSignalBlocker quietAcross(m_across);
        const QSignalBlocker quietUp(m_up);
        m_across->clear();  // their columns are those of the answer before
        m_up->clear();
    }
    m_table->sortByColumn(-1, Qt::DescendingOrder);
    m_model.setTable(answer.table);
    listColumns();
    plot();
    tellState();
}

void QueryPanel::listColumns() {
    const QSignalBlocker quietAcross(m_across);
    const QSignalBlocker quietUp(m_up);
    m_across->addItem(tr("Row"), -1);
    m_up->addItem(tr("Nothing"), -1);
    for (const int column : m_model.numericColumns()) {
        const QString name = m_model.columns()[static_cast<std::size_t>(column)].header;
        m_across->addItem(name, column);
        m_up->addItem(name, column);
    }
}

void QueryPanel::plot() {
    const int up = m_up->currentIndex() > 0 ? m_up->currentData().toInt() : -1;
    m_plot->setVisible(up >= 0);
    if (up < 0) {
        return;
    }
    const int across = m_across->currentData().toInt();
    std::vector<plots::PlottedPoint> points;
    for (int row = 0; row < m_model.rowCount(); ++row) {
        const auto x = across < 0 ? std::optional<double>(row + 1) : m_model.number(row, across);
        const auto y = m_model.number(row, up);
        if (x && y) {
            points.push_back({*x, *y, row});
        }
    }
    m_plot->setPoints(std::move(points), m_across->currentText(), m_up->currentText());
}

void QueryPanel::tellState() {
    const bool isBusy = m_runner.busy();
    m_run->setEnabled(!isBusy && m_view.trace() != nullptr);
    m_cancel->setEnabled(isBusy);
    m_state->setText(isBusy ? tr("running…") : m_answerText);
    m_table->setEmptyText(isBusy                   ? QString()
                          : !m_view.trace()        ? tr("Open a trace to query it with SQL.")
                          : m_answerText.isEmpty() ? tr("Ctrl+Enter runs the query above.")
                                                   : tr("The query returns no rows."));
}

void QueryPanel::goTo(const QModelIndex& index) {
    // Columns that name slices; a click on any other goes to the first of them.
    static const QStringList kSlices{"id", "call", "operator", "parent", "first", "longest"};
    const auto trace = m_view.trace();
    if (!index.isValid() || !trace) {
        return;
    }
    const auto& columns = m_model.columns();
    int chosen = -1;
    for (int column = 0; column < m_model.columnCount(); ++column) {
        const bool names = kSlices.contains(columns[static_cast<std::size_t>(column)].key);
        chosen = names && (chosen < 0 || column == index.column()) ? column : chosen;
    }
    const auto id = chosen < 0 ? std::nullopt : m_model.number(index.row(), chosen);
    if (id && *id >= 0 && *id < static_cast<double>(trace->sliceCount())) {
        const auto slice = static_cast<trace::SliceId>(*id);
        panels::goTo(m_view, trace->span(slice), slice);
    }
}

void QueryPanel::takeTrace() {
    m_runner.setTrace(m_view.trace());
    m_answerText.clear();
    m_errors->clear();
    m_model.setTable({});
    m_across->clear();
    m_up->clear();
    m_plot->hide();
    tellState();
}

}  // namespace kinetoscope::panels
