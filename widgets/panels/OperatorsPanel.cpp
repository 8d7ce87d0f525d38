// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/OperatorsPanel.h"

#include <QAction>
#include <QLocale>
#include <QScopedValueRollback>
#include <QVBoxLayout>
#include <optional>

#include "widgets/panels/parts/TableBar.h"
#include "widgets/style/Icons.h"
#include "widgets/timeline/SelectionChip.h"

namespace kinetoscope::panels {

namespace {

using Row = analysis::OperatorRow;
using Model = models::OperatorTableModel;

constexpr int kOperatorNameWidth = 400;
constexpr int kMinOperatorNameWidth = 190;
constexpr int kShapesWidth = 220;

session::WindowRunner<analysis::OperatorTable>::Make maker(bool byShape) {
    return [byShape](const trace::Trace& trace, const analysis::WindowChoice& window,
                     const std::stop_token& stop) {
        return analysis::makeOperatorTable(trace,
                                           {.byShape = byShape, .window = window, .stop = stop});
    };
}

}  // namespace

OperatorsPanel::OperatorsPanel(const PanelContext& context, QWidget* parent)
    : Panel(parent),
      m_view(context.view),
      m_achieved(session::AchievedFinder::of(context.view)),
      m_runner(context.view, maker(false)),
      m_table(new DataTable(m_model)),
      m_byShape(new QCheckBox(tr("By input shapes"))),
      m_sides(new QComboBox),
      m_filter(new QLineEdit),
      m_state(new QLabel) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(makeToolBar());
    layout->addWidget(m_table, 1);
    m_table->setObjectName(QStringLiteral("operators"));
    m_table->setWidest(Model::Name, kOperatorNameWidth);
    m_table->setWidest(Model::Shapes, kShapesWidth);
    m_table->setYielding(Model::Name, kMinOperatorNameWidth);
    addOperatorActions();
    connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this,
            &OperatorsPanel::highlightCurrent);
    connect(&m_view, &session::ViewState::highlightChanged, this, &OperatorsPanel::followHighlight);
    connect(&m_model, &QAbstractItemModel::modelReset, this, &OperatorsPanel::tellState);
    connect(m_table, &QTableView::doubleClicked, this, [this] { goTo(&Row::longest); });
    connect(&m_runner, &session::WindowRunnerBase::changed, this, &OperatorsPanel::refresh);
    connect(&m_achieved, &session::AchievedFinder::changed, this, &OperatorsPanel::refresh);
    connect(&m_achieved, &session::AchievedFinder::busyChanged, this, &OperatorsPanel::tellState);
    connect(&m_runner, &session::WindowRunnerBase::busyChanged, this, &OperatorsPanel::tellState);
    refresh();
}

QWidget* OperatorsPanel::makeToolBar() {
    m_byShape->setObjectName(QStringLiteral("byShape"));
    m_byShape->setToolTip(tr("One row per name and input shapes; reads the file again"));
    m_sides->setObjectName(QStringLiteral("sides"));
    m_sides->addItems({tr("CPU"), tr("GPU"), tr("CPU and GPU")});
    m_model.setSides(Model::Sides::Cpu);
    m_sides->setToolTip(
        tr("Which rows to show: operators and calls of the CPU, or kernels, copies and annotations "
           "of the GPU"));
    m_state->setObjectName(QStringLiteral("state"));
    QWidget* bar =
        makeTableBar({.choices = {m_byShape, m_sides, new timeline::SelectionChip(m_view, this)},
                      .state = m_state,
                      .filter = m_filter,
                      .hint = tr("Filter by name or shapes")},
                     this);
    connect(m_byShape, &QCheckBox::toggled, this,
            [this](bool byShape) { m_runner.setMake(maker(byShape)); });
    connect(m_sides, &QComboBox::currentIndexChanged, this, [this](int index) {
        m_model.setSides(static_cast<Model::Sides>(index));
        hideColumns();
        tellState();
    });
    connect(m_filter, &QLineEdit::textChanged, this, [this](const QString& text) {
        m_model.setFilter(text);
        tellState();
    });
    return bar;
}

