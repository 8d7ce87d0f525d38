// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <limits>
#include <map>
#include <set>
#include <stop_token>
#include <utility>
#include <vector>

#include "core/trace/Trace.h"

namespace kinetoscope::path {

/// Which calls of a thread are wanted.
enum class CallsOf : std::uint8_t {
    Work,       ///< operators and API calls, else annotations and Python functions; never steps
    Operators,  ///< operators alone
    Modules,    ///< Python's "nn.Module: …" alone
};

/// The threads and times of a trace that are asked about.
struct WantedCalls {
    std::set<trace::TrackId> tracks = {};
    TimeSpan within{std::numeric_limits<TimeNs>::max(), std::numeric_limits<TimeNs>::min()};

    void add(trace::TrackId track, TimeSpan span) {
        tracks.insert(track);
        within.start = std::min(within.start, span.start);
        within.end = std::max(within.end, span.end);
    }
};

/// What threads were in at any time: the innermost slice of that kind.
class InnermostCalls {
public:
    InnermostCalls(const trace::Trace& trace, const WantedCalls& wanted,
                   const std::stop_token& stop, CallsOf of);

    /// kNoSlice where there is nothing.
    [[nodiscard]] trace::SliceId at(trace::TrackId track, TimeNs time) const {
        trace::SliceId found = trace::kNoSlice;
        each(track, {time, time + 1}, [&](trace::SliceId slice, TimeSpan part) {
            found = part.start == time ? slice : found;
        });
        return found;
    }

    /// The span cut where that changes: `take(slice, part)` with kNoSlice where there is nothing.
    template <class Take>
    void each(trace::TrackId track, TimeSpan span, Take take) const;

private:
    using Changes = std::vector<std::pair<TimeNs, trace::SliceId>>;
    void addTrack(std::vector<trace::SliceId>& slices, Changes& changes) const;

    const trace::Trace& m_trace;
    std::map<trace::TrackId, Changes> m_changes;
};

template <class Take>
void InnermostCalls::each(trace::TrackId track, TimeSpan span, Take take) const {
    const auto found = m_changes.find(track);
    if (found == m_changes.end()) {
        take(trace::kNoSlice, span);
        return;
    }
    const Changes& changes = found->second;
    auto next = std::ranges::upper_bound(changes, span.start, {},
                                         [](const auto& change) { return change.first; });
    trace::SliceId now = next == changes.begin() ? trace::kNoSlice : std::prev(next)->second;
    for (TimeNs from = span.start; from < span.end;) {
        const TimeNs to = next == changes.end() ? span.end : std::min(span.end, next->first);
        if (to > from) {
            take(now, TimeSpan{from, to});
        }
        from = to;
        if (next != changes.end()) {
            now = next->second;
            ++next;
        }
    }
}

}  // namespace kinetoscope::path
