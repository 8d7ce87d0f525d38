// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/KernelsPanel.h"

#include <QAction>
#include <QFileInfo>
#include <QHeaderView>
#include <QScopedValueRollback>
#include <QVBoxLayout>
#include <array>

#include "core/report/GroupKernels.h"
#include "core/text/Format.h"
#include "widgets/models/Text.h"
#include "widgets/panels/parts/Panes.h"
#include "widgets/panels/parts/TableBar.h"
#include "widgets/style/Icons.h"
#include "widgets/style/PlainText.h"
#include "widgets/timeline/SelectionChip.h"

namespace kinetoscope::panels {

namespace {

struct GroupChoice {
    analysis::GroupBy group;
    const char* id;  ///< as in settings and on the command line of kscope
    const char* title;
};

constexpr std::array kGroups{
    GroupChoice{analysis::GroupBy::Inductor, "inductor", "Inductor category"},
    GroupChoice{analysis::GroupBy::Family, "family", "Kernel family"},
    GroupChoice{analysis::GroupBy::Operator, "operator", "Launching operator"},
    GroupChoice{analysis::GroupBy::Stream, "stream", "Stream"},
};

constexpr int kCategoryWidth = 412;
constexpr int kKernelWidth = 1000;
constexpr int kMinKernelName = 168;

}  // namespace

KernelsPanel::KernelsPanel(const PanelContext& context, QWidget* parent)
    : Panel(parent),
      m_session(context.session),
      m_view(context.view),
      m_settings(context.settings),
      m_achieved(session::AchievedFinder::of(context.view)),
      m_measured(context),
      m_categoryTable(new DataTable(m_categories)),
      m_kernelTable(new DataTable(m_kernels)),
      m_group(new QComboBox),
      m_filter(new QLineEdit),
      m_clearCategory(new QToolButton),
      m_openMeasured(new QToolButton),
      m_closeMeasured(new QToolButton),
      m_count(new QLabel),
      m_launches([this](Result<std::vector<analysis::KernelRow>> rows) {
          takeLaunches(std::move(rows));
      }) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(makeToolBar());
    layout->addWidget(sideBySide({m_categoryTable, kCategoryWidth}, {m_kernelTable, kKernelWidth},
                                 GrowingPane::Right),
                      1);
    m_categoryTable->setObjectName(QStringLiteral("categories"));
    m_categoryTable->setWidest(models::CategoryModel::Name, 190);
    m_kernelTable->setWidest(models::KernelTableModel::Name, 400);
    m_kernelTable->setYielding(models::KernelTableModel::Name, kMinKernelName);
    m_kernelTable->setObjectName(QStringLiteral("kernels"));
    // The figures are beside the name; the table on the left has the category too.
    QHeaderView* header = m_kernelTable->horizontalHeader();
    header->moveSection(header->visualIndex(models::KernelTableModel::Group),
                        header->visualIndex(models::KernelTableModel::Median) - 1);
    addKernelActions();
    connect(m_categoryTable->selectionModel(), &QItemSelectionModel::selectionChanged, this,
            &KernelsPanel::chooseCategory);
    connect(m_kernelTable->selectionModel(), &QItemSelectionModel::selectionChanged, this,
            &KernelsPanel::highlightCurrent);
    connect(&m_kernels, &QAbstractItemModel::modelReset, this, &KernelsPanel::tellCount);
    connect(m_kernelTable, &QTableView::doubleClicked, this, [this] {
        goTo(Occurrence::Longest);
        m_view.askForKernel(m_view.selected());
    });
    connect(&m_session.reports(), &session::ReportRunner::reportChanged, this,
            &KernelsPanel::refresh);
    connect(&m_session.reports(), &session::ReportRunner::busyChanged, this,
            &KernelsPanel::tellCount);
    connect(&m_achieved, &session::AchievedFinder::changed, this, &KernelsPanel::showAchieved);
    connect(&m_achieved, &session::AchievedFinder::busyChanged, this, &KernelsPanel::tellCount);
    connect(&m_measured, &MeasuredKernels::changed, this, &KernelsPanel::showMeasured);
    connect(&m_session, &session::Session::tableRequested, this, &KernelsPanel::openMeasured);
    connect(&m_view, &session::ViewState::highlightChanged, this, &KernelsPanel::followHighlight);
    refresh();
}

