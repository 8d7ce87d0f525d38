// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/StringPool.h"
#include "core/base/Time.h"
#include "core/trace/Category.h"
#include "core/trace/EventText.h"
#include "core/trace/ImportLog.h"
#include "core/trace/RunInfo.h"
#include "core/trace/SliceColumns.h"

namespace kinetoscope::trace {

using GpuOpId = std::uint32_t;  ///< row of Trace::gpuOperations()

/// pid or tid: a number, or a text such as "Spans" or "stream 7".
struct RowId {
    bool isText = false;
    std::int64_t value = 0;  ///< the number, or the NameId of the text

    friend bool operator==(RowId, RowId) = default;
};

struct Process {
    std::uint16_t source = 0;  ///< index of the file; 0 in a trace from one file
    RowId pid;
    NameId name = kEmptyName;    ///< process_name
    NameId labels = kEmptyName;  ///< process_labels, e.g. "GPU 0"
    std::int64_t sortIndex = 0;  ///< process_sort_index
    bool hasEvents = false;      ///< false: only announced by metadata
};

enum class TrackKind : std::uint8_t { Thread, Async, Counter };

/// A row of events: a CPU thread, a GPU stream (tid = stream), an async id or a counter.
struct Track {
    std::uint32_t process = 0;  ///< row of Trace::processes()
    RowId tid;                  ///< Async: text "category id"; Counter: text "name"
    TrackKind kind = TrackKind::Thread;
    NameId name = kEmptyName;  ///< thread_name
    std::int64_t sortIndex = 0;
    bool hasEvents = false;
};

/// Columns that only kernels, copies and memsets have. Zero means: unknown.
struct GpuOperation {
    SliceId slice = 0;
    std::int32_t gpu = 0;
    std::int64_t stream = 0;
    std::array<std::uint32_t, 3> grid{};
    std::array<std::uint16_t, 3> block{};
    std::uint16_t registers = 0;  ///< per thread
    std::uint32_t sharedBytes = 0;
    std::uint32_t graph = 0;             ///< CUDA graph id
    std::int16_t occupancyPercent = -1;  ///< estimated achieved occupancy; -1 unknown
    bool collective = false;             ///< has the argument "Collective name"
    std::uint64_t bytes = 0;             ///< copies and memsets
};

struct Instant {
    TimeNs time = 0;
    NameId name = kEmptyName;
    TrackId track = 0;
    CategoryId category = 0;
    char scope = 't';  ///< t thread, p process, g global
    std::uint64_t offset = 0;
};

struct CounterSample {
    TimeNs time = 0;
    TrackId track = 0;
    NameId series = kEmptyName;  ///< key in args; may be empty
    double value = 0.0;
    std::uint64_t offset = 0;  ///< of the event, which may have several series
};

/// One end of an arrow. Launch flows (ac2g) are only counted: correlation says the same.
struct FlowPoint {
    std::int64_t id = 0;
    TimeNs time = 0;
    TrackId track = 0;
    NameId name = kEmptyName;
    CategoryId category = 0;
    char phase = 's';  ///< s start, t step, f finish
};

/// A slice whose duration in the file was missing or negative; it counts as 0 in the columns.
struct InvalidDuration {
    SliceId slice = 0;
    bool missing = false;
    TimeNs duration = 0;  ///< as written, when it is there
};

/// Properties of the file that only the compat figures need; see analysis/Compat.
struct CompatFacts {
    /// Tracks of complete events (X) that were skipped because they had no usable ts.
    std::vector<TrackId> slicesWithoutTime;
    /// Slices that are not complete events (from begin and end) or name no process, by row.
    std::vector<SliceId> notComplete;
    /// pids of process_labels events that call the process a GPU, in file order.
    std::vector<RowId> gpuPids;
    /// Some process_labels event has no args.labels.
    bool labelsMissing = false;
};

struct TraceCounts {
    std::uint64_t launchFlows = 0;           ///< ac2g flow events
    std::uint64_t metadata = 0;              ///< M events
    std::uint64_t drops = 0;                 ///< TraceBuilder::dropOlderHalf(): new ids of slices
    std::uint64_t droppedEvents = 0;         ///< with them
    std::uint64_t droppedGpuOperations = 0;  ///< of them
};

/// One run: immutable columns in file order, built only by TraceBuilder. All times are
/// nanoseconds relative to info().baseTimeNs, exactly as in the file. Safe to read from any thread.
class Trace {
public:
    [[nodiscard]] std::size_t sliceCount() const { return m_slices.size(); }
    [[nodiscard]] TimeNs start(SliceId slice) const { return m_slices.start(slice); }
    [[nodiscard]] TimeNs duration(SliceId slice) const { return m_slices.duration(slice); }
    [[nodiscard]] TimeNs end(SliceId slice) const { return start(slice) + duration(slice); }
    [[nodiscard]] TimeSpan span(SliceId slice) const { return {start(slice), end(slice)}; }
    [[nodiscard]] NameId nameId(SliceId slice) const { return nameIds()[slice]; }
    [[nodiscard]] std::string_view name(SliceId slice) const { return text(nameId(slice)); }
    [[nodiscard]] Category category(SliceId slice) const { return categoryKind(categoryId(slice)); }
    [[nodiscard]] CategoryId categoryId(SliceId slice) const { return categoryIds()[slice]; }
    [[nodiscard]] TrackId trackOf(SliceId slice) const { return trackIds()[slice]; }
    [[nodiscard]] std::int64_t correlation(SliceId slice) const {
        return m_slices.correlation(slice);
    }
    [[nodiscard]] std::int64_t externalId(SliceId slice) const {
        return m_slices.externalId(slice);
    }
    /// Byte in the (decompressed) text where the event's object begins.
    [[nodiscard]] std::uint64_t offset(SliceId slice) const { return m_slices.offset(slice); }

