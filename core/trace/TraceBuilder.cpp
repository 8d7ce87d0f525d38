// SPDX-License-Identifier: Apache-2.0
#include "core/trace/TraceBuilder.h"

#include <algorithm>

namespace kinetoscope::trace {

namespace {

// One byte holds a CategoryId; the last row takes whatever comes after.
constexpr std::size_t kMaxOtherCategories = 200;
// Rows of slices that become columns together, while they are in the processor's cache.
constexpr std::size_t kRowsAtOnce = 2048;

void noteField(std::uint8_t& set, RowField field) {
    set = static_cast<std::uint8_t>(set | 1U << static_cast<unsigned>(field));
}

}  // namespace

std::size_t TraceBuilder::TrackKeyHash::operator()(const TrackKey& key) const {
    constexpr std::uint64_t kPrime = 0x9e3779b97f4a7c15ULL;  // 2^64 / golden ratio
    std::uint64_t hash = static_cast<std::uint64_t>(key.pid.value) * kPrime;
    hash = (hash ^ (hash >> 29) ^ static_cast<std::uint64_t>(key.tid.value)) * kPrime;
    hash ^= (key.pid.isText ? 1U : 0U) | (key.tid.isText ? 2U : 0U) |
            static_cast<std::uint64_t>(key.kind) << 2U |
            static_cast<std::uint64_t>(key.source) << 8U;
    hash *= kPrime;
    return hash ^ (hash >> 32U);
}

TraceBuilder::TraceBuilder(Use use)
    : m_trace(new Trace),
      m_rowsAtOnce(use == Use::Whole ? kRowsAtOnce : std::numeric_limits<std::size_t>::max()) {}

CategoryId TraceBuilder::otherCategory(std::string_view text) {
    auto& others = m_trace->m_otherCategories;
    const NameId id = name(text);
    const auto known = std::ranges::find(others, id);
    if (known != others.end()) {
        return static_cast<CategoryId>(kKnownCategories + (known - others.begin()));
    }
    if (others.size() < kMaxOtherCategories) {
        others.push_back(others.size() + 1 < kMaxOtherCategories ? id : name("(more categories)"));
    }
    return static_cast<CategoryId>(kKnownCategories + others.size() - 1);
}

bool TraceBuilder::canAppend(const TraceBuilder& part) const {
    return m_trace->m_otherCategories.size() + part.m_trace->m_otherCategories.size() <
           kMaxOtherCategories;
}

std::uint32_t TraceBuilder::process(RowId pid, std::uint16_t source) {
    const TrackKey key{pid, {}, TrackKind::Thread, source};
    const auto [entry, isNew] =
        m_processes.try_emplace(key, static_cast<std::uint32_t>(m_trace->m_processes.size()));
    if (isNew) {
        Process row;
        row.source = source;
        row.pid = pid;
        m_trace->m_processes.push_back(row);
    }
    return entry->second;
}

TrackId TraceBuilder::track(RowId pid, RowId tid, TrackKind kind, std::uint16_t source) {
    const TrackKey key{pid, tid, kind, source};
    if (m_hasLast && key == m_lastKey) {
        return m_lastTrack;
    }
    const auto [entry, isNew] =
        m_tracks.try_emplace(key, static_cast<TrackId>(m_trace->m_tracks.size()));
    if (isNew) {
        Track row;
        row.process = process(pid, source);
        row.tid = tid;
        row.kind = kind;
        m_trace->m_tracks.push_back(row);
    }
    m_lastKey = key;
    m_lastTrack = entry->second;
    m_hasLast = true;
    return m_lastTrack;
}

void TraceBuilder::touch(TrackId track) {
    m_trace->m_tracks[track].hasEvents = true;
    m_trace->m_processes[m_trace->m_tracks[track].process].hasEvents = true;
}

void TraceBuilder::setField(RowField field, std::int64_t value, NameId& name, std::int64_t& order) {
    if (field == RowField::SortIndex) {
        order = value;
    } else {
        name = static_cast<NameId>(value);
    }
}

void TraceBuilder::setProcess(std::uint32_t process, RowField field, std::int64_t value) {
    Process& row = m_trace->m_processes[process];
    setField(field, value, field == RowField::Labels ? row.labels : row.name, row.sortIndex);
    m_processFields.resize(m_trace->m_processes.size());
    noteField(m_processFields[process], field);
}

void TraceBuilder::setTrack(TrackId track, RowField field, std::int64_t value) {
    Track& row = m_trace->m_tracks[track];
    setField(field, value, row.name, row.sortIndex);
    m_trackFields.resize(m_trace->m_tracks.size());
    noteField(m_trackFields[track], field);
}

void TraceBuilder::setDuration(SliceId slice, TimeNs duration) {
    const std::size_t stored = m_trace->sliceCount();
    if (slice >= stored) {
        m_rows[slice - stored].duration = duration;
        return;
    }
    m_trace->m_slices.setDuration(slice, duration);
    m_extent.end = std::max(m_extent.end, m_trace->end(slice));
}

void TraceBuilder::addExternalIds(const std::function<std::int64_t(std::int64_t)>& rangeOf) {
    storeRows();
    SliceColumns& slices = m_trace->m_slices;
    for (const GpuOperation& operation : m_trace->m_gpuOperations) {
        if (slices.externalId(operation.slice) == kNoId) {
            const std::int64_t range = rangeOf(slices.correlation(operation.slice));
            if (range != kNoId) {
                slices.setExternalId(operation.slice, range);
            }
        }
    }
}

void TraceBuilder::addGpuOperation(const GpuOperation& operation) {
    makeRoom(m_trace->m_gpuOperations, 1);
    m_trace->m_gpuOperations.push_back(operation);
}

void TraceBuilder::addInstant(const Instant& instant) {
    m_trace->m_instants.push_back(instant);
    touch(instant.track);
}

void TraceBuilder::addCounter(const CounterSample& sample) {
    m_trace->m_counters.push_back(sample);
    touch(sample.track);
}

void TraceBuilder::addFlow(const FlowPoint& flow) {
    makeRoom(m_trace->m_flows, 1);
    m_trace->m_flows.push_back(flow);
}

void TraceBuilder::addFlow(FlowPoint flow, NameId id) {
    flow.id = -2 - static_cast<std::int64_t>(id);
    m_textFlows.push_back(static_cast<std::uint32_t>(m_trace->m_flows.size()));
    addFlow(flow);
}

namespace {

// Of what takes no time.
template <class Rows>
void reachAll(const Rows& rows, TimeSpan& extent) {
    for (const auto& row : rows) {
        extent.start = std::min(extent.start, row.time);
        extent.end = std::max(extent.end, row.time);
    }
}

}  // namespace

// Facts known only of the whole: the extent, and which processes have events.
void TraceBuilder::finishRows(Trace& trace) const {
    trace.m_extent = m_extent;
    if (trace.sliceCount() == 0) {
        reachAll(trace.instants(), trace.m_extent);
        reachAll(trace.counters(), trace.m_extent);
    }
    if (trace.m_extent.end < trace.m_extent.start) {
        trace.m_extent = {};
    }
    for (const Track& track : trace.m_tracks) {
        trace.m_processes[track.process].hasEvents |= track.hasEvents;
    }
}

std::shared_ptr<const Trace> TraceBuilder::snapshot(bool complete) {
    storeRows();
    std::shared_ptr<Trace> copy(new Trace(*m_trace));
    copy->m_complete = complete;
    finishRows(*copy);
    return copy;
}

std::shared_ptr<const Trace> TraceBuilder::finish() {
    storeRows();
    finishRows(*m_trace);
    auto trace = std::exchange(m_trace, std::shared_ptr<Trace>(new Trace));
    clear();
    return trace;
}

std::shared_ptr<const Trace> TraceBuilder::withEventText(const Trace& trace,
                                                         std::shared_ptr<const EventText> text) {
    const std::shared_ptr<Trace> copy(new Trace(trace));
    copy->m_eventText = std::move(text);
    return copy;
}

}  // namespace kinetoscope::trace
