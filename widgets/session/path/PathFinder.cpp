// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/session/path/PathFinder.h"

#include <algorithm>

#include "core/base/Threads.h"
#include "widgets/session/ViewState.h"

namespace kinetoscope::session {

namespace {

/// The worker's input.
struct Question {
    std::shared_ptr<const trace::Trace> trace;
    std::shared_ptr<const path::Graph> graph;
    std::size_t step = 0;
    std::vector<WhatIf> whatIfs;
    std::shared_ptr<const FoundStep> found;  ///< null: not yet, or another step
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

// Also what no what-if changes.
std::shared_ptr<const FoundStep> findStep(const Question& question, path::Paths paths,
                                          const std::stop_token& stop) {
    const path::Graph& graph = *question.graph;
    auto found = std::make_shared<FoundStep>(std::move(paths));
    found->path = found->paths.recorded(question.step);
    found->slack =
        path::slackOf(graph, graph.steps[question.step], found->paths.window(question.step));
    found->rows = path::contributorsOf(graph, found->paths.names(), found->path.pieces, stop);
    return found;
}

Result<void> answerWhatIfs(const Question& question, const std::stop_token& stop,
                           ShownPath& shown) {
    const path::Paths& paths = shown.found->paths;
    std::vector<path::Change> changes;
    std::vector<std::size_t> rows;
    shown.answers.resize(question.whatIfs.size());
    for (std::size_t i = 0; i < question.whatIfs.size(); ++i) {
        auto change = changeOf(question.whatIfs[i]);
        if (change) {
            rows.push_back(i);
            changes.push_back(std::move(*change));
        } else {
            shown.answers[i].error = QString::fromStdString(change.error().message);
        }
    }
    const auto scalers = paths.prepare(changes, stop);
    if (!scalers) {
        return tl::unexpected(scalers.error());
    }
    std::vector<const path::Scaler*> together;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        throwIfStopped(stop);
        const path::Scaler* scaler = &(*scalers)[i];
        path::ChangedStep changed = paths.after(question.step, {scaler});
        shown.answers[rows[i]].lengthNs = changed.lengthNs;
        shown.answers[rows[i]].parts = std::move(changed.parts);
        shown.answers[rows[i]].matches = changed.matches;
        if (question.whatIfs[rows[i]].ticked) {
            together.push_back(scaler);
        }
    }
    if (!together.empty()) {
        shown.together = paths.after(question.step, together);
    }
    return {};
}

Result<std::shared_ptr<const ShownPath>> answer(const Question& question,
                                                const std::stop_token& stop) {
    auto shown = std::make_shared<ShownPath>();
    shown->trace = question.trace;
    shown->graph = question.graph;
    shown->step = question.step;
    shown->found = question.found;
    if (!shown->found) {
        auto paths = path::Paths::of(*question.graph, {question.step}, stop);
        if (!paths) {
            return tl::unexpected(paths.error());
        }
        shown->found = findStep(question, std::move(*paths), stop);
    }
    if (auto done = answerWhatIfs(question, stop, *shown); !done) {
        return tl::unexpected(done.error());
    }
    return shown;
}

}  // namespace

std::optional<TimeNs> ShownPath::slackOf(trace::SliceId slice) const {
    const path::Window& window = found->paths.window(step);
    const auto nodes = std::span(graph->nodes).subspan(window.begin, window.end - window.begin);
    // A call that launches and waits has two nodes; its end is the last one's.
    const auto last = std::ranges::find(nodes.rbegin(), nodes.rend(), slice, &path::Node::slice);
    return slice == trace::kNoSlice || last == nodes.rend()
               ? std::nullopt
               : std::optional(found->slack[static_cast<std::size_t>(nodes.rend() - last) - 1]);
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
        // It is made again when it is shown.
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
        const bool isSame = m_shown && m_shown->graph == m_graph && m_shown->step == m_step;
        m_pathTask.start([question = Question{m_trace, m_graph, m_step, m_whatIfs,
                                              isSame ? m_shown->found : nullptr}](
                             const std::stop_token& stop) { return answer(question, stop); });
    }
    emit changed();
}

}  // namespace kinetoscope::session
