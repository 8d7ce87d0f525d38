// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/advise/Rule.h"
#include "core/model/DeviceRoofs.h"
#include "core/text/Format.h"

namespace kinetoscope::advise {

namespace {

using model::ClockSample;

// Clocks vary by some per cent all the time.
constexpr double kDrop = 0.93;
constexpr std::size_t kMinSamples = 10;

/// Kernels that ran at a lower clock than the trace's high one.
struct Drops {
    double highMhz = 0.0;  ///< nine of ten samples are no higher
    double lowMhz = 0.0;
    std::vector<trace::GpuOpId> kernels;
    std::vector<double> mhz;  ///< by kernel
    TimeNs ns = 0;
};

Drops findDrops(const Material& material, const query::GpuRow& row,
                const std::vector<ClockSample>& samples) {
    std::vector<double> sorted;
    sorted.reserve(samples.size());
    for (const ClockSample& sample : samples) {
        sorted.push_back(sample.mhz);
    }
    std::ranges::sort(sorted);
    Drops drops;
    drops.highMhz = sorted[sorted.size() * 9 / 10];
    drops.lowMhz = drops.highMhz;
    for (const query::OperationTime& time : row.operations) {
        const auto after =
            std::ranges::upper_bound(samples, time.span.start, {}, &ClockSample::time);
        if (after == samples.begin() || material.trace().category(material.sliceOf(
                                            time.operation)) != trace::Category::Kernel) {
            continue;
        }
        const double mhz = std::prev(after)->mhz;
        if (mhz < kDrop * drops.highMhz) {
            drops.kernels.push_back(time.operation);
            drops.mhz.push_back(mhz);
            drops.ns = addTime(drops.ns, time.span.duration());
            drops.lowMhz = std::min(drops.lowMhz, mhz);
        }
    }
    return drops;
}

Finding findingOf(const Material& material, const Drops& drops) {
    const auto steps = static_cast<TimeNs>(material.steps());
    Finding finding;
    finding.title =
        fmt::format("The SM clock drops to {:.0f} of {:.0f} MHz", drops.lowMhz, drops.highMhz);
    finding.todo =
        "Power limit, temperature or application clocks: nvidia-smi -q -d PERFORMANCE shows which; "
        "lock the clocks when measuring.";
    finding.whatIf = "those kernels become shorter in proportion to the clock";
    finding.evidence = {{"high clock", fmt::format("{:.0f} MHz", drops.highMhz),
                         "90th percentile of the SM clock samples", "whole trace"},
                        {"lowest clock of a kernel", fmt::format("{:.0f} MHz", drops.lowMhz),
                         "Last sample before the kernel started", "whole trace"},
                        {"time of such kernels per step", text::formatDuration(drops.ns / steps),
                         "Kernels that started below 93 % of the high clock", "whole trace"}};
    std::vector<trace::SliceId> slices;
    for (std::size_t i = 0; i < drops.kernels.size(); ++i) {
        slices.push_back(material.sliceOf(drops.kernels[i]));
        finding.changes.push_back({.node = material.nodeOf(drops.kernels[i]),
                                   .scale = static_cast<float>(drops.mhz[i] / drops.highMhz)});
    }
    finding.events = longestEvents(material.trace(), std::move(slices));
    return finding;
}

Found findClockDrops(const Material& material) {
    Found found;
    bool anySamples = false;
    for (const query::GpuRow& row : material.timeline().gpus()) {
        const std::vector<ClockSample> samples = model::clockSamples(material.trace(), row.gpu);
        if (samples.size() < kMinSamples) {
            continue;
        }
        anySamples = true;
        const Drops drops = findDrops(material, row, samples);
        if (!drops.kernels.empty()) {
            found.findings.push_back(findingOf(material, drops));
        }
    }
    if (!anySamples) {
        found.abstained = "the trace has no GPU clock samples; kscope record takes them";
    }
    return found;
}

}  // namespace

Rule clockDropsRule() {
    return {{"clock-drops", "Clock drops",
             "Kernels ran at a lower SM clock than the GPU reached elsewhere in the trace."},
            findClockDrops};
}

}  // namespace kinetoscope::advise
