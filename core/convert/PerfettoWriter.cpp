// SPDX-License-Identifier: Apache-2.0
#include "core/convert/PerfettoWriter.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <protozero/pbf_writer.hpp>
#include <tuple>
#include <vector>

#include "core/base/Threads.h"
#include "core/convert/Output.h"

namespace kinetoscope::convert {

namespace {

using protozero::pbf_writer;

constexpr std::size_t kPacketWriteBytes = 4U << 20;
constexpr std::uint32_t kSequence = 1;
enum Flags : std::uint32_t { kCleared = 1, kNeedsState = 2 };
enum EventType : std::int32_t { kBegin = 1, kEnd, kInstant, kCounter };
// Ids of annotations' and launch arguments' names.
enum : std::uint64_t { kCorrelation = 1, kExternalId = 2, kRegisters = 1, kSharedMemory = 2 };
// Stages and queues share their ids.
constexpr std::uint64_t kFirstQueue = 1000;
// A row beside a thread has what crosses the thread's slices.
constexpr std::uint64_t kFirstLane = std::uint64_t{1} << 62;

constexpr std::uint64_t idOf(std::uint32_t row) {
    return std::uint64_t{row} + 1;  // 0 is none
}

std::uint64_t processUuid(std::uint32_t process) {
    return idOf(process) << 32U;
}

struct StageName {
    trace::Category category;
    std::string_view name;
};
// As PyTorch calls them; others are called like their category.
constexpr StageName kStageNames[] = {
    {trace::Category::Kernel, "Kernel"},
    {trace::Category::GpuMemcpy, "Memcpy"},
    {trace::Category::GpuMemset, "Memset"},
    {trace::Category::GpuUserAnnotation, "Annotation"},
};

class Writer {
public:
    Writer(const trace::Trace& trace, const PerfettoOptions& options, Output& output)
        : m_trace(trace), m_options(options), m_output(output) {}

    [[nodiscard]] Result<std::uint64_t> write() {
        groupSlices();
        clocks();
        processes();
        names();
        auto done = threads();
        done = done ? stages() : done;
        done = done ? moments() : done;
        return done ? Result<std::uint64_t>(m_events) : tl::unexpected(done.error());
    }

private:
    // Which slices are on which track, and which tracks are a GPU's.
    void groupSlices() {
        m_slices.resize(m_trace.tracks().size());
        m_operation.assign(m_trace.sliceCount(), 0);
        for (std::size_t i = 0; i < m_trace.gpuOperations().size(); ++i) {
            m_operation[m_trace.gpuOperations()[i].slice] = static_cast<std::uint32_t>(i) + 1;
        }
        std::vector<bool> gpu(m_trace.processes().size());
        for (trace::SliceId slice = 0; slice < m_trace.sliceCount(); ++slice) {
            const trace::TrackId track = m_trace.trackOf(slice);
            m_slices[track].push_back(slice);
            if (m_operation[slice] != 0) {
                gpu[m_trace.tracks()[track].process] = true;
            }
        }
        for (const trace::Track& track : m_trace.tracks()) {
            m_onGpu.push_back(gpu[track.process]);
        }
    }

    // Calls fill(packet) for one more packet.
    template <class Fill>
    void packet(Fill&& fill) {
        pbf_writer trace(m_output.text);
        pbf_writer message(trace, 1);
        message.add_uint32(10, kSequence);
        fill(message);
    }
    template <class Fill>
    void packetAt(TimeNs time, Fill&& fill) {
        packet([&](pbf_writer& packet) {
            packet.add_uint64(8, static_cast<std::uint64_t>(time + m_origin));
            packet.add_uint32(13, kNeedsState);
            fill(packet);
        });
    }
    [[nodiscard]] Result<void> goOn() {
        throwIfStopped(m_options.stop);
        if (m_options.progress != nullptr) {
            m_options.progress->set(m_events);
        }
        return m_output.flush(kPacketWriteBytes);
    }

