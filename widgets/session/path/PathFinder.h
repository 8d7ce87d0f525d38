// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "core/path/Contributors.h"
#include "core/path/Paths.h"
#include "widgets/session/LatestTask.h"
#include "widgets/session/path/SharedGraph.h"

namespace kinetoscope::session {

class ViewState;

/// A what-if as it was written, and whether it counts among those that are tried together.
struct WhatIf {
    QString text;
    bool ticked = true;
    /// Of the shown graph: the effect of a change that has no text; then `text` is its name alone.
    std::shared_ptr<const std::vector<path::NodeChange>> nodes = nullptr;

    friend bool operator==(const WhatIf&, const WhatIf&) = default;
};

/// The length of the step after a what-if, or why it is not one.
struct WhatIfAnswer {
    std::optional<TimeNs> lengthNs;
    std::vector<path::Part> parts;  ///< of what is critical then
    QString error;
    bool matches = true;  ///< anything in the step
};

/// What of a step no what-if changes.
struct FoundStep {
    explicit FoundStep(path::Paths of) : paths(std::move(of)) {}

    path::Paths paths;
    path::StepPath path;
    std::vector<TimeNs> slack;  ///< by node from the first on that begins inside of the step
    path::ContributorRows rows;
};

/// The critical path of one step, and what its what-ifs come to.
struct ShownPath {
    std::shared_ptr<const trace::Trace> trace;
    std::shared_ptr<const path::Graph> graph;  ///< of that trace
    std::size_t step = 0;                      ///< row of Graph::steps
    std::shared_ptr<const FoundStep> found;
    std::vector<WhatIfAnswer> answers;          ///< by what-if, each alone
    std::optional<path::ChangedStep> together;  ///< of those that are ticked

    /// How much later an operation or call could have ended without ending the step later; nothing
    /// for what is neither, or not of the step.
    [[nodiscard]] std::optional<TimeNs> slackOf(trace::SliceId slice) const;
};

/// Finds the critical path of the shown trace on a worker, once for all: the panel, the line over
/// the timeline, Details. GUI thread.
class PathFinder final : public QObject {
    Q_OBJECT

public:
    /// The one of this view, which owns it.
    [[nodiscard]] static PathFinder& of(ViewState& view);
    ~PathFinder() override;

    /// Whether it is shown; nothing is computed while it is not.
    void setWanted(bool wanted);
    /// Of the shown trace; null before it is made and when that failed.
    [[nodiscard]] const std::shared_ptr<const path::Graph>& graph() const { return m_graph; }
    void chooseStep(std::size_t step);
    [[nodiscard]] std::size_t step() const { return m_step; }
    /// Shows the step that this time of the trace lies in, immediately or when the graph is ready.
    void chooseStepAt(TimeNs time);
    void setWhatIfs(std::vector<WhatIf> whatIfs);
    /// Adds it, replacing others without a text, as the only one that is ticked.
    void tryAlone(WhatIf whatIf);
    [[nodiscard]] const std::vector<WhatIf>& whatIfs() const { return m_whatIfs; }
    /// Null before it is found and when that failed.
    [[nodiscard]] const std::shared_ptr<const ShownPath>& shown() const { return m_shown; }
    [[nodiscard]] const QString& error() const { return m_error; }
    [[nodiscard]] bool busy() const { return m_graphTask.busy() || m_pathTask.busy(); }
    /// Whether the path is a line over the timeline: while it is shown and enabled.
    [[nodiscard]] bool isDrawn() const { return m_drawn && m_wanted; }
    /// For others who need it.
    [[nodiscard]] const std::shared_ptr<SharedGraph>& graphs() const { return m_graphs; }
    void setDrawn(bool drawn);

signals:
    /// graph(), shown() or error().
    void changed();
    void drawnChanged();

private:
    using SharedPath = std::shared_ptr<const ShownPath>;

    explicit PathFinder(ViewState& view);
    void restart();
    void takeGraph(const Result<SharedGraph::Graph>& graph);
    void findPath();
    void followWindow();
    void chooseWaitingStep();
    void dropWhatIfsOfNodes();

    ViewState& m_view;
    bool m_wanted = false;
    bool m_drawn = true;
    std::shared_ptr<const trace::Trace> m_trace;  ///< of m_graph, or of what is being made
    std::shared_ptr<SharedGraph> m_graphs;
    SharedGraph::Graph m_graph;
    std::size_t m_step = 0;
    std::optional<TimeNs> m_stepAt;  ///< to be chosen when the graph is there
    std::vector<WhatIf> m_whatIfs;
    SharedPath m_shown;
    QString m_error;
    LatestTask<SharedGraph::Graph> m_graphTask;
    LatestTask<SharedPath> m_pathTask;
};

}  // namespace kinetoscope::session
