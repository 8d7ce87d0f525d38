// SPDX-License-Identifier: Apache-2.0
#include "core/convert/PerfettoWriter.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <tuple>
#include <vector>

#include "core/convert/Lanes.h"
#include "core/convert/PerfettoPackets.h"
#include "core/import/wire/Names.h"

namespace kinetoscope::convert {

namespace {

using import::wire::beginningOf;

enum EventType : std::int32_t { Begin = 1, End, Instant, Counter };
// Stages and queues share their ids.
constexpr std::uint64_t kFirstQueue = 1000;
// A row beside a thread has what crosses the thread's slices.
constexpr std::uint64_t kFirstLane = std::uint64_t{1} << 62;

class Writer {
public:
    Writer(const trace::Trace& trace, const PerfettoOptions& options, text::Output& output)
        : m_trace(trace), m_file(output, options.stop, options.progress) {}

    [[nodiscard]] Result<PerfettoSummary> write() {
        writeHead(m_trace, m_file);
        groupSlices();
        auto done = threads();
        done = done ? stages() : done;
        done = done ? moments() : done;
        return done.map([&] {
            return PerfettoSummary{.events = m_file.events, .outOfRange = m_file.outOfRange};
        });
    }

private:
    // Which slices are on which track, which tracks are a GPU's, and what of them is its stages.
    void groupSlices() {
        m_slices.resize(m_trace.tracks().size());
        m_stages.resize(m_trace.tracks().size());
        m_operation.assign(m_trace.sliceCount(), 0);
        for (std::size_t i = 0; i < m_trace.gpuOperations().size(); ++i) {
            m_operation[m_trace.gpuOperations()[i].slice] = static_cast<std::uint32_t>(i) + 1;
        }
        std::vector<bool> gpu(m_trace.processes().size());
        for (const trace::GpuOperation& operation : m_trace.gpuOperations()) {
            gpu[m_trace.tracks()[m_trace.trackOf(operation.slice)].process] = true;
        }
        for (const trace::Track& track : m_trace.tracks()) {
            m_onGpu.push_back(gpu[track.process]);
        }
        for (trace::SliceId slice = 0; slice < m_trace.sliceCount(); ++slice) {
            if (!m_file.canTell(m_trace.start(slice), m_trace.end(slice))) {
                continue;
            }
            // A stage that no reader knows counts as a kernel.
            const trace::Category kind = trace::categoryKind(m_trace.categoryId(slice));
            const bool isKnown = kind != trace::Category::None && kind != trace::Category::Other;
            const trace::TrackId track = m_trace.trackOf(slice);
            (m_onGpu[track] && isKnown ? m_stages : m_slices)[track].push_back(slice);
        }
    }

    // A thread's row, or a row that is only named.
    void describe(trace::TrackId row, std::uint64_t uuid, std::uint64_t parent) {
        const trace::Track& track = m_trace.tracks()[row];
        const trace::RowId pid = m_trace.processes()[track.process].pid;
        const bool thread = track.kind == trace::TrackKind::Thread && hasNumber(pid) &&
                            !track.tid.isText && parent == processUuid(track.process);
        m_file.packet([&](pbf_writer& packet) {
            pbf_writer about(packet, 60);
            about.add_uint64(1, uuid);
            about.add_uint64(5, parent);
            std::string number;
            const auto name = track.name == kEmptyName ? rowText(m_trace, track.tid, number)
                                                       : m_trace.text(track.name);
            if (!thread) {  // beside a thread as many as it has slices
                const bool lane = parent == trackUuid(row);
                return about.add_string(2, lane ? beginningOf(name) : std::string(name));
            }
            pbf_writer inner(about, 4);
            inner.add_int32(1, static_cast<std::int32_t>(pid.value));
            inner.add_int64(2, track.tid.value);
            inner.add_string(5, std::string(m_trace.text(track.name)));
        });
    }

    [[nodiscard]] std::uint64_t trackUuid(trace::TrackId track) const {
        return processUuid(m_trace.tracks()[track].process) | idOf(track);
    }

    [[nodiscard]] Result<void> threads() {
        for (trace::TrackId track = 0; track < m_slices.size(); ++track) {
            const bool counter = m_trace.tracks()[track].kind == trace::TrackKind::Counter;
            if ((m_onGpu[track] && m_slices[track].empty()) || counter ||
                !m_trace.tracks()[track].hasEvents) {
                continue;
            }
            describeOnce(track);
            if (auto done = thread(track); !done) {
                return done;
            }
        }
        return {};
    }

