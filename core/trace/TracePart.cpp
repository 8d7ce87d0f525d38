// SPDX-License-Identifier: Apache-2.0
// TraceBuilder: growing columns, and traces that are built in parts.
#include <algorithm>
#include <functional>

#include "core/trace/ColumnMemory.h"
#include "core/trace/TraceBuilder.h"

namespace kinetoscope::trace {

template <class Row>
void TraceBuilder::makeRoom(std::vector<Row>& column, std::size_t more) {
    if (column.size() + more > column.capacity()) {
        reserveColumn(column, roomFor(column.size(), more, m_fraction));
    }
}

template void TraceBuilder::makeRoom(std::vector<GpuOperation>&, std::size_t);
template void TraceBuilder::makeRoom(std::vector<FlowPoint>&, std::size_t);

template <class NameOf, class TrackOf, class CategoryOf>
void TraceBuilder::store(std::span<const SliceInput> rows, const NameOf& nameOf,
                         const TrackOf& trackOf, const CategoryOf& categoryOf) {
    SliceColumns& slices = m_trace->m_slices;
    if (slices.size() + rows.size() > slices.capacity()) {
        slices.reserve(roomFor(slices.size(), rows.size(), m_fraction));
    }
    slices.append(rows, nameOf, trackOf, categoryOf);
    for (const SliceInput& row : rows) {
        m_trace->m_tracks[trackOf(row.track)].hasEvents = true;
        m_extent.start = std::min(m_extent.start, row.start);
        m_extent.end = std::max(m_extent.end, row.start + row.duration);
    }
}

void TraceBuilder::storeRows() {
    store(m_rows, std::identity(), std::identity(), std::identity());
    m_rows.clear();
}

void TraceBuilder::clear() {
    Trace& trace = *m_trace;
    trace.m_slices = {};
    trace.m_names.clear();
    trace.m_otherCategories.clear();
    trace.m_gpuOperations.clear();
    trace.m_processes.clear();
    trace.m_tracks.clear();
    trace.m_instants.clear();
    trace.m_counters.clear();
    trace.m_flows.clear();
    trace.m_invalidDurations.clear();
    trace.m_compatFacts = {};
    trace.m_counts = {};
    m_rows.clear();
    m_tracks.clear();
    m_processes.clear();
    m_hasLast = false;
    m_extent = kNoExtent;
    m_processFields.clear();
    m_trackFields.clear();
    m_textFlows.clear();
}

// Adds a part's rows, and remembers what has become of its ids.
class TraceBuilder::PartJoin {
public:
    PartJoin(TraceBuilder& whole, const TraceBuilder& part)
        : m_whole(whole), m_to(*whole.m_trace), m_part(part), m_from(*part.m_trace) {
        m_joined.firstSlice = static_cast<SliceId>(whole.sliceCount());
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
        joinEach(m_to.m_invalidDurations, m_from.m_invalidDurations,
                 [this](InvalidDuration& row) { row.slice += m_joined.firstSlice; });
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
        m_whole.storeRows();
        m_whole.store(
            m_part.m_rows, [this](NameId name) { return m_names[name]; },
            [this](TrackId track) { return m_joined.tracks[track]; },
            [this](CategoryId category) { return m_categories[category]; });
    }

    template <class Row, class Change>
    void joinEach(std::vector<Row>& column, const std::vector<Row>& more, Change&& change) {
        const std::size_t before = column.size();
        m_whole.makeRoom(column, more.size());
        column.insert(column.end(), more.begin(), more.end());
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

}  // namespace kinetoscope::trace
