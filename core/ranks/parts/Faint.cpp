// SPDX-License-Identifier: Apache-2.0
#include "core/ranks/parts/Faint.h"

#include <algorithm>
#include <utility>

namespace kinetoscope::ranks::parts {

namespace {

constexpr TimeNs kStandsOut = 4;  // times what is usual
constexpr TimeNs kSteady = 3;     // times how much it differs from step to step

}  // namespace

Faint::Faint(std::vector<std::vector<TimeNs>> byStep) : m_byStep(std::move(byStep)) {
    m_least = kStandsOut * usual();
}

// The median of what the slower half of the ranks has in each step; none where steps are too few
// for noise to show.
TimeNs Faint::usual() const {
    if (m_byStep.size() < kMinSteps) {
        return 0;
    }
    std::vector<TimeNs> slower;
    for (std::vector<TimeNs> ranks : m_byStep) {
        std::ranges::sort(ranks, std::ranges::greater{});
        for (std::size_t r = 0; r < ranks.size() / 2; ++r) {
            slower.push_back(std::max<TimeNs>(ranks[r], 0));
        }
    }
    std::ranges::sort(slower);
    return slower.empty() ? 0 : slower[slower.size() / 2];
}

std::vector<TimeNs> Faint::sortedOf(std::size_t rank) const {
    std::vector<TimeNs> there;
    for (const std::vector<TimeNs>& ranks : m_byStep) {
        if (ranks[rank] > 0) {
            there.push_back(ranks[rank]);
        }
    }
    if (there.size() < kMinSteps || 8 * there.size() < 7 * m_byStep.size()) {
        there.clear();
    }
    std::ranges::sort(there);
    return there;
}

bool Faint::isSteady(std::size_t rank) const {
    std::vector<TimeNs> away = sortedOf(rank);
    if (away.empty()) {
        return false;
    }
    const TimeNs median = away[(away.size() - 1) / 2];
    for (TimeNs& ns : away) {
        ns = ns > median ? ns - median : median - ns;
    }
    std::ranges::sort(away);
    // One of four may be another's.
    return kSteady * away[away.size() - 1 - away.size() / 4] <= median;
}

bool Faint::recurs(std::size_t rank, TimeNs least) const {
    const std::vector<TimeNs> there = sortedOf(rank);
    if (there.empty()) {
        return false;
    }
    const TimeNs median = there[(there.size() - 1) / 2];
    return median >= least && kSteady * there.front() >= median;
}

}  // namespace kinetoscope::ranks::parts