    // Times count from a snapshot of the clocks, so that they are read back as they are.
    void clocks() {
        const auto unixTime = m_trace.info().baseTimeNs;
        m_origin = std::max<TimeNs>(unixTime.value_or(0), 0);
        TimeNs first = m_trace.extent().start;
        for (const trace::Instant& instant : m_trace.instants()) {
            first = std::min(first, instant.time);
        }
        for (const trace::CounterSample& sample : m_trace.counters()) {
            first = std::min(first, sample.time);
        }
        if (first < 0 && m_origin < -first) {
            m_origin = -first;  // no timestamp is negative
        }
        packet([&](pbf_writer& packet) {
            packet.add_uint64(8, static_cast<std::uint64_t>(m_origin));
            pbf_writer snapshot(packet, 6);
            const auto clock = [&](std::uint32_t id, std::int64_t time) {
                pbf_writer reading(snapshot, 1);
                reading.add_uint32(1, id);
                reading.add_uint64(2, static_cast<std::uint64_t>(time));
            };
            constexpr std::uint32_t kRealtime = 1;
            constexpr std::uint32_t kBoottime = 6;
            clock(kBoottime, m_origin);
            if (unixTime && *unixTime >= 0) {
                clock(kRealtime, *unixTime);
            }
        });
    }

    void processes() {
        for (std::uint32_t row = 0; row < m_trace.processes().size(); ++row) {
            const trace::Process& process = m_trace.processes()[row];
            packet([&](pbf_writer& packet) {
                pbf_writer track(packet, 60);
                track.add_uint64(1, processUuid(row));
                if (process.pid.isText) {
                    track.add_string(2, std::string(m_trace.rowIdText(process.pid)));
                    return;
                }
                pbf_writer about(track, 3);
                about.add_int32(1, static_cast<std::int32_t>(process.pid.value));
                about.add_string(6, std::string(m_trace.text(process.name)));
            });
        }
    }

    // Everything that events refer to by a number.
    void names() {
        packet([&](pbf_writer& packet) {
            packet.add_uint32(13, kCleared);
            pbf_writer data(packet, 12);
            intern(data, 3, kCorrelation, "correlation");
            intern(data, 3, kExternalId, "External id");
            intern(data, 1001, kRegisters, "registers_per_thread");
            intern(data, 1001, kSharedMemory, "shared_mem_dynamic");
            std::vector<bool> used(std::numeric_limits<trace::CategoryId>::max() + 1);
            for (const trace::CategoryId category : m_trace.categoryIds()) {
                used[category] = true;
            }
            for (const trace::Instant& instant : m_trace.instants()) {
                used[instant.category] = true;
            }
            for (std::uint32_t category = 1; category < used.size(); ++category) {
                if (used[category]) {
                    this->category(data, static_cast<trace::CategoryId>(category));
                }
            }
        });
        constexpr NameId kAtOnce = 1000;  // in a packet
        for (NameId first = 0; first < m_trace.names().size(); first += kAtOnce) {
            packet([&](pbf_writer& packet) {
                pbf_writer data(packet, 12);
                const auto end = std::min<std::size_t>(m_trace.names().size(), first + kAtOnce);
                for (NameId name = first; name < end; ++name) {
                    intern(data, 2, idOf(name), m_trace.text(name));
                }
            });
        }
    }

    void category(pbf_writer& data, trace::CategoryId id) {
        const std::string_view text = m_trace.categoryText(id);
        intern(data, 1, idOf(id), text);
        const auto* stage =
            std::ranges::find(kStageNames, trace::categoryKind(id), &StageName::category);
        constexpr std::int32_t kCompute = 2;
        pbf_writer spec(data, 24);
        spec.add_uint64(1, idOf(id));
        spec.add_string(2, std::string(stage == std::end(kStageNames) ? text : stage->name));
        spec.add_string(3, std::string(text));
        if (trace::categoryKind(id) == trace::Category::Kernel) {
            spec.add_int32(4, kCompute);
        }
    }

    static void intern(pbf_writer& data, std::uint32_t field, std::uint64_t id,
                       std::string_view text) {
        pbf_writer entry(data, field);
        entry.add_uint64(1, id);
        entry.add_string(2, text.data(), text.size());
    }

