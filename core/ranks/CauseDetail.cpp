// SPDX-License-Identifier: Apache-2.0
#include "core/ranks/CauseDetail.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "core/text/Format.h"

namespace kinetoscope::ranks {

namespace {

using Sums = std::map<std::string_view, KernelSum>;

Sums kernelsOf(const RankRecord& record, const StepWork& work) {
    Sums sums;
    for (const std::size_t segment : work.segments) {
        if (segment >= record.kernels.size()) {
            continue;
        }
        for (const KernelSum& kernel : record.kernels[segment]) {
            KernelSum& sum = sums[record.names[kernel.name]];
            sum.count += kernel.count;
            sum.sumNs += kernel.sumNs;
        }
    }
    return sums;
}

std::string describeKernels(const RankRecord& record, const StepWork& work, const RankRecord& usual,
                            const StepWork& usualWork) {
    const Sums own = kernelsOf(record, work);
    const Sums others = kernelsOf(usual, usualWork);
    std::string_view name;
    KernelSum most;
    KernelSum there;
    TimeNs excess = 0;
    for (const auto& [kernel, sum] : own) {
        const auto other = others.find(kernel);
        const KernelSum beside = other == others.end() ? KernelSum{} : other->second;
        if (sum.sumNs - beside.sumNs > excess) {
            excess = sum.sumNs - beside.sumNs;
            name = kernel;
            most = sum;
            there = beside;
        }
    }
    if (excess <= 0) {
        return "its kernels were slower";
    }
    if (most.count > there.count) {
        return fmt::format("it ran {} more of {}, {}", most.count - there.count, name,
                           text::formatDuration(excess));
    }
    return fmt::format("{} took {} longer in {} launches", name, text::formatDuration(excess),
                       most.count);
}

std::string describeHost(const RankRecord& record, const StepWork& work) {
    const HostGap* longest = nullptr;
    TimeNs most = 0;
    for (const HostGap& gap : record.hostGaps) {
        const TimeNs inside = work.span.clip(gap.span).duration();
        if (inside > most) {
            most = inside;
            longest = &gap;
        }
    }
    if (longest == nullptr) {
        return "its host launched later";
    }
    const std::string before =
        longest->before.empty() ? "" : fmt::format(" before {}", longest->before);
    if (longest->activity.empty()) {
        return fmt::format("its host recorded nothing for {}{}", text::formatDuration(most),
                           before);
    }
    return fmt::format("its host spent {} in {} ({}){}", text::formatDuration(most),
                       longest->activity, longest->kind, before);
}

}  // namespace

std::string describeCause(const Cause& cause, const RankRecord& record, const StepWork& work,
                          const RankRecord& usual, const StepWork& usualWork) {
    switch (cause.kind) {
        case CauseKind::Host:
            return describeHost(record, work);
        case CauseKind::Compute:
            if (cause.excess.work.deviceNs > cause.excess.work.computeNs) {
                return fmt::format(
                    "its GPU paused between kernels that were launched already, {} longer",
                    text::formatDuration(cause.excess.work.deviceNs));
            }
            return describeKernels(record, work, usual, usualWork);
        case CauseKind::Copy:
            return fmt::format("its copies took {} longer",
                               text::formatDuration(cause.excess.work.copyNs));
        case CauseKind::Other:
            break;
    }
    return "a collective of another process group held it up";
}

}  // namespace kinetoscope::ranks
