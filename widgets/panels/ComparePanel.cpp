// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/ComparePanel.h"

#include <QHBoxLayout>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include "core/compare/CompareText.h"
#include "widgets/models/Text.h"
#include "widgets/panels/parts/Panes.h"
#include "widgets/panels/parts/TableBar.h"
#include "widgets/plots/ChangeCharts.h"
#include "widgets/plots/SpeedupCharts.h"
#include "widgets/style/PlainText.h"

namespace kinetoscope::panels {

namespace {

constexpr int kCompareTableWidth = 1000;
constexpr int kChartWidth = 480;
constexpr int kWidestName = 360;
constexpr int kCompareMinName = 180;
constexpr int kCompareFilterWidth = 280;
constexpr int kMinChoice = 90;
constexpr int kStepsTab = 1;
constexpr qsizetype kMaxSummaryLetters = 900;

}  // namespace

ComparePanel::ComparePanel(const PanelContext& context, QWidget* parent)
    : Panel(parent),
      m_state(context.session.compare()),
      m_kernelTable(new DataTable(m_kernels)),
      m_stepTable(new DataTable(m_steps)),
      m_tables(new QTabWidget),
      m_candidate(new QComboBox),
      m_filter(new QLineEdit),
      m_summary(new QLabel),
      m_replacement(new QLabel) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(makeToolBar());
    makeSummary();
    layout->addWidget(m_summary);
    layout->addWidget(sideBySide({makeTables(), kCompareTableWidth}, {makeCharts(), kChartWidth},
                                 GrowingPane::Left),
                      1);
    connect(&m_state, &session::CompareState::shownChanged, this, &ComparePanel::refresh);
    connect(&m_state, &session::CompareState::busyChanged, this, &ComparePanel::refresh);
    connect(&m_state, &session::CompareState::kernelSelected, this, &ComparePanel::showSelection);
    connect(m_kernelTable->selectionModel(), &QItemSelectionModel::selectionChanged, this,
            &ComparePanel::takeSelection);
    connect(m_kernelTable, &QTableView::doubleClicked, this, &ComparePanel::goToKernel);
    connect(m_stepTable, &QTableView::doubleClicked, this, [this](const QModelIndex& index) {
        m_state.goToStep(static_cast<int>(m_steps.sourceRow(index.row())));
    });
    refresh();
}

QWidget* ComparePanel::makeToolBar() {
    auto* bar = new QWidget(this);
    auto* row = new QHBoxLayout(bar);
    row->setContentsMargins(10, 5, 10, 5);
    m_candidate->setObjectName(QStringLiteral("candidate"));
    m_candidate->setToolTip(tr("Candidate to show"));
    m_candidate->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    m_candidate->setMinimumWidth(kMinChoice);
    row->addWidget(m_candidate);
    row->addStretch(1);
    addFilter(*row, *m_filter, tr("Filter by name, operator or verdict"), kCompareFilterWidth);
    m_filter->setObjectName(QStringLiteral("compareFilter"));
    connect(m_candidate, &QComboBox::activated, &m_state, &session::CompareState::show);
    connect(m_filter, &QLineEdit::textChanged, this, [this](const QString& text) {
        m_kernels.setFilter(text);
        showSelection();
    });
    return bar;
}

// The headline is read whole: it takes more lines where the panel is narrow.
void ComparePanel::makeSummary() {
    m_summary->setObjectName(QStringLiteral("compareSummary"));
    m_summary->setTextFormat(Qt::PlainText);
    m_summary->setWordWrap(true);
    m_summary->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_summary->setContentsMargins(10, 0, 10, 5);
    // A name of a file may have no place to break at; it must not widen the window.
    QSizePolicy policy = m_summary->sizePolicy();
    policy.setHorizontalPolicy(QSizePolicy::Ignored);
    m_summary->setSizePolicy(policy);
}

QWidget* ComparePanel::makeTables() {
    auto* kernels = new QWidget;
    auto* column = new QVBoxLayout(kernels);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    m_kernelTable->setObjectName(QStringLiteral("changes"));
    m_kernelTable->setWidest(models::CompareModel::Name, kWidestName);
    m_kernelTable->setYielding(models::CompareModel::Name, kCompareMinName);
    m_kernelTable->setFrozen(models::CompareModel::Name + 1);
    m_replacement->setObjectName(QStringLiteral("replacement"));
    m_replacement->setTextFormat(Qt::PlainText);
    m_replacement->setWordWrap(true);
    m_replacement->setContentsMargins(10, 4, 10, 4);
    m_replacement->setTextInteractionFlags(Qt::TextSelectableByMouse);
    column->addWidget(m_kernelTable, 1);
    column->addWidget(m_replacement);
    m_stepTable->setObjectName(QStringLiteral("stepChanges"));
    m_tables->setDocumentMode(true);
    m_tables->setObjectName(QStringLiteral("compareTables"));
    m_tables->addTab(kernels, tr("Kernels"));
    m_tables->addTab(m_stepTable, tr("Steps"));
    return m_tables;
}

