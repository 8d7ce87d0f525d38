// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/trace/Trace.h"

namespace kinetoscope::trace {

/// A process's or track's metadata.
enum class RowField : std::uint8_t { Name, Labels, SortIndex };

/// Where the rows of an appended part have gone.
struct AppendedPart {
    SliceId firstSlice = 0;
    std::vector<TrackId> tracks;  ///< by the part's TrackId
};

/// The only writer of Trace. Not thread safe. Call finish() once; the builder is empty then.
class TraceBuilder {
public:
    enum class Use : std::uint8_t {
        Whole,
        Part,  ///< for append() to another builder alone
    };
    explicit TraceBuilder(Use use = Use::Whole);

    NameId name(std::string_view text) { return m_trace->m_names.intern(text); }
    [[nodiscard]] std::string_view text(NameId id) const { return m_trace->text(id); }

    /// The row of a spelling that is not a known category; Other texts beyond 200 share one row.
    CategoryId otherCategory(std::string_view text);

    std::uint32_t process(RowId pid, std::uint16_t source = 0);
    /// Finds or makes the row; remembers the last ones, so that runs of one track are cheap.
    TrackId track(RowId pid, RowId tid, TrackKind kind = TrackKind::Thread,
                  std::uint16_t source = 0);
    [[nodiscard]] std::span<const Process> processes() const { return m_trace->m_processes; }
    [[nodiscard]] std::span<const Track> tracks() const { return m_trace->m_tracks; }
    [[nodiscard]] Process& processRow(std::uint32_t process) {
        return m_trace->m_processes[process];
    }
    [[nodiscard]] Track& trackRow(TrackId track) { return m_trace->m_tracks[track]; }
    /// `value` is a NameId or the index; the last one of a field wins. Tracks have no labels.
    void setProcess(std::uint32_t process, RowField field, std::int64_t value);
    void setTrack(TrackId track, RowField field, std::int64_t value);

    SliceId addSlice(const SliceInput& slice) {
        const auto id = static_cast<SliceId>(sliceCount());
        m_rows.push_back(slice);
        if (m_rows.size() >= m_rowsAtOnce) {
            storeRows();
        }
        return id;
    }
    /// Of a slice that was added with the duration 0 because its end had not come yet.
    void setDuration(SliceId slice, TimeNs duration);
    [[nodiscard]] std::size_t sliceCount() const { return m_trace->sliceCount() + m_rows.size(); }
    /// What is there so far.
    [[nodiscard]] const SliceColumns& slices() {
        storeRows();
        return m_trace->m_slices;
    }
    /// Of a slice in slices(), whose meaning was not known when it was added.
    void describe(SliceId slice, NameId name, CategoryId category, std::int64_t correlation) {
        m_trace->m_slices.describe(slice, name, category, correlation);
    }
    /// `operation.slice` names the slice added before.
    void addGpuOperation(const GpuOperation& operation);
    /// Of GPU operations that were added without one: rangeOf(correlation), kNoId for none.
    void addExternalIds(const std::function<std::int64_t(std::int64_t)>& rangeOf);
    void addInstant(const Instant& instant);
    void addCounter(const CounterSample& sample);
    void addFlow(const FlowPoint& flow);
    /// A flow whose id is a text; it becomes a negative number that no other text of the trace has.
    void addFlow(FlowPoint flow, NameId id);
    void addInvalidDuration(const InvalidDuration& invalid) {
        m_trace->m_invalidDurations.push_back(invalid);
    }

    [[nodiscard]] CompatFacts& compatFacts() { return m_trace->m_compatFacts; }
    [[nodiscard]] TraceCounts& counts() { return m_trace->m_counts; }
    [[nodiscard]] RunInfo& info() { return m_trace->m_info; }
    [[nodiscard]] ImportLog& log() { return m_trace->m_log; }
    void setEventText(std::shared_ptr<const EventText> text) {
        m_trace->m_eventText = std::move(text);
    }

    /// Adds everything that `part` holds behind what is here, as if the part's calls had been made
    /// on this builder: the same rows and ids. What a part cannot hold (info, log, texts of
    /// events) stays as it is. The part is not changed; clear() makes it ready for another use.
    AppendedPart append(const TraceBuilder& part);
    void clear();
    /// False when other categories would have to share a row, which append() does not do.
    [[nodiscard]] bool canAppend(const TraceBuilder& part) const;

    /// Drops the slices that start before the middle one, and what else happened before that time,
    /// which is returned: nothing if there is no earlier one. Slices get other ids; rows and names
    /// keep theirs, also those that are empty now. counts() adds up what was dropped.
    std::optional<TimeNs> dropOlderHalf();

    /// How much of the input is here, 0 to 1: columns that have to grow are made for all of it.
    void setFraction(double fraction) { m_fraction = fraction; }
    /// A copy of what is here so far.
    /// `complete`: nothing in it is open, so that figures of it mean something.
    [[nodiscard]] std::shared_ptr<const Trace> snapshot(bool complete = false);
    [[nodiscard]] std::shared_ptr<const Trace> finish();

    /// A copy of a trace whose events come from another text.
    [[nodiscard]] static std::shared_ptr<const Trace> withEventText(
        const Trace& trace, std::shared_ptr<const EventText> text);

private:
    static constexpr TimeSpan kNoExtent{std::numeric_limits<TimeNs>::max(),
                                        std::numeric_limits<TimeNs>::min()};

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
    class PartJoin;
    class OlderHalf;
    /// Moves the collected rows of slices into their columns.
    void storeRows();
    /// Adds rows, each id as the function gives it.
    template <class NameOf, class TrackOf, class CategoryOf>
    void store(std::span<const SliceInput> rows, const NameOf& nameOf, const TrackOf& trackOf,
               const CategoryOf& categoryOf);
    template <class Row>
    void makeRoom(std::vector<Row>& column, std::size_t more);
    void finishRows(Trace& trace) const;
    static void setField(RowField field, std::int64_t value, NameId& name, std::int64_t& order);

    std::shared_ptr<Trace> m_trace;
    std::vector<SliceInput> m_rows;  // the last slices; all of them in a part
    std::size_t m_rowsAtOnce;
    std::unordered_map<TrackKey, TrackId, TrackKeyHash> m_tracks;
    std::unordered_map<TrackKey, std::uint32_t, TrackKeyHash> m_processes;
    TrackKey m_lastKey{};
    TrackId m_lastTrack = 0;
    bool m_hasLast = false;
    TimeSpan m_extent = kNoExtent;
    // By row of processes and tracks: a bit for each RowField that was set here.
    std::vector<std::uint8_t> m_processFields;
    std::vector<std::uint8_t> m_trackFields;
    std::vector<std::uint32_t> m_textFlows;  // rows of flows whose id is a text
    double m_fraction = 0.0;
};

}  // namespace kinetoscope::trace
