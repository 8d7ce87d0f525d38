// SPDX-License-Identifier: Apache-2.0
// TraceBuilder: growing columns, and traces that are built in parts.
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <memory>
#include <ranges>

#include "core/trace/TraceBuilder.h"

namespace kinetoscope {

namespace {

// From here on the size of a column is estimated; before, doubling it costs nothing.
constexpr std::size_t kEstimateFrom = 16 * 1024;
constexpr std::size_t kHugePage = 2 * 1024 * 1024;

// Touching fresh memory in pages of 4 KiB takes a quarter of the time of a load.
template <class T>
void preferHugePages(const std::vector<T>& column) {
    const std::size_t bytes = column.capacity() * sizeof(T);
    if (bytes < kHugePage) {
        return;
    }
    const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    void* begin = const_cast<T*>(column.data());
    std::size_t room = bytes;
    std::align(page, page, begin, room);
    // Advice: where the system does not take it, nothing is lost.
    static_cast<void>(::madvise(begin, room / page * page, MADV_HUGEPAGE));
}

std::size_t capacityFor(std::size_t size, double fraction) {
    if (size < kEstimateFrom || fraction <= 0.0) {
        return std::max<std::size_t>(2 * size, 64);
    }
    const double whole = static_cast<double>(size) / std::min(fraction, 1.0);
    return std::max(static_cast<std::size_t>(whole * 1.03) + 1024, size + size / 2);
}

template <class T>
void reserve(std::vector<T>& column, std::size_t rows) {
    // The advice has to come before the first byte is written.
    std::vector<T> larger;
    larger.reserve(rows);
    preferHugePages(larger);
    larger.insert(larger.end(), column.begin(), column.end());
    column = std::move(larger);
}

template <class T>
void join(std::vector<T>& column, const std::vector<T>& more) {
    column.insert(column.end(), more.begin(), more.end());
}

// Appends more[i] as map[more[i]].
template <class T, class Map>
void joinMapped(std::vector<T>& column, const std::vector<T>& more, const Map& map) {
    const auto mapped = std::views::transform(more, [&map](T value) { return map[value]; });
    column.insert(column.end(), mapped.begin(), mapped.end());
}

}  // namespace

template <class Row>
void TraceBuilder::grow(std::vector<Row>& column) {
    if (column.size() == column.capacity()) {
        reserve(column, capacityFor(column.size(), m_fraction));
    }
}

template void TraceBuilder::grow(std::vector<GpuOperation>&);
template void TraceBuilder::grow(std::vector<FlowPoint>&);

void TraceBuilder::growSlices(std::size_t least) {
    Trace& trace = *m_trace;
    const std::size_t rows = std::max(capacityFor(trace.sliceCount(), m_fraction), least);
    reserve(trace.m_start, rows);
    reserve(trace.m_duration, rows);
    reserve(trace.m_correlation, rows);
    reserve(trace.m_externalId, rows);
    reserve(trace.m_offset, rows);
    reserve(trace.m_name, rows);
    reserve(trace.m_track, rows);
    reserve(trace.m_category, rows);
}

void TraceBuilder::clear() {
    Trace& trace = *m_trace;
    trace.m_start.clear();
    trace.m_duration.clear();
    trace.m_correlation.clear();
    trace.m_externalId.clear();
    trace.m_offset.clear();
    trace.m_name.clear();
    trace.m_track.clear();
    trace.m_category.clear();
    trace.m_names.clear();
    trace.m_otherCategories.clear();
    trace.m_gpuOperations.clear();
    trace.m_processes.clear();
    trace.m_tracks.clear();
    trace.m_instants.clear();
    trace.m_counters.clear();
    trace.m_flows.clear();
    trace.m_oddDurations.clear();
    trace.m_compatFacts = {};
    trace.m_counts = {};
    m_tracks.clear();
    m_processes.clear();
    m_hasLast = false;
    m_processFields.clear();
    m_trackFields.clear();
    m_textFlows.clear();
}

// Adds a part's rows, and remembers what has become of its ids.
class TraceBuilder::PartJoin {
public:
    PartJoin(TraceBuilder& whole, const TraceBuilder& part)
        : m_whole(whole), m_to(*whole.m_trace), m_part(part), m_from(*part.m_trace) {
        m_joined.firstSlice = static_cast<SliceId>(m_to.sliceCount());
        mapNames();
        mapProcesses();
        mapTracks();
        mapCategories();
    }

    void joinRows() {
        slices();
        const std::size_t flows = m_to.m_flows.size();
        joinEach(m_to.m_gpuOperations, m_from.m_gpuOperations,
                 [this](GpuOperation& row) { row.slice += m_joined.firstSlice; });
        joinEach(m_to.m_instants, m_from.m_instants, [this](Instant& row) { mapRow(row); });
        joinEach(m_to.m_flows, m_from.m_flows, [this](FlowPoint& row) { mapRow(row); });
        joinEach(m_to.m_counters, m_from.m_counters, [this](CounterSample& row) {
            row.track = m_joined.tracks[row.track];
            row.series = m_names[row.series];
        });
        joinEach(m_to.m_oddDurations, m_from.m_oddDurations,
                 [this](OddDuration& row) { row.slice += m_joined.firstSlice; });
        for (const std::uint32_t row : m_part.m_textFlows) {
            FlowPoint& flow = m_to.m_flows[flows + row];
            flow.id = -2 - static_cast<std::int64_t>(m_names[static_cast<NameId>(-2 - flow.id)]);
            m_whole.m_textFlows.push_back(static_cast<std::uint32_t>(flows + row));
        }
        compatFacts();
        m_to.m_counts.launchFlows += m_from.m_counts.launchFlows;
        m_to.m_counts.metadata += m_from.m_counts.metadata;
    }

