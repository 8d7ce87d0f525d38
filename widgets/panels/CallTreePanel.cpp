// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/CallTreePanel.h"

#include <QAction>
#include <QHBoxLayout>
#include <QSplitter>
#include <QVBoxLayout>
#include <array>
#include <mutex>

#include "core/calltree/TreeViews.h"
#include "core/text/Format.h"
#include "widgets/panels/parts/CellDelegate.h"
#include "widgets/style/Icons.h"
#include "widgets/style/PlainText.h"
#include "widgets/timeline/SelectionChip.h"

namespace kinetoscope::panels {

using calltree::CallNode;
using calltree::CallTree;
using calltree::Frames;
using calltree::kRoot;
using calltree::NodeId;
using calltree::Weight;

namespace {

constexpr int kNamesWidth = 420;
constexpr int kCallersWidth = 420;
constexpr qsizetype kMaxNameLength = 200;

std::shared_ptr<const CallTree> shared(CallTree tree) {
    return std::make_shared<const CallTree>(std::move(tree));
}

QString duration(TimeNs ns) {
    return QString::fromStdString(text::formatDuration(ns));
}

QString count(std::uint64_t number) {
    return QString::fromStdString(text::formatCount(static_cast<std::int64_t>(number)));
}

}  // namespace

/// What launched the GPU work of a trace, found out once. Forgotten when another trace is shown,
/// so its address stands for the trace.
struct CallTreePanel::LinkCache {
    std::mutex mutex;
    const trace::Trace* trace = nullptr;
    std::shared_ptr<const query::LaunchLinks> links;

    std::shared_ptr<const query::LaunchLinks> of(const trace::Trace& wanted) {
        {
            const std::lock_guard lock(mutex);
            if (trace == &wanted) {
                return links;
            }
        }
        auto made = std::make_shared<const query::LaunchLinks>(wanted);
        const std::lock_guard lock(mutex);
        trace = &wanted;
        links = made;
        return made;
    }
    void forget() {
        const std::lock_guard lock(mutex);
        trace = nullptr;
        links.reset();
    }
};

CallTreePanel::CallTreePanel(const PanelContext& context, QWidget* parent)
    : Panel(parent),
      m_view(context.view),
      m_links(std::make_shared<LinkCache>()),
      m_runner(context.view, [](const trace::Trace&, const analysis::WindowChoice&,
                                const std::stop_token&) { return Result<CallTree>(CallTree()); }),
      m_views([this](const Result<Views>& views) {
          if (views) {
              showViews(*views);
          }
          tellState();
      }),
      m_frames(new QComboBox),
      m_time(new QComboBox),
      m_shown(new QComboBox),
      m_back(new QToolButton),
      m_state(new style::ElidedLabel(QString(), Qt::AlignRight)),
      m_filter(new QLineEdit),
      m_stack(new QStackedWidget),
      m_flames(new calls::FlameGraph) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(makeToolBar());
    layout->addWidget(m_stack, 1);
    m_stack->addWidget(m_flames);
    m_stack->addWidget(makeRows(m_topDown, "topDown"));
    m_stack->addWidget(makeRows(m_bottomUp, "bottomUp"));
    m_stack->addWidget(makeCallers());
    connectFlames();
    connect(&m_runner, &session::WindowRunnerBase::changed, this, &CallTreePanel::refresh);
    connect(&m_runner, &session::WindowRunnerBase::busyChanged, this, &CallTreePanel::tellState);
    connect(&m_view, &session::ViewState::traceChanged, this, &CallTreePanel::takeTrace);
    connect(&m_view, &session::ViewState::traceGrown, this, &CallTreePanel::takeTrace);
    connect(&m_view, &session::ViewState::rangeChanged, this, [this] {
        if (m_view.selectedTracks() != m_tracks) {
            remake();
        }
    });
    connect(&m_view, &session::ViewState::callsRequested, this, [this](NameId name) {
        focusOn(name);
        emit frontWanted();
    });
    takeTrace();
    remake();
    refresh();
}

CallTreePanel::~CallTreePanel() = default;