void OperatorsPanel::addOperatorActions() {
    auto* longest =
        new QAction(style::themedIcon(QStringLiteral("jump")), tr("Go to the longest"), this);
    auto* first = new QAction(tr("Go to the first"), this);
    connect(longest, &QAction::triggered, this, [this] { goTo(&Row::longest); });
    connect(first, &QAction::triggered, this, [this] { goTo(&Row::first); });
    auto* bench = new QAction(tr("Bench this operator"), this);
    bench->setObjectName(QStringLiteral("benchOperator"));
    bench->setToolTip(tr("Measure its longest call again, with the same shapes and types"));
    connect(bench, &QAction::triggered, this, [this] {
        if (const QModelIndex current = m_table->currentIndex(); current.isValid()) {
            m_view.askForBench(m_model.operatorRow(current.row()).longest);
        }
    });
    m_table->addActions({longest, first, bench});
}

// The selected operator stays selected where the new table has it.
void OperatorsPanel::refresh() {
    const QModelIndex current = m_table->currentIndex();
    const auto chosen =
        current.isValid() ? std::optional(m_model.operatorRow(current.row())) : std::nullopt;
    m_refreshing = true;
    const bool fits = m_achieved.traceOf() == m_runner.traceOf();
    m_model.setAchieved(fits ? m_achieved.table() : nullptr,
                        m_achieved.error().isEmpty() ? tr("Reading shapes…") : m_achieved.error());
    m_model.setTable(m_runner.result());
    hideColumns();
    if (const int row = chosen ? m_model.rowOf(*chosen) : -1; row >= 0) {
        m_table->selectRow(row);
    }
    m_refreshing = false;
    tellState();
}

void OperatorsPanel::hideColumns() {
    m_table->setColumnHidden(Model::Shapes, !m_byShape->isChecked());
    m_table->setColumnHidden(Model::Side,
                             m_sides->currentIndex() != static_cast<int>(Model::Sides::Both));
    for (int column = Model::SelfGpu; column < m_model.columnCount(); ++column) {
        m_table->setColumnHidden(column, m_model.allRowCount() > 0 && !m_model.hasGpu());
    }
}

void OperatorsPanel::tellState() {
    m_table->setEmptyText(emptyText());
    if (m_runner.busy()) {
        m_state->setText(tr("calculating…"));
        return;
    }
    const int shown = m_model.rowCount();
    const auto all = static_cast<int>(m_model.allRowCount());
    const QString rows = all == 1 ? tr("1 row") : tr("%1 rows").arg(QLocale::c().toString(all));
    const QString count = all == 0       ? QString()
                          : shown == all ? rows
                                         : tr("%1 of %2").arg(QLocale::c().toString(shown), rows);
    m_state->setText(m_achieved.busy() ? tr("%1, reading shapes…").arg(count) : count);
}

QString OperatorsPanel::emptyText() const {
    if (!m_view.trace()) {
        return tr("Open a trace to see its operators.");
    }
    if (!m_runner.error().isEmpty()) {
        return m_runner.error();
    }
    if (!m_runner.result()) {
        return {};
    }
    return m_model.allRowCount() == 0    ? tr("No operators in this window.")
           : !m_model.filter().isEmpty() ? tr("No row matches the filter.")
                                         : tr("Nothing ran on this device in this window.");
}

/// The name that a row stands for. The steps are one row, under a name that none of them has.
std::optional<NameId> OperatorsPanel::nameOfRow(int row) const {
    const Row& shown = m_model.operatorRow(row);
    const NameId name = m_runner.traceOf()->nameId(shown.longest);
    return m_runner.traceOf()->text(name) == shown.name ? std::optional(name) : std::nullopt;
}

void OperatorsPanel::highlightCurrent() {
    if (m_refreshing || !m_runner.traceOf()) {
        return;
    }
    const QModelIndexList rows = m_table->selectionModel()->selectedRows();
    const QScopedValueRollback own(m_refreshing, true);
    m_view.highlightName(rows.isEmpty() ? std::nullopt : nameOfRow(rows[0].row()));
}

// A row whose emphasis was ended elsewhere is chosen no longer: the next click on it counts again.
void OperatorsPanel::followHighlight() {
    const QModelIndexList rows = m_table->selectionModel()->selectedRows();
    if (!m_refreshing && m_runner.traceOf() && !rows.isEmpty() &&
        m_view.highlightedName() != nameOfRow(rows[0].row())) {
        const QScopedValueRollback own(m_refreshing, true);
        m_table->clearSelection();
    }
}

void OperatorsPanel::goTo(trace::SliceId Row::*occurrence) {
    const QModelIndex current = m_table->currentIndex();
    if (!current.isValid() || !m_view.trace()) {
        return;
    }
    const trace::SliceId slice = m_model.operatorRow(current.row()).*occurrence;
    m_view.select(slice);
    m_view.reveal(slice);
}

}  // namespace kinetoscope::panels
