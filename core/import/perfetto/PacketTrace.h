// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/import/Importer.h"
#include "core/import/perfetto/Clocks.h"
#include "core/import/perfetto/Events.h"
#include "core/import/perfetto/Flows.h"
#include "core/import/perfetto/PacketText.h"
#include "core/import/perfetto/Packets.h"
#include "core/import/perfetto/Pairing.h"
#include "core/import/perfetto/Sequences.h"
#include "core/import/perfetto/Tracks.h"
#include "core/import/wire/WholeText.h"
#include "core/trace/TraceBuilder.h"

namespace kinetoscope::import::perfetto {

/// Puts a sequence of packets into a trace. They are collected first: their order is not that of
/// time, and what a track is may be said after its events. Throws Stopped.
class PacketTrace {
public:
    PacketTrace(ImportInput& input, trace::TraceBuilder& builder)
        : m_input(input), m_builder(builder), m_sequences(builder) {}

    /// To be called once. Fails where nothing can be read.
    [[nodiscard]] Result<void> read();

private:
    struct TrackEdges {
        std::uint64_t uuid = 0;
        std::int64_t writer = -1;
        std::vector<Edge> edges;
    };
    struct Moment {
        std::uint64_t uuid = 0;
        std::int64_t writer = -1;
        TimeNs time = 0;
        std::uint64_t offset = 0;
        NameId name = kEmptyName;
        trace::CategoryId category = 0;
        double value = 0.0;
        StateMark state = {};  // of its sequence
    };
    struct Complete {
        Edge edge;
        TimeNs duration = 0;
        std::uint64_t uuid = 0;
        std::int64_t writer = -1;
        std::optional<GpuPlace> gpu;  ///< of stages
    };

    // An incremental counter, which starts again where its sequence's state is cleared.
    struct Counted {
        double value = 0.0;
        std::uint32_t sequence = 0;
        std::uint32_t generation = 0;
    };

    void readPackets(std::string_view text);
    void take(const Packet& packet);
    void takeTrackEvent(const Packet& packet, Sequence& sequence);
    void takeRenderStage(const Packet& packet, Sequence& sequence);
    void takeGpuCounters(const Packet& packet);
    void takeSample(const Event& event, TimeNs time, const Packet& packet,
                    const Sequence& sequence);
    [[nodiscard]] double count(std::uint64_t uuid, double delta, std::uint32_t sequence,
                               std::uint32_t generation);
    void skip(trace::Issue issue, std::uint64_t offset, std::string_view what);
    [[nodiscard]] std::optional<TimeNs> timeOf(const Packet& packet);
    [[nodiscard]] NameId nameOf(const Text& text);
    [[nodiscard]] trace::CategoryId categoryId(const Text& text, NameId name);
    [[nodiscard]] Edge edgeOf(const Event& event, TimeNs time, std::uint64_t offset,
                              StateMark state);
    [[nodiscard]] TrackEdges& edgesOf(std::uint64_t uuid, std::int64_t writer);
    [[nodiscard]] std::uint64_t trackOf(const Event& event, const Sequence& sequence);

    void placeInTime();
    void placeOperations();
    void partProcesses();
    void addAll();
    void addSamples();
    void addSlice(const Edge& edge, std::uint64_t uuid, TimeNs duration, trace::TrackId track);
    [[nodiscard]] trace::TrackId gpuTrack(const GpuPlace& place);
    void describe();
    [[nodiscard]] std::vector<RowWords> rowWords();

    ImportInput& m_input;
    trace::TraceBuilder& m_builder;
    trace::IssueCounter m_issues;
    wire::WholeText m_whole;
    Sequences m_sequences;
    Clocks m_clocks;
    Tracks m_tracks;
    std::unordered_map<std::uint64_t, std::size_t> m_edgesOf;
    std::vector<TrackEdges> m_edges;
    std::vector<Complete> m_complete;
    std::vector<Moment> m_instants;
    std::vector<Moment> m_samples;
    std::vector<trace::GpuOperation> m_operations;  // slice 0; the stream may lie in the track
    std::vector<event::EventArguments> m_places;    // GPU and stream of each operation
    std::unordered_map<std::uint64_t, Counted> m_counted;
    std::unordered_map<NameId, trace::CategoryId> m_categories;
    std::unordered_map<std::uint32_t, NameId> m_gpuCounters;  // names of m_tracks
    Flows m_flows;
    std::vector<EventRow> m_rows;
    std::vector<trace::CounterSample> m_counters;
    std::vector<trace::FlowPoint> m_flowPoints;
    std::string m_storage;
    std::uint64_t m_textBytes = 0;
    std::uint64_t m_packets = 0;
    std::uint64_t m_unreadable = 0;
    std::optional<TimeNs> m_time;  // of the packet that is being taken
    std::uint64_t m_skipped = 0;
    std::uint64_t m_lost = 0;
    std::uint64_t m_others = 0;
    TimeNs m_base = 0;
};

}  // namespace kinetoscope::import::perfetto
