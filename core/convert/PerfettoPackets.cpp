// SPDX-License-Identifier: Apache-2.0
#include "core/convert/PerfettoPackets.h"

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

namespace kinetoscope::convert {

namespace {

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

void writeCategory(const trace::Trace& trace, pbf_writer& data, trace::CategoryId id) {
    const std::string_view text = trace.categoryText(id);
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

// What no timestamp is negative with, nor later than readers take; of a trace that is too long for
// both, the latter.
TimeNs originOf(const trace::Trace& trace, TimeNs unixTime) {
    TimeSpan times = trace.extent();
    const auto reach = [&](const auto& rows) {
        for (const auto& row : rows) {
            times.start = std::min(times.start, row.time);
            times.end = std::max(times.end, row.time);
        }
    };
    reach(trace.instants());
    reach(trace.counters());
    constexpr TimeNs kMost = 2 * kFarthestTime;
    const TimeNs first = std::clamp(times.start, -kMost, kMost);
    const TimeNs last = std::clamp(times.end, -kMost, kMost);
    return std::min(std::max({unixTime, TimeNs{0}, -first}), kFarthestTime - last);
}

// Times count from a snapshot of the clocks, so that they are read back as they are.
void writeClocks(const trace::Trace& trace, PacketFile& file) {
    const auto unixTime = trace.info().baseTimeNs;
    file.origin = originOf(trace, unixTime.value_or(0));
    file.packet([&](pbf_writer& packet) {
        packet.add_uint64(8, static_cast<std::uint64_t>(file.origin));
        pbf_writer snapshot(packet, 6);
        const auto clock = [&](std::uint32_t id, std::int64_t time) {
            pbf_writer reading(snapshot, 1);
            reading.add_uint32(1, id);
            reading.add_uint64(2, static_cast<std::uint64_t>(time));
        };
        constexpr std::uint32_t kRealtime = 1;
        constexpr std::uint32_t kBoottime = 6;
        clock(kBoottime, file.origin);
        if (unixTime && *unixTime >= 0) {
            clock(kRealtime, *unixTime);
        }
    });
}

void writeProcesses(const trace::Trace& trace, PacketFile& file) {
    for (std::uint32_t row = 0; row < trace.processes().size(); ++row) {
        const trace::Process& process = trace.processes()[row];
        file.packet([&](pbf_writer& packet) {
            pbf_writer track(packet, 60);
            track.add_uint64(1, processUuid(row));
            if (!hasNumber(process.pid)) {
                track.add_string(2, std::string(trace.rowIdText(process.pid)));
                return;
            }
            pbf_writer about(track, 3);
            about.add_int32(1, static_cast<std::int32_t>(process.pid.value));
            about.add_string(6, std::string(trace.text(process.name)));
        });
    }
}

// Everything that events refer to by a number.
void writeNames(const trace::Trace& trace, PacketFile& file) {
    file.packet([&](pbf_writer& packet) {
        packet.add_uint32(13, Cleared);
        pbf_writer data(packet, 12);
        intern(data, 3, Correlation, "correlation");
        intern(data, 3, ExternalId, "External id");
        intern(data, 1001, Registers, "registers_per_thread");
        intern(data, 1001, SharedMemory, "shared_mem_dynamic");
        std::vector<bool> used(std::numeric_limits<trace::CategoryId>::max() + 1);
        for (const trace::CategoryId category : trace.categoryIds()) {
            used[category] = true;
        }
        for (const trace::Instant& instant : trace.instants()) {
            used[instant.category] = true;
        }
        for (std::uint32_t category = 1; category < used.size(); ++category) {
            if (used[category]) {
                writeCategory(trace, data, static_cast<trace::CategoryId>(category));
            }
        }
    });
    constexpr NameId kAtOnce = 1000;  // in a packet
    for (NameId first = 0; first < trace.names().size(); first += kAtOnce) {
        file.packet([&](pbf_writer& packet) {
            pbf_writer data(packet, 12);
            const auto end = std::min<std::size_t>(trace.names().size(), first + kAtOnce);
            for (NameId name = first; name < end; ++name) {
                intern(data, 2, idOf(name), trace.text(name));
            }
        });
    }
}

}  // namespace

std::string_view rowText(const trace::Trace& trace, trace::RowId id, std::string& storage) {
    storage = id.isText ? std::string() : std::to_string(id.value);
    return id.isText ? trace.text(static_cast<NameId>(id.value)) : std::string_view(storage);
}

void intern(pbf_writer& data, std::uint32_t field, std::uint64_t id, std::string_view text) {
    pbf_writer entry(data, field);
    entry.add_uint64(1, id);
    entry.add_string(2, text.data(), text.size());
}

void writeLaunch(pbf_writer& stage, const trace::GpuOperation& operation) {
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
    argument(Registers, operation.registers);
    argument(SharedMemory, operation.sharedBytes);
}

void writeHead(const trace::Trace& trace, PacketFile& file) {
    writeClocks(trace, file);
    writeProcesses(trace, file);
    writeNames(trace, file);
}

}  // namespace kinetoscope::convert