    [[nodiscard]] AppendedPart take() { return std::move(m_joined); }

private:
    void mapNames() {
        m_names.reserve(m_from.m_names.size());
        for (NameId id = 0; id < m_from.m_names.size(); ++id) {
            m_names.push_back(m_whole.name(m_from.text(id)));
        }
    }

    [[nodiscard]] RowId mapped(RowId id) const {
        return id.isText
                   ? RowId{true, static_cast<std::int64_t>(m_names[static_cast<NameId>(id.value)])}
                   : id;
    }

    void mapProcesses() {
        for (std::uint32_t row = 0; row < m_from.m_processes.size(); ++row) {
            const Process& from = m_from.m_processes[row];
            const std::uint32_t to = m_whole.process(mapped(from.pid), from.source);
            m_to.m_processes[to].hasEvents |= from.hasEvents;
            const unsigned set =
                row < m_part.m_processFields.size() ? m_part.m_processFields[row] : 0U;
            forEachField(set, [&](RowField field) {
                const NameId text = field == RowField::Labels ? from.labels : from.name;
                m_whole.setProcess(to, field,
                                   field == RowField::SortIndex ? from.sortIndex : m_names[text]);
            });
        }
    }

    void mapTracks() {
        for (TrackId row = 0; row < m_from.m_tracks.size(); ++row) {
            const Track& from = m_from.m_tracks[row];
            const Process& process = m_from.m_processes[from.process];
            const TrackId to =
                m_whole.track(mapped(process.pid), mapped(from.tid), from.kind, process.source);
            m_to.m_tracks[to].hasEvents |= from.hasEvents;
            m_joined.tracks.push_back(to);
            const unsigned set = row < m_part.m_trackFields.size() ? m_part.m_trackFields[row] : 0U;
            forEachField(set, [&](RowField field) {
                m_whole.setTrack(
                    to, field, field == RowField::SortIndex ? from.sortIndex : m_names[from.name]);
            });
        }
    }

    template <class Visit>
    static void forEachField(unsigned set, Visit&& visit) {
        for (const RowField field : {RowField::Name, RowField::Labels, RowField::SortIndex}) {
            if ((set >> static_cast<unsigned>(field) & 1U) != 0) {
                visit(field);
            }
        }
    }

    void mapCategories() {
        for (CategoryId id = 0; id < kKnownCategories; ++id) {
            m_categories.push_back(id);
        }
        for (const NameId text : m_from.m_otherCategories) {
            m_categories.push_back(m_whole.otherCategory(m_from.text(text)));
        }
    }

    void slices() {
        const std::size_t rows = m_to.sliceCount() + m_from.sliceCount();
        if (rows > m_to.m_start.capacity()) {
            m_whole.growSlices(rows);
        }
        join(m_to.m_start, m_from.m_start);
        join(m_to.m_duration, m_from.m_duration);
        join(m_to.m_correlation, m_from.m_correlation);
        join(m_to.m_externalId, m_from.m_externalId);
        join(m_to.m_offset, m_from.m_offset);
        joinMapped(m_to.m_name, m_from.m_name, m_names);
        joinMapped(m_to.m_track, m_from.m_track, m_joined.tracks);
        if (m_from.m_otherCategories.empty()) {
            join(m_to.m_category, m_from.m_category);
        } else {
            joinMapped(m_to.m_category, m_from.m_category, m_categories);
        }
    }

    template <class Row, class Change>
    void joinEach(std::vector<Row>& column, const std::vector<Row>& more, Change&& change) {
        const std::size_t before = column.size();
        if (before + more.size() > column.capacity()) {
            reserve(column,
                    std::max(capacityFor(before, m_whole.m_fraction), before + more.size()));
        }
        join(column, more);
        std::for_each(column.begin() + static_cast<std::ptrdiff_t>(before), column.end(), change);
    }

    template <class Row>
    void mapRow(Row& row) {
        row.name = m_names[row.name];
        row.track = m_joined.tracks[row.track];
        row.category = m_categories[row.category];
    }

    void compatFacts() {
        CompatFacts& to = m_to.m_compatFacts;
        const CompatFacts& from = m_from.m_compatFacts;
        for (const TrackId track : from.slicesWithoutTime) {
            to.slicesWithoutTime.push_back(m_joined.tracks[track]);
        }
        for (const SliceId slice : from.notComplete) {
            to.notComplete.push_back(slice + m_joined.firstSlice);
        }
        for (const RowId pid : from.gpuPids) {
            to.gpuPids.push_back(mapped(pid));
        }
        to.labelsMissing |= from.labelsMissing;
    }

    TraceBuilder& m_whole;
    Trace& m_to;
    const TraceBuilder& m_part;
    const Trace& m_from;
    std::vector<NameId> m_names;
    std::vector<CategoryId> m_categories;
    AppendedPart m_joined;
};

AppendedPart TraceBuilder::append(const TraceBuilder& part) {
    PartJoin join(*this, part);
    join.joinRows();
    return join.take();
}

}  // namespace kinetoscope
