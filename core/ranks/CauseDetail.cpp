// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>

#include "core/ranks/Cause.h"
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
        return record.gpu == kNoGpu ? "its operators were slower" : "its kernels were slower";
    }
    if (most.count > there.count) {
        return describeMore({0, most.count - there.count, excess}, name);
    }
    return fmt::format("{} took {} longer in {} {}", name, text::formatDuration(excess), most.count,
                       record.gpu == kNoGpu ? "calls" : "launches");
}

// The longest gap of the kind in that time.
TimeNs longestBefore(const RankRecord& record, TimeSpan time, const std::string& before) {
    TimeNs longest = 0;
    for (const HostGap& gap : record.hostGaps) {
        if (gap.before == before) {
            longest = std::max(longest, time.clip(gap.span).duration());
        }
    }
    return longest;
}

// The gap that is most longer than its like on the other rank.
std::string describeHost(const Cause& cause, const RankRecord& record, const StepWork& work,
                         const RankRecord& usual, const StepWork& usualWork) {
    const HostGap* chosen = nullptr;
    TimeNs excess = 0;
    TimeNs there = 0;
    for (const HostGap& gap : record.hostGaps) {
        const TimeNs same = longestBefore(usual, usualWork.span, gap.before);
        const TimeNs more = work.span.clip(gap.span).duration() - same;
        if (more > excess) {
            excess = more;
            there = same;
            chosen = &gap;
        }
    }
    if (chosen == nullptr || 2 * (excess + there) < cause.ns()) {
        return cause.detail.empty()
                   ? "its host launched later"
                   : fmt::format("nothing began or ended on its host for {} before {}",
                                 text::formatDuration(cause.ns()), cause.detail);
    }
    const std::string took = text::formatDuration(excess + there);
    std::string detail =
        chosen->activity.empty()
            ? fmt::format("nothing was recorded on its host for {}", took)
            : fmt::format("its host spent {} in {} ({})", took, chosen->activity, chosen->kind);
    if (!chosen->before.empty()) {
        detail += fmt::format(" before {}", chosen->before);
    }
    if (there > excess) {
        detail += fmt::format(", the median rank {}", text::formatDuration(there));
    }
    return detail;
}

}  // namespace

std::string describeMore(const KernelSum& more, std::string_view name) {
    return fmt::format("it ran {} more of {}, {}", more.count, name,
                       text::formatDuration(more.sumNs));
}

std::string describeCause(const Cause& cause, const RankRecord& record, const StepWork& work,
                          const RankRecord& usual, const StepWork& usualWork) {
    switch (cause.kind) {
        case CauseKind::Host:
            return describeHost(cause, record, work, usual, usualWork);
        case CauseKind::Compute:
            if (cause.excess.work.deviceNs > cause.excess.work.computeNs) {
                return fmt::format(
                    "its GPU paused {} longer between kernels that were already launched",
                    text::formatDuration(cause.excess.work.deviceNs));
            }
            return describeKernels(record, work, usual, usualWork);
        case CauseKind::Copy:
            return fmt::format("its copies took {} longer",
                               text::formatDuration(cause.excess.work.copyNs));
        case CauseKind::Other:
            break;
    }
    return "a collective of another process group delayed it";
}

}  // namespace kinetoscope::ranks