QWidget* CallTreePanel::makeToolBar() {
    auto* bar = new QWidget(this);
    auto* layout = new QHBoxLayout(bar);
    layout->setContentsMargins(10, 5, 10, 5);
    for (QWidget* part : std::initializer_list<QWidget*>{m_shown, m_frames, m_time, m_back}) {
        layout->addWidget(part);
    }
    layout->addWidget(new timeline::SelectionChip(m_view, bar));
    layout->addWidget(m_state, 1);
    layout->addWidget(m_filter);
    m_shown->setObjectName(QStringLiteral("shown"));
    m_shown->addItems(
        {tr("Flame graph"), tr("Top-down"), tr("Bottom-up"), tr("Callers and callees")});
    m_shown->setToolTip(tr("How the calls are shown"));
    m_frames->setObjectName(QStringLiteral("frames"));
    m_frames->addItems({tr("All frames"), tr("Operators"), tr("Python functions"), tr("Modules"),
                        tr("Annotations")});
    m_frames->setToolTip(tr("What of the CPU's threads is a frame"));
    m_time->setObjectName(QStringLiteral("time"));
    m_time->addItems({tr("GPU time"), tr("CPU time")});
    m_time->setToolTip(
        tr("Kernels, copies and memsets below what launched them, or how long the CPU's slices "
           "ran"));
    m_back->setObjectName(QStringLiteral("back"));
    m_back->setIcon(style::themedIcon(QStringLiteral("zoom-out")));
    m_back->setText(tr("Back"));
    m_back->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_back->setAutoRaise(true);
    m_back->setToolTip(tr("What the flame graph showed before the last zoom (Escape)"));
    m_state->setObjectName(QStringLiteral("state"));
    m_filter->setObjectName(QStringLiteral("filter"));
    m_filter->setPlaceholderText(tr("Find a name"));
    m_filter->setClearButtonEnabled(true);
    m_filter->setMinimumWidth(180);
    connect(m_frames, &QComboBox::activated, this, &CallTreePanel::remake);
    connect(m_time, &QComboBox::activated, this, [this](int index) {
        m_wantsGpu = index == 0;
        remake();
    });
    connect(m_shown, &QComboBox::currentIndexChanged, this,
            [this](int index) { show(static_cast<Shown>(index)); });
    connect(m_back, &QToolButton::clicked, m_flames, &calls::FlameGraph::back);
    connect(m_filter, &QLineEdit::textChanged, this, [this](const QString& text) {
        m_flames->setSearch(text);
        for (Rows* rows : {&m_topDown, &m_bottomUp, &m_names}) {
            rows->view->setFilter(text);
        }
        tellEmpty();
    });
    return bar;
}

calls::CallTreeView* CallTreePanel::makeRows(Rows& rows, const char* name) {
    rows.view = new calls::CallTreeView(rows.model);
    rows.view->setObjectName(QString::fromLatin1(name));
    rows.view->setItemDelegate(new CellDelegate(rows.view));
    const auto slice = [&rows] {
        const NodeId node = rows.view->current();
        return node == kRoot ? trace::kNoSlice : rows.model.tree()->node(node).longest;
    };
    auto* longest =
        new QAction(style::themedIcon(QStringLiteral("jump")), tr("Go to the longest"), this);
    connect(longest, &QAction::triggered, this, [this, slice] { goTo(slice()); });
    auto* callers = new QAction(tr("Callers and callees"), this);
    connect(callers, &QAction::triggered, this, [this, &rows] {
        if (const NodeId node = rows.view->current(); node != kRoot) {
            focusOn(rows.model.tree()->node(node).name);
        }
    });
    rows.view->addActions({longest, callers});
    connect(rows.view, &QTreeView::doubleClicked, this, [this, slice] { goTo(slice()); });
    connect(rows.view->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            &CallTreePanel::tellState);
    return rows.view;
}

QWidget* CallTreePanel::makeCallers() {
    const auto titled = [](style::ElidedLabel*& title, QWidget* rows) {
        auto* pane = new QWidget;
        auto* layout = new QVBoxLayout(pane);
        layout->setContentsMargins(0, 0, 0, 0);
        layout->setSpacing(0);
        title = new style::ElidedLabel(QString());
        title->setContentsMargins(10, 3, 10, 3);
        layout->addWidget(title);
        layout->addWidget(rows, 1);
        return pane;
    };
    auto* panes = new QSplitter;
    panes->addWidget(makeRows(m_names, "names"));
    panes->addWidget(titled(m_callersTitle, makeRows(m_callers, "callers")));
    panes->addWidget(titled(m_calleesTitle, makeRows(m_callees, "callees")));
    panes->setChildrenCollapsible(false);
    panes->setSizes({kNamesWidth, kCallersWidth, kCallersWidth});
    m_names.view->setRootIsDecorated(false);
    m_callersTitle->setObjectName(QStringLiteral("callersTitle"));
    m_calleesTitle->setObjectName(QStringLiteral("calleesTitle"));
    for (const Rows* rows : {&m_names, &m_callers, &m_callees}) {
        rows->view->setColumnHidden(calls::CallTreeModel::SelfShare, true);
        rows->view->setColumnHidden(calls::CallTreeModel::TotalShare, true);
    }
    connect(m_names.view->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this] {
        const NodeId node = m_names.view->current();
        if (node != kRoot && m_names.model.tree()->node(node).name != m_focus) {
            m_focus = m_names.model.tree()->node(node).name;
            makeViews();
        }
    });
    return panes;
}

