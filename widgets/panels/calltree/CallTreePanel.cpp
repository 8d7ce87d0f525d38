// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/calltree/CallTreePanel.h"

#include <QVBoxLayout>
#include <algorithm>

#include "core/text/Format.h"
#include "widgets/style/PlainText.h"

namespace kinetoscope::panels {

using calltree::CallNode;
using calltree::Frames;
using calltree::kRoot;
using calltree::NodeId;
using calltree::Weight;

namespace {

constexpr qsizetype kMaxNameLength = 200;

QString duration(TimeNs ns) {
    return QString::fromStdString(text::formatDuration(ns));
}

QString count(std::uint64_t number) {
    return QString::fromStdString(text::formatCount(static_cast<std::int64_t>(number)));
}

}  // namespace

CallTreePanel::CallTreePanel(const PanelContext& context, QWidget* parent)
    : Panel(parent),
      m_view(context.view),
      m_maker(context.view),
      m_bar(new CallTreeBar(context.view)),
      m_stack(new QStackedWidget),
      m_flames(new calls::FlameGraph),
      m_around(new CallersView) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_bar);
    layout->addWidget(m_stack, 1);
    m_stack->addWidget(m_flames);  // in the order of CallTreeBar::Shown
    m_stack->addWidget(&m_topDown.view());
    m_stack->addWidget(&m_bottomUp.view());
    m_stack->addWidget(m_around);
    connectBar();
    connectFlames();
    connectRows();
    connect(&m_maker, &CallTreeMaker::treeChanged, this, &CallTreePanel::showTree);
    connect(&m_maker, &CallTreeMaker::viewsChanged, this, &CallTreePanel::showViews);
    connect(&m_maker, &CallTreeMaker::busyChanged, this, &CallTreePanel::tellState);
    connect(&m_view, &session::ViewState::traceChanged, this, &CallTreePanel::takeTrace);
    connect(&m_view, &session::ViewState::traceGrown, this, &CallTreePanel::takeTrace);
    connect(&m_view, &session::ViewState::callsRequested, this, [this](NameId name) {
        focusOn(name);
        emit frontWanted();
    });
    takeTrace();
    remake();
    showTree();
}

void CallTreePanel::connectBar() {
    m_topDown.view().setSource([this] { fillTopDown(); });
    connect(m_bar, &CallTreeBar::shownChanged, this, [this] {
        m_stack->setCurrentIndex(m_bar->shown());
        showTopDown();
        makeViews();
        tellState();
    });
    connect(m_bar, &CallTreeBar::framesChosen, this, &CallTreePanel::remake);
    connect(m_bar, &CallTreeBar::weightChosen, this, [this] {
        m_wantsGpu = m_bar->weight() == Weight::GpuTime;
        remake();
    });
    connect(m_bar, &CallTreeBar::backWanted, m_flames, &calls::FlameGraph::back);
    connect(m_bar, &CallTreeBar::filterChanged, this, &CallTreePanel::setFilter);
}

void CallTreePanel::connectFlames() {
    connect(m_flames, &calls::FlameGraph::selectionChanged, this, &CallTreePanel::tellState);
    connect(m_flames, &calls::FlameGraph::shownChanged, this,
            [this] { m_bar->setCanGoBack(m_flames->canGoBack()); });
    connect(m_flames, &calls::FlameGraph::callersWanted, this, &CallTreePanel::focusOn);
    connect(m_flames, &calls::FlameGraph::findWanted, this, [this](NodeId node) {
        const auto& tree = m_maker.tree();
        if (tree && m_maker.traceOf() == m_view.trace()) {
            m_view.highlightName(tree->node(node).name);
            goTo(tree->node(node).longest);
        }
    });
}

void CallTreePanel::connectRows() {
    const auto [names, callers, callees] = m_around->rows();
    for (CallRows* rows : {&m_topDown, &m_bottomUp, names, callers, callees}) {
        connect(rows, &CallRows::currentChanged, this, &CallTreePanel::tellState);
        connect(rows, &CallRows::longestWanted, this, &CallTreePanel::goTo);
        connect(rows, &CallRows::callersWanted, this, &CallTreePanel::focusOn);
    }
    connect(m_around, &CallersView::nameChosen, this, [this](NameId name) {
        if (name != m_focus) {
            m_focus = name;
            makeViews();
        }
    });
}

CallRows* CallTreePanel::rowsInFront() {
    switch (m_bar->shown()) {
        case CallTreeBar::TopDown:
            return &m_topDown;
        case CallTreeBar::BottomUp:
            return &m_bottomUp;
        case CallTreeBar::CallersAndCallees:
            return &m_around->names();
        case CallTreeBar::Flames:
            break;
    }
    return nullptr;
}

// A trace without GPU work has CPU time alone.
void CallTreePanel::takeTrace() {
    m_focus.reset();
    const bool hasGpu = m_view.trace() && !m_view.trace()->gpuOperations().empty();
    const Weight weight =
        m_wantsGpu && (hasGpu || !m_view.trace()) ? Weight::GpuTime : Weight::CpuTime;
    if (weight != m_bar->weight()) {
        m_bar->setWeight(weight);
        remake();
    }
}

void CallTreePanel::remake() {
    m_maker.make(m_bar->frames(), m_bar->weight());
}

