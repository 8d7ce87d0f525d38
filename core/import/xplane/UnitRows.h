// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/import/xplane/Space.h"
#include "core/trace/ImportIssues.h"
#include "core/trace/TraceBuilder.h"

namespace kinetoscope::import::xplane {

inline constexpr std::uint32_t kLineEvent = 4;  // XLine.events

/// One event of a line, not yet placed in time.
struct Event {
    std::uint64_t metadata = 0;  ///< id of its EventName
    std::int64_t offsetPs = 0;   ///< from the line's start
    std::int64_t durationPs = 0;
    bool aggregated = false;  ///< a number of occurrences in place of a time
    std::int64_t correlation = trace::kNoId;
    std::optional<std::int64_t> step;
    std::optional<std::int64_t> graph;
    std::optional<double> counter;
    StatKind details = StatKind::Other;  ///< which of the details it has
    LaunchDetails launch;
};

/// Gives a process the label and the place of a GPU.
void asGpu(trace::TraceBuilder& builder, trace::Process& process, std::int64_t gpu);

/// False if the message is damaged.
[[nodiscard]] bool readEvent(const Plane& plane, std::string_view message, Event& event);

/// "train#3": steps have numbers.
[[nodiscard]] std::string stepName(std::string_view name, std::int64_t number);

/// How the event appears in a trace.
[[nodiscard]] trace::CategoryId categoryOf(const Plane& plane, const Line& line, const Event& event,
                                           std::string_view name);

/// Whether it is a moment in which memory was taken or given back.
[[nodiscard]] MemoryChange memoryChange(const Line& line, const EventName* name);

/// The event's time, rounded down at both ends, so that what is nested stays so. Nothing for times
/// that no trace has.
[[nodiscard]] std::optional<TimeSpan> spanOf(const Line& line, TimeNs base, const Event& event);

[[nodiscard]] trace::GpuOperation operationOf(const Plane& plane, const Line& line,
                                              const Event& event);

/// The rows that the events of a unit become, with the final ids of names and tracks.
class UnitRows {
public:
    /// `text`: the whole file, of which the unit is a part.
    void read(const Space& space, const Unit& unit, TimeNs base, std::string_view text);
    /// Adds them to the trace and is empty then.
    void moveTo(trace::TraceBuilder& builder, trace::IssueCounter& issues);

    [[nodiscard]] std::uint64_t skipped() const { return m_skipped; }
    [[nodiscard]] std::uint64_t aggregated() const { return m_aggregated; }

private:
    void clear();
    void add(const Plane& plane, const Line& line, const Event& event, std::uint64_t offset);
    void skip(trace::Issue issue, std::uint64_t offset, const Plane& plane, const Event& event);

    TimeNs m_base = 0;
    std::vector<trace::SliceInput> m_slices;
    std::vector<trace::GpuOperation> m_operations;  // slices counted from 0
    std::vector<trace::CounterSample> m_samples;
    std::vector<trace::Instant> m_instants;
    std::vector<std::pair<std::uint32_t, std::int64_t>> m_steps;  // slice, number
    trace::IssueCounter m_issues;
    std::uint64_t m_skipped = 0;
    std::uint64_t m_aggregated = 0;
};

}  // namespace kinetoscope::import::xplane
