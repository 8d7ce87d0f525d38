// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "core/compare/MatchRules.h"
#include "core/compare/Matcher.h"

namespace kinetoscope::compare {

namespace {

std::uint64_t stepKey(const KernelLaunch& launch) {
    // Launches outside of steps come last.
    return std::uint64_t{launch.gpu} << 32U | launch.step;
}

}  // namespace

// Where both sides of a row still have launches of one operator to give away, only their
// shapes differ: they stay. Giving away to fused kernels needs a surplus.
void Matcher::keepContested() {
    std::map<std::pair<std::uint32_t, NameId>, std::array<bool, 2>> has;
    for (std::size_t side = 0; side < 2; ++side) {
        for (std::uint32_t at = 0; at < run(side).launches.size(); ++at) {
            if (free(side)[at] && rowOf(side)[at] != kNoRow) {
                has[{rowOf(side)[at], keys(side).op[at]}][side] = true;
            }
        }
    }
    for (std::size_t side = 0; side < 2; ++side) {
        for (std::uint32_t at = 0; at < run(side).launches.size(); ++at) {
            const auto found = has.find({rowOf(side)[at], keys(side).op[at]});
            if (free(side)[at] && found != has.end() && found->second[1 - side]) {
                free(side)[at] = false;
            }
        }
    }
}

std::vector<FusionPart> Matcher::freeParts(std::size_t side) {
    std::vector<FusionPart> parts;
    for (std::uint32_t at = 0; at < run(side).launches.size(); ++at) {
        if (free(side)[at]) {
            parts.push_back({at, stepKey(run(side).launches[at])});
        }
    }
    std::ranges::stable_sort(parts, {}, &FusionPart::step);
    return parts;
}

// What kernels of one fusion share: the stages of a split reduction, and its counters.
NameId Matcher::fusionOf(std::size_t side, std::uint32_t launch) {
    const std::string_view part = fusedPart(m_tables.pool.view(keys(side).name[launch]));
    return part.empty() ? keys(side).normalised[launch] : m_tables.pool.intern(std::string(part));
}

// The side that fused more; if names do not tell, the one with fewer launches.
std::size_t Matcher::coarserOf(const std::array<std::vector<FusionPart>, 2>& parts) const {
    std::array<std::ptrdiff_t, 2> fused{};
    for (std::size_t side = 0; side < 2; ++side) {
        fused[side] = std::ranges::count_if(parts[side], [&](const FusionPart& part) {
            return !fusedPart(m_tables.pool.view(keys(side).name[part.launch])).empty();
        });
    }
    if (fused[0] != fused[1] && std::min(fused[0], fused[1]) == 0) {
        return fused[0] > fused[1] ? 0 : 1;
    }
    return parts[0].size() < parts[1].size() ? 0 : 1;
}

void Matcher::matchFusions() {
    const std::array<std::vector<FusionPart>, 2> parts{freeParts(0), freeParts(1)};
    const std::size_t coarse = coarserOf(parts);
    const std::size_t fine = 1 - coarse;
    const auto assigned =
        assignParts(m_tables.pool, keys(fine), parts[fine], keys(coarse), parts[coarse], m_stop);
    std::map<NameId, std::uint32_t> rows;
    for (std::size_t at = 0; at < assigned.size(); ++at) {
        if (assigned[at] == kNoRow) {
            continue;
        }
        const std::uint32_t whole = parts[coarse][assigned[at]].launch;
        const auto [entry, isNew] = rows.try_emplace(fusionOf(coarse, whole), 0);
        if (isNew) {
            const NameId name = keys(coarse).normalised[whole];
            entry->second = addRow(std::string(m_tables.pool.view(name)), MatchKind::Operator);
            m_rows.back().isAssigned = true;
        }
        rowOf(fine)[parts[fine][at].launch] = entry->second;
        rowOf(coarse)[whole] = entry->second;
        m_strata[{fine, parts[fine][at].launch}] = assigned[at] + 1;
        m_strata[{coarse, whole}] = assigned[at] + 1;
    }
    joinFusions(coarse, parts[coarse], rows);
}

// Launches of a fusion that got nothing: a later stage belongs to the one before it, and
// what got nothing in one step only is still the same kernel.
void Matcher::joinFusions(std::size_t side, const std::vector<FusionPart>& parts,
                          const std::map<NameId, std::uint32_t>& rows) {
    std::map<std::pair<std::uint64_t, std::uint32_t>, std::pair<std::uint32_t, NameId>> last;
    for (const FusionPart& part : parts) {
        const auto row = rows.find(fusionOf(side, part.launch));
        if (row == rows.end()) {
            continue;
        }
        const NameId name = keys(side).name[part.launch];
        auto& [before, beforeName] = last[{part.step, row->second}];
        const auto stratum = m_strata.find({side, part.launch});
        if (stratum != m_strata.end()) {
            before = static_cast<std::uint32_t>(stratum->second);
            beforeName = name;
        } else if (before > 0 && name != beforeName) {
            m_strata[{side, part.launch}] = before;
        }
        rowOf(side)[part.launch] = row->second;
    }
}

}  // namespace kinetoscope::compare