    [[nodiscard]] std::span<const NameId> nameIds() const { return m_slices.names(); }
    [[nodiscard]] std::span<const CategoryId> categoryIds() const { return m_slices.categories(); }
    [[nodiscard]] std::span<const TrackId> trackIds() const { return m_slices.tracks(); }

    [[nodiscard]] std::string_view text(NameId id) const { return m_names.view(id); }
    [[nodiscard]] const StringPool& names() const { return m_names; }
    /// The category as it is written in the file's current spelling.
    [[nodiscard]] std::string_view categoryText(CategoryId id) const;
    /// "1234" or the text.
    [[nodiscard]] std::string rowIdText(RowId id) const;

    /// In file order.
    [[nodiscard]] std::span<const GpuOperation> gpuOperations() const { return m_gpuOperations; }
    [[nodiscard]] std::span<const Process> processes() const { return m_processes; }
    [[nodiscard]] std::span<const Track> tracks() const { return m_tracks; }
    [[nodiscard]] std::span<const Instant> instants() const { return m_instants; }
    [[nodiscard]] std::span<const CounterSample> counters() const { return m_counters; }
    [[nodiscard]] std::span<const FlowPoint> flows() const { return m_flows; }
    [[nodiscard]] std::span<const InvalidDuration> invalidDurations() const {
        return m_invalidDurations;
    }
    [[nodiscard]] const CompatFacts& compatFacts() const { return m_compatFacts; }
    [[nodiscard]] const TraceCounts& counts() const { return m_counts; }
    [[nodiscard]] const RunInfo& info() const { return m_info; }
    [[nodiscard]] const ImportLog& log() const { return m_log; }

    /// False for a copy that was made while the file was still being read: it ends somewhere in the
    /// file, and what opens there lasts 0. Its rows and ids are those of the whole trace.
    [[nodiscard]] bool isComplete() const { return m_complete; }
    /// First slice's start to the last slice's end; without slices the first to the last instant or
    /// counter sample, {0, 0} without anything.
    [[nodiscard]] TimeSpan extent() const { return m_extent; }
    /// The event's JSON text; null in traces that come from no text.
    [[nodiscard]] const EventText* eventText() const { return m_eventText.get(); }

private:
    friend class TraceBuilder;
    Trace() = default;
    Trace(const Trace&) = default;

    SliceColumns m_slices;
    StringPool m_names;
    std::vector<NameId> m_otherCategories;  ///< CategoryId kKnownCategories onwards
    std::vector<GpuOperation> m_gpuOperations;
    std::vector<Process> m_processes;
    std::vector<Track> m_tracks;
    std::vector<Instant> m_instants;
    std::vector<CounterSample> m_counters;
    std::vector<FlowPoint> m_flows;
    std::vector<InvalidDuration> m_invalidDurations;
    CompatFacts m_compatFacts;
    TraceCounts m_counts;
    RunInfo m_info;
    ImportLog m_log;
    TimeSpan m_extent;
    bool m_complete = true;
    std::shared_ptr<const EventText> m_eventText;
};

}  // namespace kinetoscope::trace
