// SPDX-License-Identifier: Apache-2.0
// What rules do to threads.
#pragma once

#include <map>
#include <span>
#include <string_view>
#include <vector>

#include "core/advise/Material.h"
#include "core/query/Intervals.h"

namespace kinetoscope::advise {

/// Pieces of a thread between two calls from this length on are something of their own, not what
/// it costs to launch.
inline constexpr TimeNs kLongPieceNs = 1'000'000;

/// Times of threads.
using ThreadSpans = std::map<trace::TrackId, std::vector<TimeSpan>>;

enum class Waits : bool { Kept, Dropped };

/// The threads spend no time in these spans, which may overlap, and do not wait for anything there
/// either where waits are dropped.
void dropHostTime(const path::Graph& graph, ThreadSpans&& spans, Waits waits,
                  std::vector<NodeChange>& changes);

/// The operation is not there, nor are its call and what its thread did from the call before on;
/// of operations that share their call only they themselves.
void dropLaunch(const Material& material, trace::GpuOpId operation,
                std::vector<NodeChange>& changes);

/// Which names of a trace are meant, each asked once.
class NameSet {
public:
    using IsMeant = bool (*)(std::string_view name);
    NameSet(const trace::Trace& trace, IsMeant isMeant)
        : m_trace(trace), m_isMeant(isMeant), m_known(trace.names().size(), -1) {}

    [[nodiscard]] bool has(NameId name) {
        signed char& known = m_known[name];
        if (known < 0) {
            known = static_cast<signed char>(m_isMeant(m_trace.text(name)));
        }
        return known == 1;
    }

private:
    const trace::Trace& m_trace;
    IsMeant m_isMeant;
    std::vector<signed char> m_known;  ///< by name; -1: not asked yet
};

enum class AroundKind : unsigned char { Operator, PythonLine };
/// The innermost of that kind around each slice; kNoSlice without any. Python lines are those of
/// the program, where it has some around.
[[nodiscard]] std::vector<trace::SliceId> innermostAround(const trace::Trace& trace,
                                                          std::span<const trace::SliceId> slices,
                                                          AroundKind kind);

/// Whether the trace has calls of the CUDA or HIP API.
[[nodiscard]] bool hasApiCalls(const trace::Trace& trace);
inline constexpr std::string_view kNoApiCalls =
    "the trace has no calls of the CUDA API; record the host too (ProfilerActivity.CPU)";
/// Whether the trace has operators of the framework.
[[nodiscard]] bool hasOperators(const trace::Trace& trace);
inline constexpr std::string_view kNoOperators =
    "the trace has no operators of PyTorch; record them too (ProfilerActivity.CPU)";

}  // namespace kinetoscope::advise