    // Slices that overlap without nesting go to a row of their own below the thread's.
    [[nodiscard]] Result<void> thread(trace::TrackId track) {
        std::vector<trace::SliceId>& slices = m_slices[track];
        std::ranges::sort(slices, {}, [&](trace::SliceId slice) {
            return std::tuple(m_trace.start(slice), -m_trace.duration(slice), slice);
        });
        Lanes lanes;
        std::vector<std::uint64_t> uuids{trackUuid(track)};
        const auto end = [&](TimeNs time, std::size_t lane) { endSlice(time, uuids[lane]); };
        for (const trace::SliceId slice : slices) {
            lanes.endUntil(m_trace.start(slice), end);
            const std::size_t lane = lanes.begin(m_trace.end(slice));
            if (lane == uuids.size()) {
                uuids.push_back(m_nextLane++);
                describe(track, uuids.back(), trackUuid(track));
            }
            begin(slice, uuids[lane]);
            if (auto done = m_file.goOn(); !done) {
                return done;
            }
        }
        lanes.endUntil(std::numeric_limits<TimeNs>::max(), end);
        return {};
    }

    void endSlice(TimeNs time, std::uint64_t uuid) {
        m_file.packetAt(time, [&](pbf_writer& packet) {
            pbf_writer event(packet, 11);
            event.add_int32(9, End);
            event.add_uint64(11, uuid);
        });
    }

    void begin(trace::SliceId slice, std::uint64_t uuid) {
        ++m_file.events;
        m_file.packetAt(m_trace.start(slice), [&](pbf_writer& packet) {
            pbf_writer event(packet, 11);
            event.add_int32(9, Begin);
            event.add_uint64(11, uuid);
            event.add_uint64(10, idOf(m_trace.nameId(slice)));
            if (m_trace.categoryId(slice) != 0) {
                event.add_uint64(3, idOf(m_trace.categoryId(slice)));
            }
            const auto annotation = [&](std::uint64_t name, std::int64_t value) {
                if (value != trace::kNoId) {
                    pbf_writer entry(event, 4);
                    entry.add_uint64(1, name);
                    entry.add_int64(4, value);
                }
            };
            annotation(Correlation, m_trace.correlation(slice));
            annotation(ExternalId, m_trace.externalId(slice));
        });
    }

    [[nodiscard]] Result<void> stages() {
        for (trace::TrackId track = 0; track < m_slices.size(); ++track) {
            for (const trace::SliceId slice : m_stages[track]) {
                stage(slice);
                if (auto done = m_file.goOn(); !done) {
                    return done;
                }
            }
        }
        return {};
    }

    // The id of a queue's name, which is written on first use.
    [[nodiscard]] std::uint64_t queueOf(std::int64_t stream) {
        const auto [entry, isNew] = m_queues.try_emplace(stream, kFirstQueue + m_queues.size());
        if (isNew) {
            m_file.packet([&](pbf_writer& packet) {
                pbf_writer data(packet, 12);
                intern(data, 24, entry->second, fmt::format("stream {}", stream));
            });
        }
        return entry->second;
    }

    void stage(trace::SliceId slice) {
        ++m_file.events;
        const trace::Track& track = m_trace.tracks()[m_trace.trackOf(slice)];
        const trace::RowId pid = m_trace.processes()[track.process].pid;
        trace::GpuOperation operation;
        operation.gpu = hasNumber(pid) ? static_cast<std::int32_t>(pid.value) : 0;
        operation.stream = track.tid.isText ? 0 : track.tid.value;
        if (m_operation[slice] != 0) {
            operation = m_trace.gpuOperations()[m_operation[slice] - 1];
        }
        const std::uint64_t queue = queueOf(operation.stream);
        m_file.packetAt(m_trace.start(slice), [&](pbf_writer& packet) {
            pbf_writer stage(packet, 53);
            stage.add_uint64(1, idOf(slice));
            stage.add_uint64(2, static_cast<std::uint64_t>(m_trace.duration(slice)));
            stage.add_int32(11, operation.gpu);
            stage.add_uint64(13, queue);
            stage.add_uint64(14, idOf(m_trace.categoryId(slice)));
            stage.add_uint64(20, idOf(m_trace.nameId(slice)));
            if (hasShape(operation)) {
                writeLaunch(stage, operation);
            }
            extras(stage, slice, operation);
        });
    }

    [[nodiscard]] static bool hasShape(const trace::GpuOperation& operation) {
        return operation.grid != decltype(operation.grid){} ||
               operation.block != decltype(operation.block){};
    }