    // A thread's row, or a row that is only named.
    void describe(trace::TrackId row, std::uint64_t uuid, std::uint64_t parent) {
        const trace::Track& track = m_trace.tracks()[row];
        const trace::RowId pid = m_trace.processes()[track.process].pid;
        const bool thread = track.kind == trace::TrackKind::Thread && !pid.isText &&
                            !track.tid.isText && parent == processUuid(track.process);
        packet([&](pbf_writer& packet) {
            pbf_writer about(packet, 60);
            about.add_uint64(1, uuid);
            about.add_uint64(5, parent);
            const std::string name(track.name == kEmptyName ? m_trace.rowIdText(track.tid)
                                                            : m_trace.text(track.name));
            if (!thread) {
                return about.add_string(2, name);
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
            if (m_onGpu[track] || counter || !m_trace.tracks()[track].hasEvents) {
                continue;
            }
            describe(track, trackUuid(track), processUuid(m_trace.tracks()[track].process));
            if (auto done = thread(track); !done) {
                return done;
            }
        }
        return {};
    }

    struct Lane {
        std::uint64_t uuid = 0;
        std::vector<TimeNs> open;  // ends of what has begun, the innermost last
    };

    // What crosses in time does not nest, so it goes to a row of its own below the thread's.
    [[nodiscard]] Result<void> thread(trace::TrackId track) {
        std::vector<trace::SliceId>& slices = m_slices[track];
        std::ranges::sort(slices, {}, [&](trace::SliceId slice) {
            return std::tuple(m_trace.start(slice), -m_trace.duration(slice), slice);
        });
        std::vector<Lane> lanes;
        for (const trace::SliceId slice : slices) {
            Lane* chosen = nullptr;
            for (std::size_t i = 0; i < lanes.size() && chosen == nullptr; ++i) {
                close(lanes[i], m_trace.start(slice));
                const bool nests =
                    lanes[i].open.empty() || lanes[i].open.back() >= m_trace.end(slice);
                chosen = nests ? &lanes[i] : nullptr;
            }
            if (chosen == nullptr) {
                const bool first = lanes.empty();
                chosen = &lanes.emplace_back(Lane{first ? trackUuid(track) : m_nextLane++, {}});
                if (!first) {
                    describe(track, chosen->uuid, trackUuid(track));
                }
            }
            begin(slice, chosen->uuid);
            chosen->open.push_back(m_trace.end(slice));
            if (auto done = goOn(); !done) {
                return done;
            }
        }
        for (Lane& lane : lanes) {
            close(lane, std::numeric_limits<TimeNs>::max());
        }
        return {};
    }

    void close(Lane& lane, TimeNs until) {
        while (!lane.open.empty() && lane.open.back() <= until) {
            packetAt(lane.open.back(), [&](pbf_writer& packet) {
                pbf_writer event(packet, 11);
                event.add_int32(9, kEnd);
                event.add_uint64(11, lane.uuid);
            });
            lane.open.pop_back();
        }
    }

    void begin(trace::SliceId slice, std::uint64_t uuid) {
        ++m_events;
        packetAt(m_trace.start(slice), [&](pbf_writer& packet) {
            pbf_writer event(packet, 11);
            event.add_int32(9, kBegin);
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
            annotation(kCorrelation, m_trace.correlation(slice));
            annotation(kExternalId, m_trace.externalId(slice));
        });
    }

    [[nodiscard]] Result<void> stages() {
        for (trace::TrackId track = 0; track < m_slices.size(); ++track) {
            if (!m_onGpu[track]) {
                continue;
            }
            for (const trace::SliceId slice : m_slices[track]) {
                stage(slice);
                if (auto done = goOn(); !done) {
                    return done;
                }
            }
        }
        return {};
    }

    // The id of a queue's name, which is told when it is first used.
    [[nodiscard]] std::uint64_t queueOf(std::int64_t stream) {
        const auto [entry, isNew] = m_queues.try_emplace(stream, kFirstQueue + m_queues.size());
        if (isNew) {
            packet([&](pbf_writer& packet) {
                pbf_writer data(packet, 12);
                intern(data, 24, entry->second, fmt::format("stream {}", stream));
            });
        }
        return entry->second;
    }

    void stage(trace::SliceId slice) {
        ++m_events;
        const trace::Track& track = m_trace.tracks()[m_trace.trackOf(slice)];
        const trace::RowId pid = m_trace.processes()[track.process].pid;
        trace::GpuOperation operation;
        operation.gpu = pid.isText ? 0 : static_cast<std::int32_t>(pid.value);
        operation.stream = track.tid.isText ? 0 : track.tid.value;
        if (m_operation[slice] != 0) {
            operation = m_trace.gpuOperations()[m_operation[slice] - 1];
        }
        const std::uint64_t queue = queueOf(operation.stream);
        packetAt(m_trace.start(slice), [&](pbf_writer& packet) {
            pbf_writer stage(packet, 53);
            stage.add_uint64(1, idOf(slice));
            stage.add_uint64(2, static_cast<std::uint64_t>(m_trace.duration(slice)));
            stage.add_int32(11, operation.gpu);
            stage.add_uint64(13, queue);
            stage.add_uint64(14, idOf(m_trace.categoryId(slice)));
            stage.add_uint64(20, idOf(m_trace.nameId(slice)));
            if (operation.grid[0] > 0) {
                launch(stage, operation);
            }
            extras(stage, slice, operation);
        });
    }

    static void launch(pbf_writer& stage, const trace::GpuOperation& operation) {
        pbf_writer launch(stage, 21);
        const auto triple = [&](std::uint32_t field, const auto& values) {
            pbf_writer sides(launch, field);
            sides.add_uint32(1, values[0]);
            sides.add_uint32(2, values[1]);
            sides.add_uint32(3, values[2]);
        };
        triple(1, operation.grid);
        triple(2, operation.block);
        const auto argument = [&](std::uint64_t name, std::uint64_t value) {
            pbf_writer entry(launch, 3);
            entry.add_uint64(1, name);
            entry.add_uint64(4, value);
        };
        argument(kRegisters, operation.registers);
        argument(kSharedMemory, operation.sharedBytes);
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
        if (operation.grid[0] == 0) {
            extra("registers per thread", operation.registers, 0);
            extra("shared memory", operation.sharedBytes, 0);
        }
    }

    [[nodiscard]] Result<void> moments() {
        for (const trace::Instant& instant : m_trace.instants()) {
            if (m_onGpu[instant.track]) {
                describeOnce(instant.track);
            }
            ++m_events;
            packetAt(instant.time, [&](pbf_writer& packet) {
                pbf_writer event(packet, 11);
                event.add_int32(9, kInstant);
                event.add_uint64(11, trackUuid(instant.track));
                event.add_uint64(10, idOf(instant.name));
                if (instant.category != 0) {
                    event.add_uint64(3, idOf(instant.category));
                }
            });
            if (auto done = goOn(); !done) {
                return done;
            }
        }
        for (const trace::CounterSample& sample : m_trace.counters()) {
            const std::uint64_t uuid = counterOf(sample);
            ++m_events;
            packetAt(sample.time, [&](pbf_writer& packet) {
                pbf_writer event(packet, 11);
                event.add_int32(9, kCounter);
                event.add_uint64(11, uuid);
                event.add_double(44, sample.value);
            });
            if (auto done = goOn(); !done) {
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
            std::string name(m_trace.rowIdText(track.tid));
            if (sample.series != kEmptyName && m_trace.text(sample.series) != "value") {
                name += fmt::format(" {}", m_trace.text(sample.series));
            }
            packet([&](pbf_writer& packet) {
                pbf_writer about(packet, 60);
                about.add_uint64(1, entry->second);
                about.add_uint64(5, processUuid(track.process));
                about.add_string(2, name);
                const pbf_writer counter(about, 8);
            });
        }
        return entry->second;
    }

    const trace::Trace& m_trace;
    const PerfettoOptions& m_options;
    Output& m_output;
    TimeNs m_origin = 0;                                // timestamps are later by it than times
    std::vector<std::vector<trace::SliceId>> m_slices;  // by track
    std::vector<std::uint32_t> m_operation;             // by slice: 1 + row; 0: none
    std::vector<bool> m_onGpu;                          // by track
    std::map<std::int64_t, std::uint64_t> m_queues;     // by stream
    std::map<std::pair<trace::TrackId, NameId>, std::uint64_t> m_described;
    std::uint64_t m_nextLane = kFirstLane;
    std::uint64_t m_events = 0;
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
    Output output(std::move(*file), options.output.ends_with(".gz"));
    const auto events = Writer(trace, options, output).write();
    if (!events) {
        return tl::unexpected(events.error());
    }
    return output.finish().map([&](std::uint64_t bytes) {
        return PerfettoSummary{*events, bytes};
    });
}

}  // namespace

Result<PerfettoSummary> writePerfettoTrace(const trace::Trace& trace,
                                           const PerfettoOptions& options) {
    return guarded([&] { return writeTrace(trace, options); }, options.output);
}

}  // namespace kinetoscope::convert
