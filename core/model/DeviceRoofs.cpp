// SPDX-License-Identifier: Apache-2.0
#include "core/model/DeviceRoofs.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/query/Intervals.h"

namespace kinetoscope::model {

namespace {

// Recordings use NVML's names.
constexpr std::string_view kClocks = "Clocks (MHz)";
constexpr std::string_view kSmClock = "SM";

const GpuRoof* measuredFor(std::string_view device, std::span<const GpuRoof> measured) {
    const auto found = std::ranges::find_if(measured, [&](const GpuRoof& roof) {
        return std::ranges::find(roof.match, device) != roof.match.end();
    });
    return found == measured.end() ? nullptr : &*found;
}

// Anything not measured keeps the maker's figure.
GpuRoof completed(const GpuRoof& measured, const GpuRoof* maker) {
    GpuRoof roof = measured;
    if (maker == nullptr) {
        return roof;
    }
    if (roof.memoryBytesPerSecond <= 0.0) {
        roof.memoryBytesPerSecond = maker->memoryBytesPerSecond;
    }
    std::string types;
    for (const auto& [type, peak] : maker->peaks) {
        if (roof.peak(type) <= 0.0) {
            roof.peaks.emplace_back(type, peak);
            roof.peakClocksMhz.emplace_back(type, maker->clockMhz);
            types += (types.empty() ? "" : ", ") + type;
        }
    }
    if (!types.empty()) {
        roof.note = fmt::format("{} not measured: of {}", types, maker->name);
    }
    return roof;
}

double clockOf(const GpuRoof& roof, const std::string& type) {
    const auto own =
        std::ranges::find(roof.peakClocksMhz, type, [](const auto& one) { return one.first; });
    return own == roof.peakClocksMhz.end() ? roof.clockMhz : own->second;
}

// Memory has a clock of its own.
GpuRoof scaled(GpuRoof roof, double clockMhz) {
    for (auto& [type, peak] : roof.peaks) {
        const double at = clockOf(roof, type);
        peak *= at > 0.0 ? clockMhz / at : 1.0;
    }
    return roof;
}

}  // namespace

std::vector<ClockSample> clockSamples(const trace::Trace& trace, std::int32_t gpu) {
    std::vector<ClockSample> samples;
    for (const trace::CounterSample& sample : trace.counters()) {
        const trace::Track& track = trace.tracks()[sample.track];
        const trace::RowId& pid = trace.processes()[track.process].pid;
        if (!pid.isText && pid.value == gpu && sample.value > 0.0 &&
            trace.text(sample.series) == kSmClock && trace.rowIdText(track.tid) == kClocks) {
            samples.push_back({sample.time, sample.value});
        }
    }
    std::ranges::stable_sort(samples, {}, &ClockSample::time);
    return samples;
}

double meanClockMhz(const trace::Trace& trace, std::int32_t gpu) {
    const std::vector<ClockSample> samples = clockSamples(trace, gpu);
    if (samples.size() < 2) {
        return 0.0;
    }
    std::vector<TimeSpan> spans;
    for (const trace::GpuOperation& operation : trace.gpuOperations()) {
        if (operation.gpu == gpu) {
            spans.push_back(trace.span(operation.slice));
        }
    }
    const query::CoveredTime busy(query::unionOfUnsorted(std::move(spans)));
    double sum = 0.0;
    double time = 0.0;
    for (std::size_t i = 0; i + 1 < samples.size(); ++i) {
        const auto inside =
            static_cast<double>(busy.inside({samples[i].time, samples[i + 1].time}));
        sum += samples[i].mhz * inside;
        time += inside;
    }
    return time > 0.0 ? sum / time : 0.0;
}

DeviceRoof deviceRoof(const trace::Trace& trace, std::int32_t gpu,
                      std::span<const GpuRoof> measured) {
    DeviceRoof found{.gpu = gpu, .device = {}, .own = {}};
    const trace::DeviceProperties* device = trace.info().device(gpu);
    if (device == nullptr) {
        return found;
    }
    found.device = device->name;
    found.roof = GpuTable::builtin().find(device->name);
    if (const GpuRoof* own = measuredFor(device->name, measured)) {
        found.measured = true;
        found.own = std::make_shared<GpuRoof>(completed(*own, found.roof));
        found.roof = found.own.get();
    }
    if (found.roof == nullptr) {
        return found;
    }
    found.clockMhz = meanClockMhz(trace, gpu);
    if (found.clockMhz > 0.0) {
        found.own = std::make_shared<GpuRoof>(scaled(*found.roof, found.clockMhz));
        found.roof = found.own.get();
    }
    return found;
}

}  // namespace kinetoscope::model
