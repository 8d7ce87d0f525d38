// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <map>
#include <set>
#include <stop_token>
#include <utility>
#include <vector>

#include "core/compare/KernelMatches.h"
#include "core/compare/MatchTables.h"

namespace kinetoscope::compare {

using LaunchList = std::vector<std::uint32_t>;

/// Launches of both sides that belong together.
struct Members {
    Both<LaunchList> of;

    [[nodiscard]] bool isMatch() const { return !of.base.empty() && !of.candidate.empty(); }
};

/// The work behind matchKernels(), stage by stage. Sides are 0, the baseline, and 1.
class Matcher {
public:
    Matcher(const ComparedRun& base, const ComparedRun& candidate, const BothShapes& shapes,
            const std::stop_token& stop);
    [[nodiscard]] KernelMatches match(MatchKind most);

private:
    static constexpr std::array<LaunchList Both<LaunchList>::*, 2> kSides{
        &Both<LaunchList>::base, &Both<LaunchList>::candidate};

    [[nodiscard]] const LaunchKeys& keys(std::size_t side) const {
        return side == 0 ? m_tables.keys.base : m_tables.keys.candidate;
    }
    [[nodiscard]] const ComparedRun& run(std::size_t side) const {
        return *(side == 0 ? m_runs.base : m_runs.candidate);
    }
    [[nodiscard]] LaunchList& rowOf(std::size_t side) { return m_rowOf.*kSides[side]; }
    [[nodiscard]] std::vector<bool>& free(std::size_t side) {
        return side == 0 ? m_free.base : m_free.candidate;
    }

    template <class Key, class KeyOf, class Takes>
    std::map<Key, Members> grouped(KeyOf keyOf, Takes takes) {
        std::map<Key, Members> groups;
        for (std::size_t side = 0; side < 2; ++side) {
            for (std::uint32_t at = 0; at < run(side).launches.size(); ++at) {
                if (takes(side, at)) {
                    (groups[keyOf(side, at)].of.*kSides[side]).push_back(at);
                }
            }
        }
        return groups;
    }
    std::uint32_t addRow(std::string name, MatchKind kind);
    void give(std::uint32_t row, const Members& members);

    // Names.
    void matchNames(std::vector<NameId> LaunchKeys::*column, MatchKind kind, bool withOperator);

    // Operators.
    void findFreeLaunches();
    [[nodiscard]] std::set<NameId> namesOf(std::size_t side, const LaunchList& launches) const;
    void matchOperators();

    // Fusions.
    void keepContested();
    [[nodiscard]] std::vector<FusionPart> freeParts(std::size_t side);
    [[nodiscard]] NameId fusionOf(std::size_t side, std::uint32_t launch);
    [[nodiscard]] std::size_t coarserOf(const std::array<std::vector<FusionPart>, 2>& parts) const;
    void matchFusions();
    void joinFusions(std::size_t side, const std::vector<FusionPart>& parts,
                     const std::map<NameId, std::uint32_t>& rows);

    // The result.
    [[nodiscard]] std::uint64_t stratumOf(std::size_t side, std::uint32_t at) const;
    void addUnits(std::size_t side);
    void dropEmptyRows();
    [[nodiscard]] KernelMatches finish();

    std::stop_token m_stop;
    Both<const ComparedRun*> m_runs;
    MatchTables m_tables;
    Both<LaunchList> m_rowOf;
    Both<LaunchList> m_unitOf;
    Both<std::vector<bool>> m_free;  ///< launches that may still be matched by operator
    /// Pairs of assigned launches, by side and launch.
    std::map<std::pair<std::size_t, std::uint32_t>, std::uint64_t> m_strata;
    std::vector<MatchedKernels> m_rows;
};

}  // namespace kinetoscope::compare
