// SPDX-License-Identifier: Apache-2.0
// The part of the fake CUPTI that samples counters: DRAM is read at 100 and written at 50 GB/s, all
// shares are 25 %. PCIe and DRAM together take two passes; there is no NVLink. FAKE_PM is "denied",
// "busy", "overflow": the first look finds the buffer full, and that sampler never starts again, or
// "lossy": no sample comes after the start.
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <set>
#include <string>
#include <string_view>

#include "core/capture/counters/PmSamplingAbi.h"

using namespace kinetoscope::capture;
using namespace kinetoscope::capture::counters;

namespace kinetoscope::capture::counters::pm {

struct Host {
    std::set<std::string> metrics;
    bool configured = false;
};
struct Sampler {
    std::uint64_t interval = 0;
    std::uint64_t next = 0;  // start of the sample that comes next
    std::uint64_t start = 0;
    std::uint64_t stopped = 0;
    bool running = false;
    bool stuck = false;
};

}  // namespace kinetoscope::capture::counters::pm

namespace {

// What stands in the images that the caller keeps.
struct Data {
    std::uint64_t first;
    std::uint64_t interval;
    std::uint64_t count;
};

constexpr cupti::Result kInvalidParameter = 1;
constexpr cupti::Result kUnknownMetric = 999;
constexpr cupti::Result kUnknown = 999;

std::string_view mode() {
    const char* text = std::getenv("FAKE_PM");
    return text == nullptr ? "" : text;
}

std::uint64_t now() {
    return static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(
                                          std::chrono::system_clock::now().time_since_epoch())
                                          .count());
}

Data dataOf(const std::uint8_t* image) {
    Data data{};
    std::memcpy(&data, image, sizeof data);
    return data;
}

}  // namespace

extern "C" {

cupti::Result cuptiProfilerInitialize(pm::Initialize*) {
    return 0;
}
cupti::Result cuptiDeviceGetChipName(pm::ChipName* arguments) {
    arguments->name = "FAKE";
    return 0;
}
cupti::Result cuptiPmSamplingGetCounterAvailability(pm::Availability* arguments) {
    arguments->bytes = 8;
    return mode() == "denied" ? pm::kInsufficientPrivileges
           : mode() == "busy" ? pm::kHardwareBusy
                              : 0;
}
cupti::Result cuptiProfilerHostInitialize(pm::HostInitialize* arguments) {
    arguments->host = new pm::Host;
    return 0;
}
cupti::Result cuptiProfilerHostDeinitialize(pm::HostOnly* arguments) {
    delete arguments->host;
    return 0;
}
cupti::Result cuptiProfilerHostConfigAddMetrics(pm::AddMetrics* arguments) {
    for (std::size_t i = 0; i < arguments->count; ++i) {
        if (std::string_view(arguments->names[i]).starts_with("nvl")) {
            return kUnknownMetric;
        }
        arguments->host->metrics.insert(arguments->names[i]);
    }
    return 0;
}
cupti::Result cuptiProfilerHostGetConfigImageSize(pm::ConfigSize* arguments) {
    arguments->bytes = 1;
    return 0;
}
cupti::Result cuptiProfilerHostGetConfigImage(pm::ConfigImage* arguments) {
    bool dram = false;
    bool pcie = false;
    for (const std::string& metric : arguments->host->metrics) {
        dram |= metric.starts_with("dram");
        pcie |= metric.starts_with("pcie");
    }
    arguments->host->configured = true;
    *arguments->image = dram && pcie ? 2 : 1;
    return 0;
}
cupti::Result cuptiProfilerHostGetNumOfPasses(pm::Passes* arguments) {
    arguments->passes = *arguments->image;
    return 0;
}
cupti::Result cuptiPmSamplingEnable(pm::Enable* arguments) {
    arguments->sampler = new pm::Sampler;
    return 0;
}
cupti::Result cuptiPmSamplingDisable(pm::Start* arguments) {
    delete arguments->sampler;
    return 0;
}
cupti::Result cuptiPmSamplingSetConfig(pm::SetConfig* arguments) {
    arguments->sampler->interval = arguments->interval;
    return 0;
}
cupti::Result cuptiPmSamplingStart(pm::Start* arguments) {
    if (arguments->sampler->stuck) {
        return kUnknown;
    }
    arguments->sampler->next = now() - arguments->sampler->interval;
    arguments->sampler->start = now();
    arguments->sampler->running = true;
    return 0;
}
cupti::Result cuptiPmSamplingStop(pm::Start* arguments) {
    arguments->sampler->running = false;
    arguments->sampler->stopped = now();
    return 0;
}
cupti::Result cuptiPmSamplingGetCounterDataSize(pm::DataSize* arguments) {
    arguments->bytes = sizeof(Data);
    return 0;
}
cupti::Result cuptiPmSamplingCounterDataImageInitialize(pm::InitializeData* arguments) {
    std::memset(arguments->data, 0, arguments->bytes);
    return 0;
}
cupti::Result cuptiPmSamplingDecodeData(pm::Decode* arguments) {
    static bool overflowed = false;
    if (mode() == "overflow" && !overflowed) {
        overflowed = true;
        arguments->sampler->stuck = true;
        arguments->overflow = 1;
        return 0;
    }
    pm::Sampler& sampler = *arguments->sampler;
    const std::uint64_t present = sampler.running ? now() : sampler.stopped;
    const std::uint64_t end = mode() == "lossy" ? std::min(present, sampler.start) : present;
    Data data{sampler.next, sampler.interval, 0};
    while (data.count < 16 && sampler.next + sampler.interval <= end) {
        sampler.next += sampler.interval;
        ++data.count;
    }
    std::memcpy(arguments->data, &data, sizeof data);
    const bool more = sampler.next + sampler.interval <= end;
    arguments->stopReason = more ? pm::kDataFull : 2U;
    return 0;
}
cupti::Result cuptiPmSamplingGetCounterDataInfo(pm::DataInfo* arguments) {
    arguments->completed = dataOf(arguments->data).count;
    return 0;
}
cupti::Result cuptiPmSamplingCounterDataGetSampleInfo(pm::SampleInfo* arguments) {
    const Data data = dataOf(arguments->data);
    arguments->start = data.first + arguments->sample * data.interval;
    arguments->end = arguments->start + data.interval;
    return 0;
}
cupti::Result cuptiProfilerHostEvaluateToGpuValues(pm::Evaluate* arguments) {
    const Data data = dataOf(arguments->data);
    for (std::size_t i = 0; i < arguments->count; ++i) {
        const std::string_view name = arguments->names[i];
        if (!arguments->host->configured || !arguments->host->metrics.contains(std::string(name))) {
            return kInvalidParameter;
        }
        const bool read = name == "dram__bytes_read.sum";
        arguments->values[i] = name.starts_with("dram")
                                   ? static_cast<double>(data.interval * (read ? 100U : 50U))
                                   : 25.0;
    }
    return 0;
}
}
