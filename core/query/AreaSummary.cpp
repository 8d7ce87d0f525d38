// SPDX-License-Identifier: Apache-2.0
#include "core/query/AreaSummary.h"

#include <algorithm>
#include <atomic>
#include <limits>
#include <mutex>
#include <thread>

#include "core/base/Threads.h"

namespace kinetoscope::query {

namespace {

using trace::SliceId;

constexpr std::size_t kPiece = 65'536;  // slices between two looks at the stop token
/// Each thread sums up in rows of its own; beyond so many one thread does it all.
constexpr std::size_t kMaxRowsOfThreads = 1'000'000;

void add(AreaRow& row, SliceId slice, TimeNs time) {
    ++row.count;
    row.timeNs = addTime(row.timeNs, time);
    const bool isFirst = row.longest == trace::kNoSlice;
    if (isFirst || time > row.longestNs || (time == row.longestNs && slice < row.longest)) {
        row.longest = slice;
        row.longestNs = time;
    }
}

void merge(AreaRow& into, const AreaRow& from) {
    if (from.count == 0) {
        return;
    }
    const std::uint64_t count = into.count + from.count;
    const TimeNs time = addTime(into.timeNs, from.timeNs);
    add(into, from.longest, from.longestNs);
    into.count = count;
    into.timeNs = time;
}

/// A row for every key there can be.
struct Rows {
    explicit Rows(const trace::Trace& trace)
        : names(trace.names().size()),
          categories(std::size_t{std::numeric_limits<trace::CategoryId>::max()} + 1),
          tracks(trace.tracks().size()) {}

    void merge(const Rows& other) {
        const auto each = [](std::vector<AreaRow>& into, const std::vector<AreaRow>& from) {
            for (std::size_t row = 0; row < into.size(); ++row) {
                query::merge(into[row], from[row]);
            }
        };
        each(names, other.names);
        each(categories, other.categories);
        each(tracks, other.tracks);
    }

    std::vector<AreaRow> names;
    std::vector<AreaRow> categories;
    std::vector<AreaRow> tracks;
};

class Area {
public:
    Area(const trace::Trace& trace, const AreaOptions& options)
        : m_trace(trace), m_span(options.span), m_chosen(trace.tracks().size(), 1) {
        if (!options.tracks.empty()) {
            std::ranges::fill(m_chosen, 0);
            for (const trace::TrackId track : options.tracks) {
                if (track < m_chosen.size()) {
                    m_chosen[track] = 1;
                }
            }
        }
    }

    void sumUp(SliceId begin, SliceId end, Rows& rows) const {
        for (SliceId slice = begin; slice < end; ++slice) {
            if (m_trace.start(slice) >= m_span.end || m_chosen[m_trace.trackOf(slice)] == 0) {
                continue;
            }
            const TimeSpan span = m_trace.span(slice);
            if (m_span.overlaps(span)) {
                const TimeNs time = m_span.clip(span).duration();
                add(rows.names[m_trace.nameId(slice)], slice, time);
                add(rows.categories[m_trace.categoryId(slice)], slice, time);
                add(rows.tracks[m_trace.trackOf(slice)], slice, time);
            }
        }
    }

private:
    const trace::Trace& m_trace;
    TimeSpan m_span;
    std::vector<std::uint8_t> m_chosen;  ///< by track
};

unsigned threadsFor(const trace::Trace& trace, unsigned wanted) {
    const unsigned all = std::max(1U, wanted > 0 ? wanted : std::thread::hardware_concurrency());
    const std::size_t rows = trace.names().size() + trace.tracks().size();
    const std::size_t pieces = trace.sliceCount() / kPiece + 1;
    return rows > kMaxRowsOfThreads ? 1 : static_cast<unsigned>(std::min<std::size_t>(all, pieces));
}

Rows sumUp(const trace::Trace& trace, const AreaOptions& options) {
    const Area area(trace, options);
    Rows all(trace);
    std::atomic<std::size_t> next{0};
    std::mutex mutex;
    const auto count = trace.sliceCount();
    runOnThreads(threadsFor(trace, options.threads), [&] {
        Rows own(trace);
        for (std::size_t begin = next.fetch_add(kPiece); begin < count;
             begin = next.fetch_add(kPiece)) {
            throwIfStopped(options.stop);
            area.sumUp(static_cast<SliceId>(begin),
                       static_cast<SliceId>(std::min(begin + kPiece, count)), own);
        }
        const std::lock_guard lock(mutex);
        all.merge(own);
    });
    return all;
}

std::vector<AreaRow> filled(const std::vector<AreaRow>& rows) {
    std::vector<AreaRow> some;
    for (std::size_t key = 0; key < rows.size(); ++key) {
        if (rows[key].count > 0) {
            some.push_back(rows[key]);
            some.back().key = static_cast<std::uint32_t>(key);
        }
    }
    return some;
}

}  // namespace

Result<AreaSummary> summariseArea(const trace::Trace& trace, const AreaOptions& options) {
    return guarded([&]() -> Result<AreaSummary> {
        const Rows rows = sumUp(trace, options);
        AreaSummary summary{options.span,       0, 0, filled(rows.names), filled(rows.categories),
                            filled(rows.tracks)};
        for (const AreaRow& row : summary.byCategory) {
            summary.count += row.count;
            summary.timeNs = addTime(summary.timeNs, row.timeNs);
        }
        return summary;
    });
}

}  // namespace kinetoscope::query
