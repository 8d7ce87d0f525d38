// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/IdlePanel.h"

#include <QAction>
#include <QVBoxLayout>

#include "core/text/Format.h"
#include "widgets/models/Text.h"
#include "widgets/panels/parts/Panes.h"
#include "widgets/panels/parts/TableBar.h"
#include "widgets/style/Icons.h"
#include "widgets/style/PlainText.h"
#include "widgets/timeline/SelectionChip.h"

namespace kinetoscope::panels {

namespace {

using Gaps = models::IdleGapModel;

constexpr int kGroupWidth = 400;
constexpr int kGapWidth = 1070;
constexpr int kNameWidth = 320;
constexpr int kActivityWidth = 200;
constexpr int kMinNameWidth = 120;
/// A gap narrower than this part of the picture is zoomed to.
constexpr TimeNs kNarrowestGap = 50;

}  // namespace

IdlePanel::IdlePanel(const PanelContext& context, QWidget* parent)
    : Panel(parent),
      m_view(context.view),
      m_idle(session::IdleFinder::of(context.view)),
      m_groupTable(new DataTable(m_groups)),
      m_gapTable(new DataTable(m_gaps)),
      m_by(new QComboBox),
      m_clear(new QToolButton),
      m_filter(new QLineEdit),
      m_state(new QLabel) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(makeToolBar());
    layout->addWidget(
        sideBySide({m_groupTable, kGroupWidth}, {m_gapTable, kGapWidth}, GrowingPane::Right), 1);
    m_groupTable->setObjectName(QStringLiteral("idleGroups"));
    m_groupTable->setWidest(models::IdleGroupModel::Name, kActivityWidth);
    m_groupTable->setSelectionMode(QAbstractItemView::SingleSelection);
    m_gapTable->setObjectName(QStringLiteral("gaps"));
    m_gapTable->setWidest(Gaps::Host, kActivityWidth);
    m_gapTable->setWidest(Gaps::Next, kNameWidth);
    m_gapTable->setYielding(Gaps::Next, kMinNameWidth);
    m_gapTable->sortByColumn(Gaps::Length, Qt::DescendingOrder);
    addGapActions();
    connect(&m_gaps, &QAbstractItemModel::modelReset, this, &IdlePanel::tellState);
    connect(m_groupTable->selectionModel(), &QItemSelectionModel::selectionChanged, this,
            &IdlePanel::chooseKey);
    connect(m_gapTable->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            &IdlePanel::showGap);
    connect(m_gapTable, &QTableView::pressed, this, &IdlePanel::showGap);  // the same row again
    connect(m_gapTable, &QTableView::doubleClicked, this, [this] {
        if (const analysis::NamedGap* gap = currentGap()) {
            goTo(gap->host.slice);
        }
    });
    connect(&m_idle, &session::WindowRunnerBase::changed, this, &IdlePanel::refresh);
    connect(&m_idle, &session::WindowRunnerBase::busyChanged, this, &IdlePanel::tellState);
    connect(&m_view, &session::ViewState::selectionChanged, this, &IdlePanel::followSelection);
    refresh();
}

QWidget* IdlePanel::makeToolBar() {
    m_by->setObjectName(QStringLiteral("by"));
    m_by->addItems({tr("Reason"), tr("What the host did")});
    m_by->setToolTip(tr("What the rows on the left are"));
    m_clear->setObjectName(QStringLiteral("clear"));
    makeEndingButton(*m_clear, tr("Show all gaps"));
    m_state->setObjectName(QStringLiteral("state"));
    QWidget* bar = makeTableBar({.choices = {titleOf(m_by, tr("Group by")), m_by, m_clear,
                                             new timeline::SelectionChip(m_view, this)},
                                 .state = m_state,
                                 .filter = m_filter,
                                 .hint = tr("Filter by activity or kernel"),
                                 .filterWidth = 260},
                                this);
    connect(m_by, &QComboBox::currentIndexChanged, this, &IdlePanel::chooseGroup);
    connect(m_clear, &QToolButton::clicked, m_groupTable, &QTableView::clearSelection);
    connect(m_filter, &QLineEdit::textChanged, this, [this](const QString& text) {
        m_gaps.setFilter(text);
        tellState();
    });
    return bar;
}

void IdlePanel::addGapActions() {
    auto* next =
        new QAction(style::themedIcon(QStringLiteral("jump")), tr("Go to what came next"), this);
    auto* host = new QAction(tr("Go to what the host did"), this);
    auto* launch = new QAction(tr("Go to the launch"), this);
    const auto on = [this](QAction* action, auto slice) {
        connect(action, &QAction::triggered, this, [this, slice] {
            if (const analysis::NamedGap* gap = currentGap()) {
                goTo(slice(*gap));
            }
        });
    };
    on(next, [](const analysis::NamedGap& gap) { return gap.next; });
    on(host, [](const analysis::NamedGap& gap) { return gap.host.slice; });
    on(launch, [](const analysis::NamedGap& gap) { return gap.launch; });
    m_gapTable->addActions({next, host, launch});
}

