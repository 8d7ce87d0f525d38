// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "core/ranks/Causes.h"
#include "core/text/Format.h"

namespace kinetoscope::ranks {

const char* causeKindName(CauseKind kind) {
    static constexpr std::array kNames{"host", "compute", "copy", "other"};
    return kNames[static_cast<std::size_t>(kind)];
}

CauseKind kindOf(const Excess& excess) {
    const std::array parts{excess.work.hostNs, excess.work.computeNs + excess.work.deviceNs,
                           excess.work.copyNs};
    return static_cast<CauseKind>(std::ranges::max_element(parts) - parts.begin());
}

namespace {

// Of causes that recur, the one of a step that stands out among them; null without one.
const Cause* outstanding(const std::vector<const Cause*>& alike) {
    constexpr TimeNs kStandsOut = 2;  // times the next largest
    std::vector<const Cause*> sorted = alike;
    std::ranges::sort(sorted, std::ranges::greater{}, &Cause::ns);
    return sorted.size() > 1 && sorted[0]->ns() >= kStandsOut * sorted[1]->ns() ? sorted[0]
                                                                                : nullptr;
}

// Which of one rank's causes recur, beyond what its median step lacks; none when they are too few.
std::vector<const Cause*> recurring(const std::vector<const Cause*>& causes, std::size_t steps) {
    constexpr std::size_t kMinSteps = 3;
    std::vector<const Cause*> alike;
    std::ranges::copy_if(causes, std::back_inserter(alike),
                         [&](const Cause* cause) { return !cause->besideOwnSteps; });
    if (alike.size() < kMinSteps || 2 * alike.size() < steps) {
        alike.clear();
    }
    return alike;
}

using CausesOfRecords = std::map<std::size_t, std::vector<const Cause*>>;

CausesOfRecords byRecord(const std::vector<JobStep>& steps) {
    CausesOfRecords causes;
    for (const JobStep& step : steps) {
        for (const Cause& cause : step.causes) {
            causes[cause.record].push_back(&cause);
        }
    }
    return causes;
}

// One rank's causes: those that recur as one, and all others.
std::vector<Cause> mergeRank(const std::vector<const Cause*>& causes, std::size_t steps) {
    const std::vector<const Cause*> alike = recurring(causes, steps);
    std::vector<Cause> merged;
    std::optional<Cause> sum;
    TimeNs most = 0;
    for (const Cause* cause : causes) {
        if (std::ranges::find(alike, cause) == alike.end()) {
            merged.push_back(*cause);
            continue;
        }
        if (!sum) {
            sum = *cause;
            most = cause->blameNs;
            continue;
        }
        sum->excess.add(cause->excess);
        sum->blameNs += cause->blameNs;
        sum->lastStep = cause->step;
        ++sum->steps;
        sum->waiting = std::max(sum->waiting, cause->waiting);
        if (cause->blameNs > most) {
            most = cause->blameNs;
            sum->detail = cause->detail;
        }
    }
    if (sum) {
        if (const Cause* step = outstanding(alike)) {
            sum->detail =
                fmt::format("{} of it in step {}", text::formatDuration(step->ns()), step->step) +
                (step->detail.empty() ? "" : ", where " + step->detail);
        }
        sum->kind = sum->kind == CauseKind::Other ? sum->kind : kindOf(sum->excess);
        merged.push_back(std::move(*sum));
    }
    return merged;
}

}  // namespace

void dropEchoes(std::vector<JobStep>& steps) {
    constexpr TimeNs kBesideCause = 10;
    constexpr TimeNs kBesideStep = 50;
    std::set<const Cause*> kept;
    for (const auto& [record, causes] : byRecord(steps)) {
        const std::vector<const Cause*> alike = recurring(causes, steps.size());
        if (std::ranges::any_of(alike, [](const Cause* cause) { return cause->isFelt(); })) {
            kept.insert(alike.begin(), alike.end());
        }
    }
    for (JobStep& step : steps) {
        TimeNs most = 0;
        for (const Cause& cause : step.causes) {
            most = std::max(most, cause.ns());
        }
        const TimeNs longest = std::ranges::max(step.lengthNs);
        std::vector<Cause> left;
        for (const Cause& cause : step.causes) {
            const bool isLarge = cause.isFelt() || kBesideStep * cause.ns() >= longest;
            if (kept.contains(&cause) || (isLarge && kBesideCause * cause.ns() >= most)) {
                left.push_back(cause);
            }
        }
        step.causes = std::move(left);
    }
}

std::vector<Cause> mergeCauses(const std::vector<JobStep>& steps) {
    std::vector<Cause> merged;
    for (const auto& [record, causes] : byRecord(steps)) {
        std::ranges::move(mergeRank(causes, steps.size()), std::back_inserter(merged));
    }
    std::ranges::stable_sort(merged, std::ranges::greater{}, [](const Cause& cause) {
        return std::pair(cause.isFelt(), cause.ns());
    });
    return merged;
}

}  // namespace kinetoscope::ranks
