// SPDX-License-Identifier: Apache-2.0
#include "core/import/perfetto/PacketTrace.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <span>

#include "core/base/Threads.h"
#include "core/base/Utf8.h"
#include "core/base/Wrapping.h"
#include "core/import/event/EventDecoder.h"
#include "core/import/event/HistoricalSpellings.h"

namespace kinetoscope::import::perfetto {

namespace {

constexpr std::int64_t kNsPerUs = 1000;

}  // namespace

Result<void> PacketTrace::read() {
    const auto text = m_whole.load(m_input.text, m_input.options.stop, m_input.options.progress,
                                   threadsOf(m_input.options));
    if (!text) {
        return fail(fmt::format("'{}': {}", m_input.path, text.error().message));
    }
    m_textBytes = text->size();
    readPackets(*text);
    if (m_packets == m_unreadable) {
        return fail(
            fmt::format("'{}': no packet can be read; the file is damaged, or was cut "
                        "inside of its first packet",
                        m_input.path));
    }
    addAll();
    describe();
    return {};
}

void PacketTrace::readPackets(std::string_view text) {
    constexpr std::uint64_t kBetween = 4096;  // packets
    PacketReader reader(text, m_issues);
    Packet packet;
    while (reader.next(packet)) {
        if (reader.packets() % kBetween == 0) {
            throwIfStopped(m_input.options.stop);
            if (m_input.options.progress != nullptr) {
                const double done =
                    static_cast<double>(std::min<std::uint64_t>(packet.offset, m_textBytes)) /
                    static_cast<double>(m_textBytes);
                m_input.options.progress->set(static_cast<std::uint64_t>(
                    static_cast<double>(m_input.fileBytes) * (1.0 + done) / 2.0));
            }
        }
        take(packet);
    }
    m_packets = reader.packets();
    m_unreadable = reader.skipped();
    m_skipped += m_unreadable;
}

void PacketTrace::skip(trace::Issue issue, std::uint64_t offset, std::string_view what) {
    ++m_skipped;
    m_issues.add(issue, offset, [&] { return std::string(what); });
}

void PacketTrace::take(const Packet& packet) {
    Sequence* sequence = m_sequences.enter(packet);
    if (!packet.clockSnapshot.empty()) {
        m_clocks.snapshot(packet.clockSnapshot, packet.sequence);
    }
    if (!packet.trackDescriptor.empty()) {
        m_tracks.describe(packet.trackDescriptor, packet.pid);
    }
    if (!packet.processDescriptor.empty()) {
        m_tracks.describeProcess(packet.processDescriptor);
    }
    if (sequence == nullptr) {
        ++m_lost;
        return;
    }
    const bool isEvent =
        !packet.trackEvent.empty() || !packet.renderStage.empty() || !packet.gpuCounters.empty();
    // Clocks that count from packet to packet are moved on by all but those that set them.
    m_time = packet.hasTimestamp && (isEvent || packet.clockSnapshot.empty())
                 ? m_clocks.time(packet.timestamp,
                                 packet.clock != 0 ? packet.clock : sequence->defaultClock,
                                 packet.sequence)
                 : std::nullopt;
    if (!packet.threadDescriptor.empty()) {
        const Place place = m_tracks.describeThread(packet.threadDescriptor);
        sequence->pid = place.pid.value_or(sequence->pid);
        sequence->tid = place.tid.value_or(sequence->tid);
        wire::forEachField(packet.threadDescriptor, [&](const wire::Field& field) {
            if (field.tag == 6) {
                sequence->timeUs = field.integer();
            }
        });
    }
    if (!packet.trackEvent.empty()) {
        takeTrackEvent(packet, *sequence);
    } else if (!packet.renderStage.empty()) {
        takeRenderStage(packet, *sequence);
    } else if (!packet.gpuCounters.empty()) {
        takeGpuCounters(packet);
    } else if (packet.other) {
        ++m_others;
    }
}

std::optional<TimeNs> PacketTrace::timeOf(const Packet& packet) {
    if (!packet.hasTimestamp) {
        skip(trace::Issue::MissingTime, packet.offset, "a packet has no timestamp");
        return std::nullopt;
    }
    if (!m_time) {
        skip(trace::Issue::TimeOutOfRange, packet.offset,
             fmt::format("a packet has the timestamp {}", packet.timestamp));
    }
    return m_time;
}

NameId PacketTrace::nameOf(const Text& text) {
    return text.interned != nullptr ? text.interned->id
                                    : m_builder.name(asUtf8(text.text, m_storage));
}

trace::CategoryId PacketTrace::categoryId(const Text& text, NameId name) {
    if (text.view().empty()) {
        return static_cast<trace::CategoryId>(trace::Category::None);
    }
    const NameId id = nameOf(text);
    const std::string_view written = m_builder.text(id);
    const auto known = m_categories.find(id);
    if (known != m_categories.end()) {
        return known->second;
    }
    const auto kind = event::categoryOfSpelling(written, m_builder.text(name));
    const trace::CategoryId category =
        kind ? static_cast<trace::CategoryId>(*kind) : m_builder.otherCategory(written);
    if (!event::spellingNeedsName(written)) {
        m_categories.emplace(id, category);
    }
    return category;
}

Edge PacketTrace::edgeOf(const Event& event, TimeNs time, std::uint64_t offset, StateMark state) {
    Edge edge;
    edge.time = time;
    edge.offset = offset;
    edge.state = state;
    edge.begin = event.kind != EventKind::End;
    if (!edge.begin) {
        return edge;
    }
    edge.name = nameOf(event.name);
    edge.category = event.gpuCategory == trace::Category::None
                        ? categoryId(event.category, edge.name)
                        : static_cast<trace::CategoryId>(event.gpuCategory);
    edge.correlation = event.arguments.correlation;
    edge.ownCorrelation = event.ownCorrelation;
    edge.externalId = event.arguments.externalId;
    if (trace::isGpuOperation(trace::categoryKind(edge.category))) {
        m_operations.push_back(event::operationOf(event.arguments));
        m_places.push_back(event.arguments);
        edge.operation = static_cast<std::uint32_t>(m_operations.size());
    }
    return edge;
}

PacketTrace::TrackEdges& PacketTrace::edgesOf(std::uint64_t uuid, std::int64_t writer) {
    const auto [entry, isNew] = m_edgesOf.try_emplace(uuid, m_edges.size());
    if (isNew) {
        m_edges.push_back({uuid, writer, {}});
    }
    return m_edges[entry->second];
}

std::uint64_t PacketTrace::trackOf(const Event& event, const Sequence& sequence) {
    const std::uint64_t uuid = uuidOf(event, sequence);
    if (const auto thread = threadOf(event, sequence)) {
        m_tracks.at(uuid).place = {thread->pid, thread->tid};
    }
    return uuid;
}

void PacketTrace::takeTrackEvent(const Packet& packet, Sequence& sequence) {
    Event event;
    if (!EventReader(sequence).trackEvent(packet.trackEvent, event)) {
        return skip(trace::Issue::MalformedEvent, packet.offset,
                    "a track event cannot be understood to its end");
    }
    std::optional<TimeNs> time;
    if (event.hasDelta || event.absoluteUs) {
        constexpr std::int64_t kMaxUs = event::kFarthestTime / kNsPerUs;
        if (event.hasDelta) {
            sequence.timeUs = std::clamp(sequence.timeUs, -kMaxUs, kMaxUs) +
                              std::clamp(event.deltaUs, -kMaxUs, kMaxUs);
        }
        time = std::clamp(event.absoluteUs.value_or(sequence.timeUs), -kMaxUs, kMaxUs) * kNsPerUs;
    } else {
        time = timeOf(packet);
    }
    if (!time) {
        return;
    }
    const std::uint64_t uuid = trackOf(event, sequence);
    m_flows.tell(packet.offset, event.flows);
    switch (event.kind) {
        case EventKind::Begin:
        case EventKind::End: {
            TrackEdges& track = edgesOf(uuid, sequence.pid);
            Edge edge = edgeOf(event, *time, packet.offset, sequence.state);
            edge.order = static_cast<std::uint32_t>(track.edges.size());
            track.edges.push_back(edge);
            return;
        }
        case EventKind::Complete:
            m_complete.push_back({edgeOf(event, *time, packet.offset, sequence.state),
                                  event.duration, uuid, sequence.pid, std::nullopt});
            return;
        case EventKind::Instant: {
            const NameId name = nameOf(event.name);
            m_instants.push_back({uuid, sequence.pid, *time, packet.offset, name,
                                  categoryId(event.category, name), 0.0, sequence.state});
            return;
        }
        case EventKind::Counter:
            return takeSample(event, *time, packet, sequence);
        case EventKind::None:
            m_issues.add(trace::Issue::UnknownPhase, packet.offset,
                         [] { return std::string("a track event of an unknown type"); });
    }
}

void PacketTrace::takeRenderStage(const Packet& packet, Sequence& sequence) {
    Event event;
    if (!EventReader(sequence).renderStage(packet.renderStage, event)) {
        return skip(trace::Issue::MalformedEvent, packet.offset,
                    "a stage of a GPU cannot be understood to its end");
    }
    if (packet.hasTimestamp) {
        const auto time = timeOf(packet);
        if (time) {
            m_complete.push_back({edgeOf(event, *time, packet.offset, sequence.state),
                                  event.duration, 0, sequence.pid,
                                  gpuPlaceOf(event.arguments, nullptr, 0)});
        }
    }  // the others name the stages
}

trace::TrackId PacketTrace::gpuTrack(const GpuPlace& place) {
    constexpr std::int64_t kGpuOrder = 5'000'000;  // Kineto puts GPUs behind the host
    const trace::RowId pid{false, place.gpu};
    const trace::TrackId track = m_builder.track(pid, {false, place.stream});
    trace::Track& row = m_builder.trackRow(track);
    trace::Process& process = m_builder.processRow(row.process);
    if (process.labels == kEmptyName && place.gpu >= 0) {
        process.labels = m_builder.name(fmt::format("GPU {}", place.gpu));
        process.sortIndex = kGpuOrder + place.gpu;
        m_builder.compatFacts().gpuPids.push_back(pid);
    }
    if (row.name == kEmptyName) {
        row.name = m_builder.name(fmt::format("stream {}", place.stream));
    }
    return track;
}

void PacketTrace::addSlice(const Edge& edge, std::uint64_t uuid, TimeNs duration,
                           trace::TrackId track) {
    const auto slice = m_builder.addSlice(
        {.start = edge.time - m_base,
         .duration = duration,
         .correlation =
             edge.ownCorrelation ? m_tracks.correlation(uuid, edge.correlation) : edge.correlation,
         .externalId = edge.externalId,
         .offset = edge.offset,
         .name = edge.name,
         .track = track,
         .category = edge.category});
    m_rows.push_back({edge.offset, edge.time - m_base, duration, uuid, edge.state, track});
    m_flows.place(edge.offset, edge.time - m_base, track, edge.correlation != trace::kNoId);
    if (edge.operation != 0) {
        trace::GpuOperation operation = m_operations[edge.operation - 1];
        operation.slice = slice;
        m_builder.addGpuOperation(operation);
    }
}

void PacketTrace::describe() {
    trace::RunInfo& info = m_builder.info();
    const source::TextSource& source = m_input.text.source();
    info.path = m_input.path;
    info.fileBytes = m_input.fileBytes;
    info.textBytes = m_textBytes;
    info.format = source.compression().empty() ? "Perfetto"
                                               : fmt::format("Perfetto, {}", source.compression());
    if (const auto boot = m_clocks.firstBoot(), real = m_clocks.firstUnix(); boot && real) {
        const TimeNs unixTime = wrappingSum(wrappingDifference(*real, *boot), m_base);
        info.baseTimeNs = unixTime;
        info.fields.push_back({"baseTimeNanoseconds", std::to_string(unixTime)});
    }
    if (source.issue()) {
        m_issues.add(source.issue()->issue, m_textBytes, [&] { return source.issue()->example; });
    }
    if (source.changed()) {
        m_issues.add(trace::Issue::FileChanged, m_textBytes, [&] {
            return fmt::format("'{}': was written to while it was read", m_input.path);
        });
    }
    trace::ImportLog& log = m_builder.log();
    log.events = m_packets;
    log.skipped = m_skipped + m_lost;
    if (m_lost > 0) {
        log.add("lost_state", trace::Severity::DataLoss, 0,
                "packets refer to names that were lost when the recorder's buffer was full",
                m_lost);
    }
    if (m_others > 0) {
        log.add("other_packet", trace::Severity::Info, 0,
                "packets of the kernel, of heaps or of samples, which are not shown", m_others);
    }
    m_issues.addTo(log);
    if (const source::InputFile* file = source.file()) {
        m_builder.setEventText(makePacketText(
            *file, {m_textBytes, std::move(m_sequences.all()), std::move(m_tracks), rowWords(),
                    std::move(m_rows), std::move(m_counters), std::move(m_flowPoints)}));
    }
}

std::vector<RowWords> PacketTrace::rowWords() {
    std::size_t count = 0;
    for (const EventRow& row : m_rows) {
        count = std::max<std::size_t>(count, row.track + 1U);
    }
    for (const trace::CounterSample& sample : m_counters) {
        count = std::max<std::size_t>(count, sample.track + 1U);
    }
    return rowsInWords(m_builder, count);
}

}  // namespace kinetoscope::import::perfetto