void CallTreePanel::connectFlames() {
    connect(m_flames, &calls::FlameGraph::selectionChanged, this, &CallTreePanel::tellState);
    connect(m_flames, &calls::FlameGraph::shownChanged, this,
            [this] { m_back->setEnabled(m_flames->canGoBack()); });
    connect(m_flames, &calls::FlameGraph::callersWanted, this, &CallTreePanel::focusOn);
    connect(m_flames, &calls::FlameGraph::findWanted, this, [this](NodeId node) {
        if (const Tree& tree = m_runner.result(); tree && m_runner.traceOf() == m_view.trace()) {
            m_view.highlightName(tree->node(node).name);
            goTo(tree->node(node).longest);
        }
    });
    m_back->setEnabled(false);
}

CallTreePanel::Shown CallTreePanel::shown() const {
    return static_cast<Shown>(m_shown->currentIndex());
}

CallTreePanel::Rows* CallTreePanel::rowsInFront() {
    switch (shown()) {
        case TopDown:
            return &m_topDown;
        case BottomUp:
            return &m_bottomUp;
        case CallersAndCallees:
            return &m_names;
        case Flames:
            break;
    }
    return nullptr;
}

// A trace without GPU work has CPU time alone.
void CallTreePanel::takeTrace() {
    m_links->forget();
    m_focus.reset();
    const bool hasGpu = m_view.trace() && !m_view.trace()->gpuOperations().empty();
    const int index = m_wantsGpu && (hasGpu || !m_view.trace()) ? 0 : 1;
    if (index != m_time->currentIndex()) {
        m_time->setCurrentIndex(index);
        remake();
    }
}

void CallTreePanel::remake() {
    const auto frames = static_cast<Frames>(m_frames->currentIndex());
    const Weight weight = m_time->currentIndex() == 0 ? Weight::GpuTime : Weight::CpuTime;
    m_tracks = m_view.selectedTracks();
    m_runner.setMake([links = m_links, frames, weight, tracks = m_tracks](
                         const trace::Trace& trace, const analysis::WindowChoice& window,
                         const std::stop_token& stop) {
        calltree::CallTreeOptions options;
        options.frames = frames;
        options.weight = weight;
        options.window = window;
        options.tracks = tracks;
        options.stop = stop;
        const auto known = weight == Weight::GpuTime ? links->of(trace) : nullptr;
        options.links = known.get();
        return calltree::makeCallTree(trace, options);
    });
}

void CallTreePanel::refresh() {
    const Tree& tree = m_runner.result();
    const auto& trace = m_runner.traceOf();
    m_flames->setTree(tree ? trace : nullptr, tree);
    m_topDown.view->setTree(trace, tree, tree ? tree->root().total : 0);
    if (!tree) {
        m_views.cancel();
        showViews({});
    } else {
        searchFocus();
        makeViews();
    }
    tellState();
}

// Only what is in front, and that beside the window.
void CallTreePanel::makeViews() {
    const Tree tree = m_runner.result();
    if (!tree || (shown() != BottomUp && shown() != CallersAndCallees)) {
        return;
    }
    Views views = m_made.of == tree ? m_made : Views{tree, {}, {}, {}, {}, {}};
    const bool up = shown() == BottomUp && !views.bottomUp;
    const bool around = shown() == CallersAndCallees && (!views.names || views.focus != m_focus);
    if (!up && !around) {
        showViews(views);
        return;
    }
    m_views.start([views, up, around, focus = m_focus, trace = m_runner.traceOf()](
                      const std::stop_token& stop) mutable -> Result<Views> {
        const auto make = [&](Tree& to, Result<CallTree> made) {
            if (!made) {
                throw Stopped{};
            }
            to = shared(std::move(*made));
        };
        if (up) {
            make(views.bottomUp, calltree::bottomUp(*trace, *views.of, stop));
        }
        if (around && !views.names) {
            make(views.names, calltree::byName(*trace, *views.of, stop));
        }
        if (around && focus) {
            make(views.callers, calltree::callersOf(*trace, *views.of, *focus, stop));
            make(views.callees, calltree::calleesOf(*trace, *views.of, *focus, stop));
        }
        views.focus = focus;
        return views;
    });
    tellState();
}

void CallTreePanel::showViews(const Views& views) {
    m_made = views;
    const auto& trace = m_runner.traceOf();
    const TimeNs whole = views.of ? views.of->root().total : 0;
    const auto show = [&](Rows& rows, const Tree& tree) {
        if (rows.model.tree() != tree) {
            rows.view->setTree(trace, tree, whole);
        }
    };
    show(m_bottomUp, views.bottomUp);
    show(m_names, views.names);
    show(m_callers, views.callers);
    show(m_callees, views.callees);
    showFocus();
    tellState();
}

