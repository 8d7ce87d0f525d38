// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string_view>
#include <unordered_map>

#include "core/trace/Trace.h"

namespace kinetoscope {

/// A slice as the importer has decoded it.
struct SliceInput {
    TimeNs start = 0;
    TimeNs duration = 0;
    std::int64_t correlation = kNoId;
    std::int64_t externalId = kNoId;
    std::uint64_t offset = 0;
    NameId name = kEmptyName;
    TrackId track = 0;
    CategoryId category = 0;
};

/// The only writer of Trace. Not thread safe. Call finish() once; the builder is empty then.
class TraceBuilder {
public:
    TraceBuilder();

    NameId name(std::string_view text) { return m_trace->m_names.intern(text); }
    [[nodiscard]] std::string_view text(NameId id) const { return m_trace->text(id); }

    /// The row of a spelling that is no known category; Other texts beyond 200 share one row.
    CategoryId otherCategory(std::string_view text);

    std::uint32_t process(RowId pid, std::uint16_t source = 0);
    /// Finds or makes the row; remembers the last ones, so that runs of one track are cheap.
    TrackId track(RowId pid, RowId tid, TrackKind kind = TrackKind::Thread,
                  std::uint16_t source = 0);
    [[nodiscard]] Process& processRow(std::uint32_t process) {
        return m_trace->m_processes[process];
    }
    [[nodiscard]] Track& trackRow(TrackId track) { return m_trace->m_tracks[track]; }

    SliceId addSlice(const SliceInput& slice);
    void setDuration(SliceId slice, TimeNs duration) { m_trace->m_duration[slice] = duration; }
    [[nodiscard]] std::size_t sliceCount() const { return m_trace->sliceCount(); }
    /// `operation.slice` names the slice added before.
    void addGpuOperation(const GpuOperation& operation);
    void addInstant(const Instant& instant);
    void addCounter(const CounterSample& sample);
    void addFlow(const FlowPoint& flow);
    void addOddDuration(const OddDuration& odd) { m_trace->m_oddDurations.push_back(odd); }

    [[nodiscard]] CompatFacts& compatFacts() { return m_trace->m_compatFacts; }
    [[nodiscard]] TraceCounts& counts() { return m_trace->m_counts; }
    [[nodiscard]] RunInfo& info() { return m_trace->m_info; }
    [[nodiscard]] ImportLog& log() { return m_trace->m_log; }
    void setEventText(std::shared_ptr<const EventText> text) {
        m_trace->m_eventText = std::move(text);
    }

    /// A copy of all that was added so far. Rows and names keep their ids in later copies.
    [[nodiscard]] std::shared_ptr<const Trace> snapshot() const;
    [[nodiscard]] std::shared_ptr<const Trace> finish();

private:
    struct TrackKey {
        RowId pid;
        RowId tid;
        TrackKind kind;
        std::uint16_t source;
        friend bool operator==(const TrackKey&, const TrackKey&) = default;
    };
    struct TrackKeyHash {
        std::size_t operator()(const TrackKey& key) const;
    };

    void touch(TrackId track);
    static void complete(Trace& trace);

    std::shared_ptr<Trace> m_trace;
    std::unordered_map<TrackKey, TrackId, TrackKeyHash> m_tracks;
    std::unordered_map<TrackKey, std::uint32_t, TrackKeyHash> m_processes;
    TrackKey m_lastKey{};
    TrackId m_lastTrack = 0;
    bool m_hasLast = false;
};

}  // namespace kinetoscope