void CallTreePanel::showTree() {
    const auto& tree = m_maker.tree();
    m_flames->setTree(tree ? m_maker.traceOf() : nullptr, tree, m_maker.widths());
    showTopDown();
    searchFocus();
    makeViews();
    tellState();
}

// Its rows are sorted here, so only when it is in front, or written to a file.
void CallTreePanel::showTopDown() {
    if (!m_maker.tree() || m_bar->shown() == CallTreeBar::TopDown) {
        fillTopDown();
    }
}

void CallTreePanel::fillTopDown() {
    const auto& tree = m_maker.tree();
    m_topDown.show(m_maker.traceOf(), tree, tree ? tree->root().total : 0);
}

// Only what is in front, and that beside the window.
void CallTreePanel::makeViews() {
    if (m_bar->shown() == CallTreeBar::BottomUp) {
        m_maker.want(TreeView::BottomUp, m_focus);
    } else if (m_bar->shown() == CallTreeBar::CallersAndCallees) {
        m_maker.want(TreeView::Callers, m_focus);
    }
}

void CallTreePanel::showViews() {
    const TreeViews& views = m_maker.views();
    m_bottomUp.show(m_maker.traceOf(), views.bottomUp, views.of ? views.of->root().total : 0);
    m_around->show(m_maker.traceOf(), views);
    tellState();
}

void CallTreePanel::setFilter(const QString& text) {
    m_flames->setSearch(text);
    for (CallRows* rows : {&m_topDown, &m_bottomUp, &m_around->names()}) {
        rows->view().setFilter(text);
    }
    tellEmpty();
}

void CallTreePanel::focusOn(NameId name) {
    m_focus = name;
    m_searched = Searched::NotYet;
    searchFocus();
    m_bar->setShown(CallTreeBar::CallersAndCallees);
    makeViews();
}

// A name may be no frame of this tree: then all frames are, then the other time is shown.
void CallTreePanel::searchFocus() {
    const auto& tree = m_maker.tree();
    if (!m_focus || !tree) {
        return;
    }
    const NameId name = tree->nameIn(*m_focus);
    m_focus = name;
    const bool isThere = std::ranges::any_of(
        tree->nodes().subspan(1), [&](const CallNode& node) { return node.name == name; });
    if (isThere) {
        m_searched = Searched::Everywhere;
    } else if (m_searched == Searched::NotYet && m_bar->frames() != Frames::All) {
        m_searched = Searched::AmongAllFrames;
        m_bar->setFrames(Frames::All);
        remake();
    } else if (m_searched != Searched::Everywhere) {
        m_searched = Searched::Everywhere;
        m_bar->setWeight(m_bar->weight() == Weight::GpuTime ? Weight::CpuTime : Weight::GpuTime);
        remake();
    }
}

void CallTreePanel::goTo(trace::SliceId slice) {
    if (slice != trace::kNoSlice && m_maker.traceOf() == m_view.trace()) {
        m_view.select(slice);
        m_view.reveal(slice);
    }
}

QString CallTreePanel::describe(const CallNode& node) const {
    const auto& tree = m_maker.tree();
    const auto share = [&](TimeNs part) {
        return QString::fromStdString(text::formatPercent(static_cast<double>(part),
                                                          static_cast<double>(tree->root().total)));
    };
    return tr("%1 · total %2 (%3) · self %4 · %5")
        .arg(style::shownText(tree->text(*m_maker.traceOf(), node.name), kMaxNameLength),
             duration(node.total), share(node.total), duration(node.self),
             node.count == 1 ? tr("1 call") : tr("%1 calls").arg(count(node.count)));
}

QString CallTreePanel::describeTree() {
    CallRows* rows = rowsInFront();
    const bool isCut = rows != nullptr && rows->model().tree() && rows->model().tree()->isCut();
    const std::size_t frames = m_maker.tree()->nodes().size() - 1;
    return tr("%1 · %2%3")
        .arg(frames == 1 ? tr("1 frame") : tr("%1 frames").arg(count(frames)),
             duration(m_maker.tree()->root().total),
             isCut ? tr(" · the longest caller chains are truncated") : QString());
}

void CallTreePanel::tellState() {
    tellEmpty();
    const auto& tree = m_maker.tree();
    if (m_maker.busy()) {
        m_bar->setState(tr("merging calls…"));
    } else if (!tree || tree->empty()) {
        m_bar->setState({});
    } else if (m_bar->shown() == CallTreeBar::Flames && m_flames->selected() != kRoot) {
        m_bar->setState(describe(tree->node(m_flames->selected())));
    } else {
        m_bar->setState(describeTree());
    }
}

void CallTreePanel::tellEmpty() {
    const auto& tree = m_maker.tree();
    QString text;
    if (!m_view.trace()) {
        text = tr("Open a trace to see its call tree.");
    } else if (!m_maker.error().isEmpty()) {
        text = m_maker.error();
    } else if (tree && tree->empty()) {
        text = m_bar->weight() == Weight::GpuTime ? tr("No GPU work in this window.")
                                                  : tr("No frames of this kind in this window.");
    } else if (tree && !m_bar->filter().isEmpty()) {
        text = tr("No name contains this text.");
    }
    m_flames->setEmptyText(text);
    for (CallRows* rows : {&m_topDown, &m_bottomUp, &m_around->names()}) {
        rows->view().setEmptyText(text);
    }
}

}  // namespace kinetoscope::panels