void CallTreePanel::showFocus() {
    const Tree& names = m_made.names;
    QString name;
    if (names && m_made.focus) {
        const NameId focus = m_made.of->nameIn(*m_made.focus);
        name = style::shownText(names->text(*m_runner.traceOf(), focus), kMaxNameLength);
        for (const NodeId node : names->children(kRoot)) {
            if (names->node(node).name == focus && m_names.view->current() != node) {
                m_names.view->goTo(node);
            }
        }
    }
    m_callersTitle->setText(name.isEmpty() ? tr("Callers") : tr("Callers of %1").arg(name));
    m_calleesTitle->setText(name.isEmpty() ? tr("Callees") : tr("What %1 calls").arg(name));
    for (Rows* rows : {&m_callers, &m_callees}) {
        if (rows->model.rowCount() == 1) {
            rows->view->expand(rows->model.index(0, 0));
        }
    }
}

void CallTreePanel::show(Shown shown) {
    m_stack->setCurrentIndex(shown);
    m_back->setVisible(shown == Flames);
    makeViews();
    tellState();
}

void CallTreePanel::focusOn(NameId name) {
    m_focus = name;
    m_searched = 0;
    searchFocus();
    m_shown->setCurrentIndex(CallersAndCallees);
    makeViews();
}

// A name may be no frame of this tree: then all frames are, then the other time is shown.
void CallTreePanel::searchFocus() {
    const Tree& tree = m_runner.result();
    if (!m_focus || !tree) {
        return;
    }
    const NameId name = tree->nameIn(*m_focus);
    m_focus = name;
    if (std::ranges::any_of(tree->nodes().subspan(1),
                            [&](const CallNode& node) { return node.name == name; })) {
        m_searched = 2;
        return;
    }
    if (m_searched == 0 && m_frames->currentIndex() != static_cast<int>(Frames::All)) {
        m_searched = 1;
        m_frames->setCurrentIndex(static_cast<int>(Frames::All));
        remake();
    } else if (m_searched < 2) {
        m_searched = 2;
        m_time->setCurrentIndex(1 - m_time->currentIndex());
        remake();
    }
}

void CallTreePanel::goTo(trace::SliceId slice) {
    if (slice != trace::kNoSlice && m_runner.traceOf() == m_view.trace()) {
        m_view.select(slice);
        m_view.reveal(slice);
    }
}

QString CallTreePanel::describe(const CallNode& node) const {
    const Tree& tree = m_runner.result();
    const auto share = [&](TimeNs part) {
        return QString::fromStdString(text::formatPercent(static_cast<double>(part),
                                                          static_cast<double>(tree->root().total)));
    };
    return tr("%1 · total %2 (%3) · self %4 · %5")
        .arg(style::shownText(tree->text(*m_runner.traceOf(), node.name), kMaxNameLength),
             duration(node.total), share(node.total), duration(node.self),
             node.count == 1 ? tr("1 call") : tr("%1 calls").arg(count(node.count)));
}

void CallTreePanel::tellState() {
    tellEmpty();
    const Tree& tree = m_runner.result();
    if (m_runner.busy() || m_views.busy()) {
        m_state->setText(tr("merging calls…"));
    } else if (!tree || tree->empty()) {
        m_state->setText({});
    } else if (shown() == Flames && m_flames->selected() != kRoot) {
        m_state->setText(describe(tree->node(m_flames->selected())));
    } else {
        const Rows* rows = rowsInFront();
        const bool isCut = rows != nullptr && rows->model.tree() && rows->model.tree()->isCut();
        const std::size_t frames = tree->nodes().size() - 1;
        m_state->setText(
            tr("%1 · %2%3")
                .arg(frames == 1 ? tr("1 frame") : tr("%1 frames").arg(count(frames)),
                     duration(tree->root().total),
                     isCut ? tr(" · the longest chains of callers end early") : QString()));
    }
}

void CallTreePanel::tellEmpty() {
    QString text;
    if (!m_view.trace()) {
        text = tr("Open a trace to see who calls what.");
    } else if (!m_runner.error().isEmpty()) {
        text = m_runner.error();
    } else if (m_runner.result() && m_runner.result()->empty()) {
        text = m_time->currentIndex() == 0 ? tr("No GPU work in this window.")
                                           : tr("No frames of this kind in this window.");
    } else if (m_runner.result() && !m_filter->text().isEmpty()) {
        text = tr("No name holds this text.");
    }
    m_flames->setEmptyText(text);
    for (Rows* rows : {&m_topDown, &m_bottomUp, &m_names}) {
        rows->view->setEmptyText(text);
    }
}

}  // namespace kinetoscope::panels
