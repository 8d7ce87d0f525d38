// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "core/advise/Finding.h"
#include "core/analysis/IdleList.h"
#include "core/analysis/KernelNames.h"
#include "core/analysis/WindowScope.h"
#include "core/base/Result.h"
#include "core/model/LaunchedCalls.h"
#include "core/path/Launches.h"

namespace kinetoscope::advise {

/// What all rules look at, made once.
class Material {
public:
    /// `calls`: the work of all calls of the trace, found with the links of the tables.
    Material(const path::Graph& graph, const path::Tables& tables,
             const Result<model::LaunchedCalls>& calls, std::stop_token stop);

    [[nodiscard]] const trace::Trace& trace() const { return m_tables.trace; }
    [[nodiscard]] const path::Graph& graph() const { return m_graph; }
    [[nodiscard]] const query::GpuTimeline& timeline() const { return m_tables.timeline; }
    [[nodiscard]] const query::LaunchLinks& links() const { return m_tables.links; }
    [[nodiscard]] const analysis::KernelNames& names() const { return m_names; }
    [[nodiscard]] const std::stop_token& stop() const { return m_stop; }

    [[nodiscard]] trace::SliceId sliceOf(trace::GpuOpId operation) const {
        return m_tables.sliceOf(operation);
    }
    [[nodiscard]] path::NodeId nodeOf(trace::GpuOpId operation) const {
        return m_nodeOf[operation];
    }
    /// Of the slice of an operation.
    [[nodiscard]] trace::GpuOpId operationOf(trace::SliceId slice) const;

    [[nodiscard]] std::size_t steps() const { return m_graph.steps.size(); }
    /// Whether they were marked; else all of the trace is one.
    [[nodiscard]] bool hasSteps() const { return !m_tables.steps.empty(); }
    /// "a step" or "per step" behind a figure; nothing where all of the trace is one.
    [[nodiscard]] std::string each(std::string_view words) const {
        return hasSteps() ? " " + std::string(words) : std::string();
    }
    /// The window of what is about all steps.
    [[nodiscard]] std::string allSteps() const { return hasSteps() ? "all steps" : "whole trace"; }
    /// Row of Graph::steps in which the time lies, the last of several.
    [[nodiscard]] std::optional<std::size_t> stepAt(TimeNs time) const;
    /// In which the operation was launched; if the trace does not record that, in which it started.
    [[nodiscard]] std::optional<std::size_t> stepOf(trace::GpuOpId operation) const {
        return stepAt(m_tables.launched(operation));
    }

    /// Or why it is unknown.
    [[nodiscard]] const Result<model::LaunchedCalls>& calls() const { return m_calls; }

private:
    const path::Graph& m_graph;
    const path::Tables& m_tables;
    const Result<model::LaunchedCalls>& m_calls;
    std::stop_token m_stop;
    analysis::KernelNames m_names;
    std::vector<path::NodeId> m_nodeOf;  ///< by operation
};

/// A kernel's name as a title has it.
[[nodiscard]] std::string labelOf(std::string_view kernel);
/// A slice to go to.
[[nodiscard]] FindingEvent eventOf(const trace::Trace& trace, trace::SliceId slice);
/// The longest of them, at most kMaxEvents.
[[nodiscard]] std::vector<FindingEvent> longestEvents(const trace::Trace& trace,
                                                      std::vector<trace::SliceId> slices);
/// By node, each once: of several changes of one the last.
void sortChanges(std::vector<NodeChange>& changes);

}  // namespace kinetoscope::advise