models::IdleGroup IdlePanel::group() const {
    return m_by->currentIndex() == 0 ? models::IdleGroup::Reason : models::IdleGroup::HostActivity;
}

void IdlePanel::refresh() {
    m_refreshing = true;
    m_gaps.setList(m_idle.traceOf(), m_idle.result());
    m_gapTable->setColumnHidden(Gaps::Gpu, !m_gaps.hasSeveralGpus());
    chooseGroup();
    m_refreshing = false;
    followSelection();
}

void IdlePanel::chooseGroup() {
    m_groups.setList(m_idle.traceOf(), m_idle.result(), group());
    chooseKey();
}

void IdlePanel::chooseKey() {
    const QModelIndexList rows = m_groupTable->selectionModel()->selectedRows();
    const models::IdleGroupRow* chosen = rows.isEmpty() ? nullptr : &m_groups.group(rows[0].row());
    m_gaps.setGroup(group(), chosen != nullptr ? std::optional(chosen->key) : std::nullopt);
    m_clear->setText(chosen != nullptr ? style::plainActionText(chosen->name) : QString());
    m_clear->setVisible(chosen != nullptr);
    tellState();
}

void IdlePanel::tellState() {
    m_gapTable->setEmptyText(emptyText());
    if (m_idle.busy()) {
        m_state->setText(tr("looking for gaps…"));
        return;
    }
    const std::uint64_t all = m_idle.result() ? m_idle.result()->count : 0;
    const auto shown = static_cast<std::uint64_t>(m_gaps.rowCount());
    const auto digits = [](std::uint64_t count) {
        return models::toText(text::formatCount(static_cast<std::int64_t>(count)));
    };
    const QString gaps = all == 1 ? tr("1 gap of 1 µs and longer")
                                  : tr("%1 gaps of 1 µs and longer").arg(digits(all));
    m_state->setText(all == 0       ? QString()
                     : shown == all ? gaps
                                    : tr("%1 of %2").arg(digits(shown), gaps));
}

QString IdlePanel::emptyText() const {
    if (!m_view.trace()) {
        return tr("Open a trace to see when its GPUs were idle.");
    }
    if (!m_idle.error().isEmpty()) {
        return m_idle.error();
    }
    if (!m_idle.result()) {
        return {};
    }
    return m_gaps.allRowCount() == 0 ? tr("No GPU was idle for 1 µs in this window.")
                                     : tr("There are no gaps of this kind.");
}

const analysis::NamedGap* IdlePanel::currentGap() const {
    const QModelIndex current = m_gapTable->currentIndex();
    return current.isValid() ? &m_gaps.gap(current.row()) : nullptr;
}

// The gap with some of what is around it.
void IdlePanel::showGap() {
    const analysis::NamedGap* gap = m_refreshing ? nullptr : currentGap();
    if (gap == nullptr) {
        return;
    }
    const TimeSpan visible = m_view.visible();
    const bool isVisible = visible.start <= gap->span.start && gap->span.end <= visible.end;
    const TimeNs length = gap->span.duration();
    if (!isVisible || length < visible.duration() / kNarrowestGap) {
        m_view.zoomTo({gap->span.start - 2 * length, gap->span.end + 2 * length});
    }
    // The window may have cut it.
    const session::TraceGaps* all = m_idle.gaps();
    const analysis::NamedGap* whole = all != nullptr ? all->at(gap->gpu, gap->span.start) : nullptr;
    m_view.setSelection(session::selectionOf(whole != nullptr ? *whole : *gap));
}

void IdlePanel::followSelection() {
    const auto* gap = std::get_if<session::SelectedGap>(&m_view.selection());
    if (gap == nullptr) {
        return;  // following a link from a row can be undone
    }
    const int row = m_gaps.rowOf(gap->gpu, gap->span);
    m_refreshing = true;
    if (row < 0) {
        m_gapTable->selectionModel()->clear();
    } else if (row != m_gapTable->currentIndex().row()) {
        m_gapTable->setCurrentIndex(m_gaps.index(row, Gaps::Start));
    }
    m_refreshing = false;
}

void IdlePanel::goTo(trace::SliceId slice) {
    if (slice != trace::kNoSlice && m_view.trace()) {
        m_view.select(slice);
        m_view.reveal(slice);
    }
}

}  // namespace kinetoscope::panels