QWidget* ComparePanel::makeCharts() {
    auto* charts = new QTabWidget;
    charts->setDocumentMode(true);
    charts->setObjectName(QStringLiteral("compareCharts"));
    charts->addTab(new plots::WaterfallChart(m_state), tr("Change"));
    charts->addTab(new plots::SpeedupRangeChart(m_state), tr("Speedups"));
    charts->addTab(new plots::SpeedupDistributionChart(m_state), tr("Distribution"));
    charts->addTab(new plots::DurationChangeChart(m_state), tr("Durations"));
    charts->addTab(new plots::BreakdownChart(m_state), tr("Breakdown"));
    return charts;
}

const models::ColumnTableModel* ComparePanel::table() const {
    return m_tables->currentIndex() == 0 ? static_cast<const models::ColumnTableModel*>(&m_kernels)
                                         : &m_steps;
}

void ComparePanel::refresh() {
    const session::ComparedPair* pair = m_state.shown();
    const compare::Comparison* comparison = pair == nullptr ? nullptr : &pair->comparison;
    m_refreshing = true;
    m_kernels.setComparison(comparison);
    m_steps.setComparison(comparison);
    m_refreshing = false;
    const QString hint = comparison != nullptr ? QString()
                         : m_state.busy()
                             ? tr("Comparing…")
                             : tr("Choose a baseline and a candidate in “Runs” and press Compare.");
    const bool ofResults = comparison != nullptr && comparison->results;
    const QString noun = comparison == nullptr
                             ? tr("kernel")
                             : models::toText(compare::rowNoun(comparison->results));
    m_kernelTable->setEmptyText(hint.isEmpty() ? tr("No %1 matches the filter.").arg(noun) : hint);
    m_stepTable->setEmptyText(hint.isEmpty() ? tr("At least one of the runs has no steps.") : hint);
    m_tables->setTabVisible(kStepsTab, !ofResults);
    m_tables->setTabText(
        0, comparison == nullptr
               ? tr("Kernels")
               : models::toText(compare::capitalised(compare::rowNoun(comparison->results, 2))));
    const QSignalBlocker quiet(m_candidate);
    m_candidate->clear();
    for (const auto& each : m_state.pairs()) {
        m_candidate->addItem(
            style::shownText(tr("%1 against %2").arg(each->title.candidate, each->title.base)));
    }
    m_candidate->setCurrentIndex(m_state.shownIndex());
    m_candidate->setVisible(!m_state.pairs().empty());
    QStringList lines;
    if (comparison != nullptr) {
        lines << tr("%1 time %2 in total, %3; each launch: %4; SAME within ±%5\u00a0%")
                     .arg(noun,
                          models::withMinus(
                              models::toText(compare::percentText(comparison->kernelTimeNs))),
                          models::toText(compare::normalisationText(*comparison)),
                          models::toText(compare::verdictSummary(*comparison)))
                     .arg(100.0 * comparison->tolerance);
        if (comparison->stepTimeNs) {
            lines << tr("step %1, %2")
                         .arg(models::withMinus(
                                  models::toText(compare::percentText(*comparison->stepTimeNs))),
                              models::toText(compare::timesText(*comparison->stepTimeNs)));
        }
        for (const std::string& note : comparison->notes) {
            lines << models::toText(note);
        }
    }
    m_summary->setText(style::shownText(lines.join(QStringLiteral(" · ")), kMaxSummaryLetters));
    m_summary->setVisible(!lines.isEmpty());
    m_summary->setToolTip(style::plainToolTip(lines.join(QLatin1Char('\n'))));
    showSelection();
}

void ComparePanel::takeSelection() {
    if (m_refreshing) {
        return;
    }
    const QModelIndexList rows = m_kernelTable->selectionModel()->selectedRows();
    m_state.selectKernel(rows.isEmpty() ? -1 : m_kernels.kernelOf(rows[0].row()));
}

void ComparePanel::showSelection() {
    const session::ComparedPair* pair = m_state.shown();
    const int kernel = pair == nullptr ? -1 : m_state.selectedKernel();
    const int row = m_kernels.rowOfKernel(kernel);
    m_refreshing = true;
    if (row >= 0 && m_kernelTable->currentIndex().row() != row) {
        m_kernelTable->selectRow(row);
        m_kernelTable->scrollTo(m_kernels.index(row, models::CompareModel::Name));
    } else if (row >= 0) {
        m_kernelTable->selectRow(row);
    } else {
        m_kernelTable->clearSelection();
    }
    m_refreshing = false;
    const QString text = kernel < 0
                             ? QString()
                             : models::CompareModel::replacement(
                                   pair->comparison.kernels[static_cast<std::size_t>(kernel)]);
    m_replacement->setText(style::shownText(text));
    m_replacement->setVisible(!text.isEmpty());
}

void ComparePanel::goToKernel(const QModelIndex& index) {
    m_state.goToKernel(m_kernels.kernelOf(index.row()));
}

}  // namespace kinetoscope::panels