    void extras(pbf_writer& stage, trace::SliceId slice,
                const trace::GpuOperation& operation) const {
        const auto extra = [&](std::string_view name, std::int64_t value, std::int64_t none) {
            if (value != none) {
                pbf_writer data(stage, 6);
                data.add_string(1, name.data(), name.size());
                data.add_string(2, std::to_string(value));
            }
        };
        extra("stream id", operation.stream, trace::kNoId);
        extra("correlation", m_trace.correlation(slice), trace::kNoId);
        extra("External id", m_trace.externalId(slice), trace::kNoId);
        extra("bytes", static_cast<std::int64_t>(operation.bytes), 0);
        extra("graph id", operation.graph, 0);
        extra("est. achieved occupancy %", operation.occupancyPercent, -1);
        if (operation.collective) {
            pbf_writer data(stage, 6);
            data.add_string(1, "Collective name");
        }
        if (!hasShape(operation)) {
            extra("registers per thread", operation.registers, 0);
            extra("shared memory", operation.sharedBytes, 0);
        }
    }

    [[nodiscard]] Result<void> moments() {
        for (const trace::Instant& instant : m_trace.instants()) {
            if (!m_file.canTell(instant.time, instant.time)) {
                continue;
            }
            if (m_onGpu[instant.track]) {
                describeOnce(instant.track);
            }
            ++m_file.events;
            m_file.packetAt(instant.time, [&](pbf_writer& packet) {
                pbf_writer event(packet, 11);
                event.add_int32(9, Instant);
                event.add_uint64(11, trackUuid(instant.track));
                event.add_uint64(10, idOf(instant.name));
                if (instant.category != 0) {
                    event.add_uint64(3, idOf(instant.category));
                }
            });
            if (auto done = m_file.goOn(); !done) {
                return done;
            }
        }
        for (const trace::CounterSample& sample : m_trace.counters()) {
            if (!m_file.canTell(sample.time, sample.time)) {
                continue;
            }
            const std::uint64_t uuid = counterOf(sample);
            ++m_file.events;
            m_file.packetAt(sample.time, [&](pbf_writer& packet) {
                pbf_writer event(packet, 11);
                event.add_int32(9, Counter);
                event.add_uint64(11, uuid);
                event.add_double(44, sample.value);
            });
            if (auto done = m_file.goOn(); !done) {
                return done;
            }
        }
        return {};
    }

    void describeOnce(trace::TrackId track) {
        if (m_described.emplace(std::pair(track, kEmptyName), 0).second) {
            describe(track, trackUuid(track), processUuid(m_trace.tracks()[track].process));
        }
    }

    // A counter of several series is as many counters.
    [[nodiscard]] std::uint64_t counterOf(const trace::CounterSample& sample) {
        const auto [entry, isNew] =
            m_described.try_emplace({sample.track, sample.series}, m_nextLane);
        if (isNew) {
            ++m_nextLane;
            const trace::Track& track = m_trace.tracks()[sample.track];
            std::string number;
            const std::string_view name = rowText(m_trace, track.tid, number);
            const std::string_view series = m_trace.text(sample.series);
            const bool only = series.empty() || series == "value";
            m_file.packet([&](pbf_writer& packet) {
                pbf_writer about(packet, 60);
                about.add_uint64(1, entry->second);
                about.add_uint64(5, processUuid(track.process));
                about.add_string(
                    2, only ? std::string(name) : fmt::format("{} {}", beginningOf(name), series));
                pbf_writer counter(about, 8);
                counter.add_bool(5, false);  // an empty message is not written
            });
        }
        return entry->second;
    }

    const trace::Trace& m_trace;
    PacketFile m_file;
    std::vector<std::vector<trace::SliceId>> m_slices;  // by track, but for m_stages
    std::vector<std::vector<trace::SliceId>> m_stages;  // by track
    std::vector<std::uint32_t> m_operation;             // by slice: 1 + row; 0: none
    std::vector<bool> m_onGpu;                          // by track
    std::map<std::int64_t, std::uint64_t> m_queues;     // by stream
    std::map<std::pair<trace::TrackId, NameId>, std::uint64_t> m_described;
    std::uint64_t m_nextLane = kFirstLane;
};

Result<PerfettoSummary> writeTrace(const trace::Trace& trace, const PerfettoOptions& options) {
    auto file = text::OutputFile::create(options.output);
    if (!file) {
        return tl::unexpected(file.error());
    }
    if (options.progress != nullptr) {
        options.progress->start(trace.sliceCount() + trace.instants().size() +
                                trace.counters().size());
    }
    text::Output output(std::move(*file), options.output.ends_with(".gz"));
    auto summary = Writer(trace, options, output).write();
    if (!summary) {
        return summary;
    }
    return output.finish().map([&](std::uint64_t bytes) {
        summary->outputBytes = bytes;
        return *summary;
    });
}

}  // namespace

Result<PerfettoSummary> writePerfettoTrace(const trace::Trace& trace,
                                           const PerfettoOptions& options) {
    return guarded([&] { return writeTrace(trace, options); }, options.output);
}

}  // namespace kinetoscope::convert
