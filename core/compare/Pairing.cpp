// SPDX-License-Identifier: Apache-2.0
#include "core/compare/Pairing.h"

#include <algorithm>
#include <map>
#include <utility>

namespace kinetoscope::compare {

namespace {

using Place = std::pair<std::uint32_t, std::uint32_t>;  ///< GPU and step
using UnitList = std::vector<std::uint32_t>;

template <class Key>
using UnitGroups = std::map<Key, Both<UnitList>>;

bool hasSteps(const std::vector<MatchedUnit>& units) {
    return std::ranges::any_of(units, [](const MatchedUnit& unit) { return unit.step != kNoStep; });
}

template <class Key, class KeyOf>
UnitGroups<Key> grouped(const MatchedKernels& kernels, const Both<UnitList>& units, KeyOf keyOf) {
    UnitGroups<Key> groups;
    for (const std::uint32_t at : units.base) {
        groups[keyOf(kernels.units.base[at])].base.push_back(at);
    }
    for (const std::uint32_t at : units.candidate) {
        groups[keyOf(kernels.units.candidate[at])].candidate.push_back(at);
    }
    return groups;
}

void addPairs(const Both<UnitList>& units, std::vector<UnitPair>& pairs) {
    const std::size_t count = std::min(units.base.size(), units.candidate.size());
    for (std::size_t i = 0; i < count; ++i) {
        pairs.push_back({units.base[i], units.candidate[i]});
    }
}

UnitList allOf(const std::vector<MatchedUnit>& units) {
    UnitList all;
    for (std::uint32_t at = 0; at < units.size(); ++at) {
        all.push_back(at);
    }
    return all;
}

}  // namespace

std::vector<UnitPair> pairUnits(const MatchedKernels& kernels) {
    const bool bySteps = hasSteps(kernels.units.base) && hasSteps(kernels.units.candidate);
    const Both<UnitList> all{allOf(kernels.units.base), allOf(kernels.units.candidate)};
    const auto places = grouped<Place>(kernels, all, [&](const MatchedUnit& unit) {
        return Place(unit.gpu, bySteps ? unit.step : kNoStep);
    });
    std::vector<UnitPair> pairs;
    for (const auto& [place, units] : places) {
        if (!kernels.isAssigned && units.base.size() == units.candidate.size()) {
            addPairs(units, pairs);
            continue;
        }
        const auto strata = grouped<std::uint64_t>(
            kernels, units, [](const MatchedUnit& unit) { return unit.stratum; });
        for (const auto& [stratum, members] : strata) {
            addPairs(members, pairs);
        }
    }
    return pairs;
}

stats::PairedTimes pairedTimes(const MatchedKernels& kernels, const std::vector<UnitPair>& pairs) {
    stats::PairedTimes times;
    times.identical =
        pairs.size() == kernels.units.base.size() && pairs.size() == kernels.units.candidate.size();
    for (const UnitPair& pair : pairs) {
        const double base = kernels.units.base[pair.base].ns;
        const double candidate = kernels.units.candidate[pair.candidate].ns;
        times.identical = times.identical && base == candidate;
        if (base > 0.0 && candidate > 0.0) {
            times.base.push_back(base);
            times.candidate.push_back(candidate);
        }
    }
    return times;
}

}  // namespace kinetoscope::compare