QWidget* KernelsPanel::makeToolBar() {
    m_group->setObjectName(QStringLiteral("group"));
    m_group->setToolTip(tr("How the kernels are grouped on the left"));
    for (const GroupChoice& choice : kGroups) {
        m_group->addItem(tr(choice.title), QString::fromLatin1(choice.id));
    }
    makeEndingButton(*m_clearCategory, tr("Show the kernels of every category"));
    makeEndingButton(*m_closeMeasured, tr("Close the table of Nsight Compute"));
    m_openMeasured->setText(tr("Nsight Compute…"));
    m_openMeasured->setObjectName(QStringLiteral("openMeasured"));
    m_openMeasured->setAutoRaise(true);
    m_openMeasured->setToolTip(
        tr("Beside each kernel what Nsight Compute measured of it: open what ncu --csv has "
           "printed"));
    connect(m_openMeasured, &QToolButton::clicked, this, [this] { m_measured.choose(this); });
    connect(m_closeMeasured, &QToolButton::clicked, &m_measured, &MeasuredKernels::close);
    QWidget* bar = makeTableBar(
        {.choices = {titleOf(m_group, tr("Group by")), m_group, m_clearCategory, m_openMeasured,
                     m_closeMeasured, new timeline::SelectionChip(m_view, this)},
         .state = m_count,
         .filter = m_filter,
         .hint = tr("Filter kernels by name"),
         .filterWidth = 260},
        this);
    connect(m_clearCategory, &QToolButton::clicked, m_categoryTable, &QTableView::clearSelection);
    connect(m_group, &QComboBox::currentIndexChanged, this, &KernelsPanel::chooseGroup);
    connect(m_filter, &QLineEdit::textChanged, this, [this](const QString& text) {
        m_kernels.setFilter(text);
        tellCount();
    });
    m_group->setCurrentIndex(qMax(0, m_group->findData(m_settings.kernelGroup.value())));
    return bar;
}

void KernelsPanel::addKernelActions() {
    auto* longest =
        new QAction(style::themedIcon(QStringLiteral("jump")), tr("Go to the longest"), this);
    auto* first = new QAction(tr("Go to the first"), this);
    connect(longest, &QAction::triggered, this, [this] { goTo(Occurrence::Longest); });
    connect(first, &QAction::triggered, this, [this] { goTo(Occurrence::First); });
    m_kernelTable->addActions({longest, first});
}

// All launches of a kernel are of one family; operators and streams share kernels.
bool KernelsPanel::kernelsHaveOneCategory() const {
    const analysis::GroupBy group = m_session.reports().group();
    return group == analysis::GroupBy::Inductor || group == analysis::GroupBy::Family;
}

void KernelsPanel::refresh() {
    const session::ReportRunner& reports = m_session.reports();
    m_refreshing = true;
    m_categories.setReport(reports.report());
    m_kernels.setMeasured(nullptr);
    m_kernels.setReport(reports.traceOf(), reports.report());
    m_kernelTable->setColumnHidden(models::KernelTableModel::Gpu, !m_kernels.hasSeveralGpus());
    keepCategory();
    m_refreshing = false;
    showAchieved();
    tellCount();
}

// The rows become new ones; the chosen kernel stays chosen.
void KernelsPanel::showAchieved() {
    const bool fits = m_achieved.traceOf() == m_session.reports().traceOf();
    const auto wanted = m_view.highlightedName();
    const QScopedValueRollback own(m_refreshing, true);
    m_kernels.setAchieved(fits ? m_achieved.table() : nullptr, m_achieved.error().isEmpty()
                                                                   ? tr("Reading shapes…")
                                                                   : m_achieved.error());
    if (const int row = wanted ? m_kernels.rowOf(*wanted) : -1; row >= 0) {
        m_kernelTable->selectRow(row);
    }
}

// Other tables are for another panel.
void KernelsPanel::openMeasured(const QString& path) {
    if (ncu::isProfile(path.toStdString())) {
        emit frontWanted();
        m_measured.open(path);
    }
}

// Behind the means, where they are seen without scrolling sideways.
void KernelsPanel::showMeasured() {
    const bool fits = m_measured.traceOf() == m_session.reports().traceOf();
    const auto table = fits ? m_measured.table() : nullptr;
    const auto wanted = m_view.highlightedName();
    const QScopedValueRollback own(m_refreshing, true);
    m_kernels.setMeasured(table);
    QHeaderView* header = m_kernelTable->horizontalHeader();
    for (int column = models::KernelTableModel::Measured; column < m_kernels.columnCount();
         ++column) {
        header->moveSection(header->visualIndex(column),
                            header->visualIndex(models::KernelTableModel::Mean) + 1 + column -
                                models::KernelTableModel::Measured);
    }
    if (const int row = wanted ? m_kernels.rowOf(*wanted) : -1; row >= 0) {
        m_kernelTable->selectRow(row);
    }
    m_openMeasured->setVisible(m_measured.path().isEmpty());
    m_closeMeasured->setVisible(!m_measured.path().isEmpty());
    m_closeMeasured->setText(
        style::plainActionText(style::shownText(QFileInfo(m_measured.path()).fileName())));
    const std::string others = table ? ncu::othersText(*table) : std::string();
    m_closeMeasured->setToolTip(style::plainToolTip(
        tr("Close the table of Nsight Compute") +
        (others.empty() ? QString() : QLatin1Char('\n') + models::toText(others))));
    tellCount();
}

// The chosen category stays chosen where the new report has it.
void KernelsPanel::keepCategory() {
    const std::string wanted = m_category;
    for (int row = 0; row < m_categories.rowCount() && !wanted.empty(); ++row) {
        if (m_categories.category(row).name == wanted) {
            m_categoryTable->selectRow(row);
            showCategory(wanted);
            return;
        }
    }
    showCategory({});
}

