// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "core/advise/Rule.h"
#include "core/model/Roofline.h"
#include "core/text/Format.h"

namespace kinetoscope::advise {

namespace {

using model::Bound;
using model::RooflineRow;

// Above it a kernel is as good as kernels are.
constexpr double kFarBelow = 0.5;
// Of kernels whose work is known; below it a rule about work says nothing about the trace.
constexpr double kMinCoverage = 0.25;

bool isFarBelow(const RooflineRow& row) {
    return row.efficiency && *row.efficiency < kFarBelow &&
           (row.bound == Bound::Compute || row.bound == Bound::Memory) && row.recoverableNs > 0;
}

std::string reached(const RooflineRow& row) {
    return row.bound == Bound::Compute ? fmt::format("{:.1f} TFLOP/s", row.teraflopsPerSecond())
                                       : fmt::format("{:.0f} GB/s", row.gigabytesPerSecond());
}

Finding findingOf(const Material& material, const RooflineRow& row) {
    const auto steps = static_cast<TimeNs>(material.steps());
    Finding finding;
    finding.title = fmt::format("{:.0f} % of its roof ({}): {}", *row.efficiency * 100.0,
                                boundName(row.bound), labelOf(row.name));
    finding.todo =
        row.bound == Bound::Compute
            ? "Try other implementations (kscope bench operators --from), lower precision, sizes "
              "that are multiples of 64."
            : "Fuse it with its neighbours (torch.compile), or try other implementations.";
    finding.whatIf = "its launches take as long as their work needs at the roof";
    finding.evidence = {
        {"kernel", row.name, "", ""},
        {"launches" + material.each("a step"), perStep(row.count, material.steps()), "",
         "whole trace"},
        {"time" + material.each("a step"), text::formatDuration(row.timeNs / steps),
         "Sum of its launches", "whole trace"},
        {"reached", reached(row),
         "Work of the operators that launched it, computed from their shapes, divided by its time",
         "whole trace"},
        {"of its roof", fmt::format("{:.1f} %", *row.efficiency * 100.0),
         "Time needed at the data sheet's peak or bandwidth, whichever is longer, divided by its "
         "time",
         "whole trace"},
        {"time above the roof" + material.each("per step"),
         text::formatDuration(row.recoverableNs.value_or(0) / steps), "", "whole trace"}};
    return finding;
}

Found findBelowRoof(const Material& material) {
    const Result<model::LaunchedCalls>& calls = material.calls();
    if (!calls) {
        return {{}, calls.error().message};
    }
    const model::Roofline roofline =
        model::makeRoofline(material.trace(), *calls, model::RooflineBy::Kernel);
    const bool noRoof = std::ranges::all_of(
        roofline.roofs, [](const model::DeviceRoof& roof) { return roof.roof == nullptr; });
    if (noRoof && !roofline.roofs.empty()) {
        return {{}, "the peaks of this GPU are not known"};
    }
    if (roofline.coverage() < kMinCoverage) {
        return {{},
                fmt::format("the work of only {} of the kernel time is known; record with "
                            "record_shapes=True",
                            shareOf(roofline.modelledNs, roofline.kernelNs))};
    }
    std::vector<std::vector<trace::SliceId>> slices(roofline.rows.size());
    for (std::size_t i = 0; i < roofline.rowOfOperation.size(); ++i) {
        if (roofline.rowOfOperation[i] != model::kNoRow) {
            slices[roofline.rowOfOperation[i]].push_back(material.sliceOf(calls->operations[i]));
        }
    }
    Found found;
    for (std::size_t i = 0; i < roofline.rows.size() && found.findings.size() < kMaxOfOne; ++i) {
        const RooflineRow& row = roofline.rows[i];
        if (!isFarBelow(row)) {
            continue;
        }
        Finding finding = findingOf(material, row);
        for (const trace::SliceId slice : slices[i]) {
            finding.changes.push_back({.node = material.nodeOf(material.operationOf(slice)),
                                       .scale = static_cast<float>(*row.efficiency)});
        }
        finding.events = longestEvents(material.trace(), std::move(slices[i]));
        found.findings.push_back(std::move(finding));
    }
    return found;
}

}  // namespace

Rule belowRoofRule() {
    return {{"below-roof", "Kernels far below the roof",
             "A kernel takes at least twice as long as its work needs at the GPU's peak or "
             "bandwidth."},
            findBelowRoof};
}

}  // namespace kinetoscope::advise
