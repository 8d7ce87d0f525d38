// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/session/path/PathFinder.h"

#include <algorithm>

#include "widgets/session/ViewState.h"

namespace kinetoscope::session {

namespace {

/// What is asked of a worker.
struct Question {
    std::shared_ptr<const trace::Trace> trace;
    std::shared_ptr<const path::Graph> graph;
    std::size_t step = 0;
    std::vector<WhatIf> whatIfs;
};

Result<path::Change> changeOf(const WhatIf& whatIf) {
    if (!whatIf.nodes) {
        return path::parseChange(whatIf.text.trimmed().toStdString());
    }
    path::Change change;
    change.kind = path::ChangeKind::Nodes;
    change.text = whatIf.text.toStdString();
    change.nodes = *whatIf.nodes;
    return change;
}

Result<void> answerWhatIfs(const Question& question, const std::stop_token& stop,
                           ShownPath& shown) {
    const path::Graph& graph = *question.graph;
    path::PathOptions alone{.row = question.step, .stop = stop};
    path::PathOptions together{.row = question.step, .stop = stop};
    std::vector<std::size_t> rows;
    shown.answers.resize(question.whatIfs.size());
    for (std::size_t i = 0; i < question.whatIfs.size(); ++i) {
        auto change = changeOf(question.whatIfs[i]);
        if (!change) {
            shown.answers[i].error = QString::fromStdString(change.error().message);
            continue;
        }
        rows.push_back(i);
        if (question.whatIfs[i].ticked) {
            together.changes.push_back(*change);
        }
        alone.changes.push_back(std::move(*change));
    }
    const auto each = path::findPaths(graph, alone);
    if (!each) {
        return tl::unexpected(each.error());
    }
    shown.path = each->front();
    for (std::size_t i = 0; i < rows.size(); ++i) {
        shown.answers[rows[i]].lengthNs = shown.path.changed[i].lengthNs;
        shown.answers[rows[i]].parts = shown.path.changed[i].parts;
        shown.answers[rows[i]].matches = shown.path.changed[i].matches;
    }
    if (!together.changes.empty()) {
        const auto all = path::findPaths(graph, together);
        if (!all) {
            return tl::unexpected(all.error());
        }
        shown.together = all->front().changed.back();
    }
    return {};
}

Result<std::shared_ptr<const ShownPath>> answer(const Question& question,
                                                const std::stop_token& stop) {
    const path::Graph& graph = *question.graph;
    auto shown = std::make_shared<ShownPath>();
    shown->trace = question.trace;
    shown->graph = question.graph;
    shown->step = question.step;
    if (auto done = answerWhatIfs(question, stop, *shown); !done) {
        return tl::unexpected(done.error());
    }
    auto windows = path::windowsOf(graph);
    if (!windows) {
        return tl::unexpected(windows.error());
    }
    shown->window = std::move((*windows)[question.step]);
    shown->slack = path::slackOf(graph, graph.steps[question.step], shown->window);
    shown->rows = path::contributorsOf(graph, shown->path.pieces, stop);
    return shown;
}

}  // namespace

std::optional<TimeNs> ShownPath::slackOf(trace::SliceId slice) const {
    const auto nodes = std::span(graph->nodes).subspan(window.begin, window.end - window.begin);
    // A call that launches and waits has two nodes; its end is the last one's.
    const auto found = std::ranges::find(nodes.rbegin(), nodes.rend(), slice, &path::Node::slice);
    return slice == trace::kNoSlice || found == nodes.rend()
               ? std::nullopt
               : std::optional(slack[static_cast<std::size_t>(nodes.rend() - found) - 1]);
}

PathFinder& PathFinder::of(ViewState& view) {
    auto* known = view.findChild<PathFinder*>(QString(), Qt::FindDirectChildrenOnly);
    return known != nullptr ? *known : *new PathFinder(view);
}

PathFinder::PathFinder(ViewState& view)
    : QObject(&view),
      m_view(view),
      m_graphs(std::make_shared<SharedGraph>()),
      m_whatIfs{{QStringLiteral("host=0"), false},
                {QStringLiteral("comm=0"), false},
                {QStringLiteral("roof"), false}},
      m_graphTask([this](const Result<SharedGraph::Graph>& graph) { takeGraph(graph); }),
      m_pathTask([this](const Result<SharedPath>& path) {
          m_shown = path ? *path : nullptr;
          m_error = path ? QString() : QString::fromStdString(path.error().message);
          emit changed();
      }) {
    const auto takeTrace = [this] {
        m_stepAt.reset();
        dropWhatIfsOfNodes();
        restart();
        followWindow();
    };
    connect(&view, &ViewState::traceChanged, this, takeTrace);
    connect(&view, &ViewState::traceGrown, this, takeTrace);
    connect(&view, &ViewState::windowChanged, this, &PathFinder::followWindow);
}

PathFinder::~PathFinder() = default;

void PathFinder::setWanted(bool wanted) {
    if (m_wanted == wanted) {
        return;
    }
    m_wanted = wanted;
    emit drawnChanged();
    if (wanted && m_trace != m_view.trace()) {
        restart();
    } else if (!wanted && busy()) {
        // It is made again when somebody looks.
        m_graphTask.cancel();
        m_pathTask.cancel();
        m_trace.reset();
        emit changed();
    }
}

void PathFinder::restart() {
    m_graphTask.cancel();
    m_pathTask.cancel();
    m_trace.reset();
    m_graph.reset();
    m_shown.reset();
    m_error.clear();
    m_step = 0;
    const auto& trace = m_view.trace();
    if (m_wanted && trace && trace->isComplete()) {
        m_trace = trace;
        m_graphTask.start([trace, graphs = m_graphs](const std::stop_token& stop) {
            return graphs->of(trace, stop);
        });
    }
    emit changed();
}

void PathFinder::takeGraph(const Result<SharedGraph::Graph>& graph) {
    m_graph = graph ? *graph : nullptr;
    m_error = graph ? QString() : QString::fromStdString(graph.error().message);
    chooseWaitingStep();
    findPath();
}

void PathFinder::chooseWaitingStep() {
    if (!m_graph || !m_stepAt) {
        return;
    }
    const auto& steps = m_graph->steps;
    const auto after = std::ranges::upper_bound(
        steps, *m_stepAt, {}, [](const path::GraphStep& step) { return step.span.start; });
    m_step = after == steps.begin() ? 0 : static_cast<std::size_t>(after - steps.begin()) - 1;
    m_stepAt.reset();
}

void PathFinder::chooseStepAt(TimeNs time) {
    const std::size_t before = m_step;
    m_stepAt = time;
    chooseWaitingStep();
    if (m_step != before) {
        findPath();
    }
}

// A step that is chosen elsewhere is the one whose path is shown.
void PathFinder::followWindow() {
    if (m_view.window().kind == analysis::WindowKind::Step) {
        if (const auto span = m_view.selectedRange()) {
            chooseStepAt(span->start);
        }
    }
}

void PathFinder::chooseStep(std::size_t step) {
    if (step != m_step && m_graph && step < m_graph->steps.size()) {
        m_step = step;
        findPath();
    }
}

void PathFinder::setWhatIfs(std::vector<WhatIf> whatIfs) {
    if (whatIfs != m_whatIfs) {
        m_whatIfs = std::move(whatIfs);
        findPath();
    }
}

void PathFinder::tryAlone(WhatIf whatIf) {
    auto whatIfs = m_whatIfs;
    std::erase_if(whatIfs, [](const WhatIf& known) { return known.nodes != nullptr; });
    for (WhatIf& other : whatIfs) {
        other.ticked = false;
    }
    whatIf.ticked = true;
    whatIfs.push_back(std::move(whatIf));
    setWhatIfs(std::move(whatIfs));
}

// Another graph has other nodes.
void PathFinder::dropWhatIfsOfNodes() {
    std::erase_if(m_whatIfs, [](const WhatIf& known) { return known.nodes != nullptr; });
}

void PathFinder::setDrawn(bool drawn) {
    if (drawn != m_drawn) {
        m_drawn = drawn;
        emit drawnChanged();
    }
}

void PathFinder::findPath() {
    if (m_graph && m_step < m_graph->steps.size()) {
        m_pathTask.start([question = Question{m_trace, m_graph, m_step, m_whatIfs}](
                             const std::stop_token& stop) { return answer(question, stop); });
    }
    emit changed();
}

}  // namespace kinetoscope::session