QString KernelsPanel::emptyText() const {
    const session::ReportRunner& reports = m_session.reports();
    if (!m_view.trace()) {
        return tr("Open a trace to see its kernels.");
    }
    if (!reports.error().isEmpty() || !reports.report()) {
        return reports.error();
    }
    return m_kernels.allRowCount() == 0 ? tr("No kernels in this window.")
                                        : tr("No row matches the filter.");
}

void KernelsPanel::tellCount() {
    m_kernelTable->setEmptyText(emptyText());
    const QString& problem = m_problem.isEmpty() ? m_measured.error() : m_problem;
    if (m_launches.busy() || m_session.reports().busy() || !problem.isEmpty()) {
        m_count->setText(problem.isEmpty() ? tr("calculating…") : problem);
        return;
    }
    const int shown = m_kernels.rowCount();
    const auto all = static_cast<int>(m_kernels.allRowCount());
    const QString kernels =
        all == 1 ? tr("1 kernel") : tr("%1 kernels").arg(QLocale::c().toString(all));
    const QString count = all == 0 ? QString()
                          : shown == all
                              ? kernels
                              : tr("%1 of %2").arg(QLocale::c().toString(shown), kernels);
    m_count->setText(m_achieved.busy() ? tr("%1, reading shapes…").arg(count) : count);
}

void KernelsPanel::chooseGroup(int index) {
    const GroupChoice& choice = kGroups[static_cast<std::size_t>(index)];
    m_settings.kernelGroup.set(QString::fromLatin1(choice.id));
    m_session.reports().setGroup(choice.group);
}

void KernelsPanel::chooseCategory() {
    if (m_refreshing) {
        return;
    }
    const QModelIndexList rows = m_categoryTable->selectionModel()->selectedRows();
    showCategory(rows.isEmpty() ? std::string() : m_categories.category(rows[0].row()).name);
    tellCount();
}

void KernelsPanel::showCategory(const std::string& name) {
    m_category = name;
    m_problem.clear();
    m_launches.cancel();
    m_kernels.setCategory(kernelsHaveOneCategory() ? models::toText(name) : QString());
    const auto& reports = m_session.reports();
    if (kernelsHaveOneCategory() || name.empty() || !reports.traceOf()) {
        m_kernels.setLaunches(nullptr);
    } else {
        const report::ReportOptions options{.window = m_view.window(), .group = reports.group()};
        m_launches.start([trace = reports.traceOf(), options = options,
                          name](const std::stop_token& stop) mutable {
            options.stop = stop;
            return report::kernelsOfGroup(*trace, options, name);
        });
    }
    m_clearCategory->setText(style::plainActionText(style::shownText(std::string_view(name))));
    m_clearCategory->setVisible(!name.empty());
}

void KernelsPanel::takeLaunches(Result<std::vector<analysis::KernelRow>> rows) {
    m_problem = rows ? QString() : QString::fromStdString(rows.error().message);
    m_kernels.setLaunches(
        rows ? std::make_shared<const std::vector<analysis::KernelRow>>(*std::move(rows))
             : nullptr);
    tellCount();
}

void KernelsPanel::highlightCurrent() {
    if (m_refreshing) {
        return;
    }
    const QModelIndexList rows = m_kernelTable->selectionModel()->selectedRows();
    const QScopedValueRollback own(m_refreshing, true);
    m_view.highlightName(rows.isEmpty() ? std::nullopt
                                        : std::optional(m_kernels.kernel(rows[0].row()).name));
}

// A row whose emphasis was ended elsewhere is chosen no longer: the next click on it counts again.
void KernelsPanel::followHighlight() {
    const QModelIndexList rows = m_kernelTable->selectionModel()->selectedRows();
    if (!m_refreshing && !rows.isEmpty() &&
        m_view.highlightedName() != m_kernels.kernel(rows[0].row()).name) {
        const QScopedValueRollback own(m_refreshing, true);
        m_kernelTable->clearSelection();
    }
}

void KernelsPanel::goTo(Occurrence which) {
    const QModelIndex current = m_kernelTable->currentIndex();
    const auto& trace = m_view.trace();
    if (!current.isValid() || !trace) {
        return;
    }
    const analysis::KernelRow& kernel = m_kernels.kernel(current.row());
    trace::SliceId best = trace::kNoSlice;
    for (const trace::GpuOperation& operation : trace->gpuOperations()) {
        const trace::SliceId slice = operation.slice;
        if (operation.gpu != kernel.gpu || trace->nameId(slice) != kernel.name) {
            continue;
        }
        const bool better =
            best == trace::kNoSlice ||
            (which == Occurrence::Longest ? trace->duration(slice) > trace->duration(best)
                                          : trace->start(slice) < trace->start(best));
        best = better ? slice : best;
    }
    if (best != trace::kNoSlice) {
        m_view.select(best);
        m_view.reveal(best);
    }
}

}  // namespace kinetoscope::panels
