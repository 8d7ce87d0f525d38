// SPDX-License-Identifier: Apache-2.0
#include "core/compare/Partners.h"

#include "core/compare/Pairing.h"

namespace kinetoscope::compare {

namespace {

std::optional<Partner> found(const std::unordered_map<trace::SliceId, Partner>& map,
                             trace::SliceId slice) {
    const auto entry = map.find(slice);
    return entry == map.end() ? std::nullopt : std::optional(entry->second);
}

}  // namespace

Partners::Partners(const ComparedRun& base, const ComparedRun& candidate,
                   const KernelMatches& matches) {
    // By row and unit: the first launch of the other side's unit.
    std::vector<Both<std::unordered_map<std::uint32_t, trace::SliceId>>> others(
        matches.rows.size());
    for (std::size_t row = 0; row < matches.rows.size(); ++row) {
        const MatchedKernels& matched = matches.rows[row];
        for (const UnitPair& pair : pairUnits(matched)) {
            const std::uint32_t one = matched.units.base[pair.base].launch;
            const std::uint32_t other = matched.units.candidate[pair.candidate].launch;
            others[row].base[pair.base] = candidate.launches[other].slice;
            others[row].candidate[pair.candidate] = base.launches[one].slice;
        }
    }
    const auto fill = [&](const ComparedRun& run, const std::vector<std::uint32_t>& rowOf,
                          const std::vector<std::uint32_t>& unitOf, auto side, Map& map) {
        for (std::size_t at = 0; at < rowOf.size(); ++at) {
            Partner partner{rowOf[at], trace::kNoSlice};
            if (rowOf[at] != kNoRow) {
                const auto& units = others[rowOf[at]].*side;
                const auto entry = units.find(unitOf[at]);
                partner.slice = entry == units.end() ? trace::kNoSlice : entry->second;
            }
            map.emplace(run.launches[at].slice, partner);
        }
    };
    using Units = Both<std::unordered_map<std::uint32_t, trace::SliceId>>;
    fill(base, matches.rowOf.base, matches.unitOf.base, &Units::base, m_partners.base);
    fill(candidate, matches.rowOf.candidate, matches.unitOf.candidate, &Units::candidate,
         m_partners.candidate);
}

std::optional<Partner> Partners::ofBase(trace::SliceId slice) const {
    return found(m_partners.base, slice);
}

std::optional<Partner> Partners::ofCandidate(trace::SliceId slice) const {
    return found(m_partners.candidate, slice);
}

}  // namespace kinetoscope::compare
