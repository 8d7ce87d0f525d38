// SPDX-License-Identifier: Apache-2.0
#include "core/compare/KernelMatch.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <tuple>
#include <unordered_map>

#include "core/compare/MatchRules.h"
#include "core/compare/MatchTables.h"

namespace kinetoscope {

namespace {

using LaunchList = std::vector<std::uint32_t>;

/// Launches of both sides that belong together.
struct Members {
    Both<LaunchList> of;

    [[nodiscard]] bool isMatch() const { return !of.base.empty() && !of.candidate.empty(); }
};

template <class Key>
using Groups = std::map<Key, Members>;

std::uint64_t stepKey(const KernelLaunch& launch) {
    // Launches outside of steps come last.
    return std::uint64_t{launch.gpu} << 32U | launch.step;
}

std::uint64_t mixed(std::uint64_t hash, std::uint64_t value) {
    constexpr std::uint64_t kPrime = 0x9e3779b97f4a7c15ULL;  // 2^64 / golden ratio
    return (hash ^ value ^ (hash >> 29U)) * kPrime;
}

class Matcher {
public:
    Matcher(const ComparedRun& base, const ComparedRun& candidate, const BothShapes& shapes)
        : m_runs{&base, &candidate},
          m_tables(makeMatchTables(base, candidate, shapes)),
          m_rowOf{LaunchList(base.launches.size(), kNoRow),
                  LaunchList(candidate.launches.size(), kNoRow)} {}

    KernelMatches match(MatchKind most) {
        matchNames(&LaunchKeys::name, MatchKind::Exact, false);
        if (most != MatchKind::Exact) {
            matchNames(&LaunchKeys::normalised, MatchKind::Normalised, false);
            matchNames(&LaunchKeys::stripped, MatchKind::Normalised, true);
        }
        if (most == MatchKind::Operator && m_tables.hasOperators) {
            m_free = freeLaunches();
            matchOperators();
            keepContested();
            matchFusions();
        }
        return finish();
    }

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

    template <class Key, class KeyOf, class Takes>
    Groups<Key> grouped(KeyOf keyOf, Takes takes) {
        Groups<Key> groups;
        for (std::size_t side = 0; side < 2; ++side) {
            for (std::uint32_t at = 0; at < run(side).launches.size(); ++at) {
                if (takes(side, at)) {
                    (groups[keyOf(side, at)].of.*kSides[side]).push_back(at);
                }
            }
        }
        return groups;
    }

    std::uint32_t addRow(std::string name, MatchKind kind) {
        m_rows.push_back({std::move(name), kind, false, {}});
        return static_cast<std::uint32_t>(m_rows.size() - 1);
    }
    void give(std::uint32_t row, const Members& members) {
        for (std::size_t side = 0; side < 2; ++side) {
            for (const std::uint32_t launch : members.of.*kSides[side]) {
                rowOf(side)[launch] = row;
            }
        }
    }

    /// Launches without a row that share a name. Without template arguments many kernels share
    /// one: then the operators must be the same, too.
    void matchNames(std::vector<NameId> LaunchKeys::*column, MatchKind kind, bool withOperator) {
        const auto groups = grouped<std::pair<NameId, NameId>>(
            [&](std::size_t side, std::uint32_t at) {
                return std::pair((keys(side).*column)[at], withOperator && m_tables.hasOperators
                                                               ? keys(side).op[at]
                                                               : kEmptyName);
            },
            [&](std::size_t side, std::uint32_t at) { return rowOf(side)[at] == kNoRow; });
        for (const auto& [key, members] : groups) {
            if (members.isMatch()) {
                give(addRow(std::string(m_tables.pool.view(key.first)), kind), members);
            }
        }
    }

    /// Launches that may still be matched by operator: those without a row, and those of a row
    /// in which the other side has nothing by that operator on those shapes.
    Both<std::vector<bool>> freeLaunches() {
        std::set<std::tuple<std::uint32_t, NameId, NameId, std::size_t>> known;
        const auto contextOf = [&](std::size_t side, std::uint32_t at, std::size_t asked) {
            return std::tuple(rowOf(side)[at], keys(side).op[at], keys(side).shapes[at], asked);
        };
        for (std::size_t side = 0; side < 2; ++side) {
            for (std::uint32_t at = 0; at < run(side).launches.size(); ++at) {
                known.insert(contextOf(side, at, side));
            }
        }
        Both<std::vector<bool>> free;
        for (std::size_t side = 0; side < 2; ++side) {
            std::vector<bool>& flags = side == 0 ? free.base : free.candidate;
            for (std::uint32_t at = 0; at < run(side).launches.size(); ++at) {
                flags.push_back(
                    keys(side).op[at] != kEmptyName &&
                    (rowOf(side)[at] == kNoRow || !known.contains(contextOf(side, at, 1 - side))));
            }
        }
        return free;
    }
    [[nodiscard]] bool isFree(std::size_t side, std::uint32_t at) const {
        return (side == 0 ? m_free.base : m_free.candidate)[at];
    }
    void take(const Members& members) {
        for (std::size_t side = 0; side < 2; ++side) {
            for (const std::uint32_t launch : members.of.*kSides[side]) {
                (side == 0 ? m_free.base : m_free.candidate)[launch] = false;
            }
        }
    }

    [[nodiscard]] std::set<NameId> namesOf(std::size_t side, const LaunchList& launches) const {
        std::set<NameId> names;
        for (const std::uint32_t launch : launches) {
            names.insert(keys(side).name[launch]);
        }
        return names;
    }

    /// The same operator on the same shapes. Shapes for which the same kernels became the same
    /// others are one row.
    void matchOperators() {
        const auto groups = grouped<std::pair<NameId, NameId>>(
            [&](std::size_t side, std::uint32_t at) {
                return std::pair(keys(side).op[at], keys(side).shapes[at]);
            },
            [&](std::size_t side, std::uint32_t at) { return isFree(side, at); });
        std::map<std::tuple<NameId, std::set<NameId>, std::set<NameId>>, std::uint32_t> rows;
        for (const auto& [key, members] : groups) {
            if (!members.isMatch()) {
                continue;
            }
            const auto [entry, isNew] = rows.try_emplace(
                {key.first, namesOf(0, members.of.base), namesOf(1, members.of.candidate)}, 0);
            if (isNew) {
                entry->second =
                    addRow(std::string(m_tables.pool.view(key.first)), MatchKind::Operator);
            }
            give(entry->second, members);
            take(members);
        }
    }

    /// Where both sides of a row still have launches of one operator to give away, only their
    /// shapes differ: they stay. Giving away to fused kernels needs a surplus.
    void keepContested() {
        std::map<std::pair<std::uint32_t, NameId>, std::array<bool, 2>> has;
        for (std::size_t side = 0; side < 2; ++side) {
            for (std::uint32_t at = 0; at < run(side).launches.size(); ++at) {
                if (isFree(side, at) && rowOf(side)[at] != kNoRow) {
                    has[{rowOf(side)[at], keys(side).op[at]}][side] = true;
                }
            }
        }
        for (std::size_t side = 0; side < 2; ++side) {
            for (std::uint32_t at = 0; at < run(side).launches.size(); ++at) {
                const auto found = has.find({rowOf(side)[at], keys(side).op[at]});
                if (isFree(side, at) && found != has.end() && found->second[1 - side]) {
                    (side == 0 ? m_free.base : m_free.candidate)[at] = false;
                }
            }
        }
    }

    [[nodiscard]] std::vector<FusionPart> freeParts(std::size_t side) const {
        std::vector<FusionPart> parts;
        for (std::uint32_t at = 0; at < run(side).launches.size(); ++at) {
            if (isFree(side, at)) {
                parts.push_back({at, stepKey(run(side).launches[at])});
            }
        }
        std::ranges::stable_sort(parts, {}, &FusionPart::step);
        return parts;
    }

    /// What kernels of one fusion share: the stages of a split reduction, and its counters.
    [[nodiscard]] NameId fusionOf(std::size_t side, std::uint32_t launch) {
        const std::string_view part = fusedPart(m_tables.pool.view(keys(side).name[launch]));
        return part.empty() ? keys(side).normalised[launch]
                            : m_tables.pool.intern(std::string(part));
    }

    /// The side that fused more; where names do not tell, the one with fewer launches.
    [[nodiscard]] std::size_t coarserOf(const std::array<std::vector<FusionPart>, 2>& parts) const {
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

    void matchFusions() {
        const std::array<std::vector<FusionPart>, 2> parts{freeParts(0), freeParts(1)};
        const std::size_t coarse = coarserOf(parts);
        const std::size_t fine = 1 - coarse;
        const auto assigned =
            assignParts(m_tables.pool, keys(fine), parts[fine], keys(coarse), parts[coarse]);
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

    /// Launches of a fusion that got nothing: a later stage belongs to the one before it, and
    /// what got nothing in one step only is still the same kernel.
    void joinFusions(std::size_t side, const std::vector<FusionPart>& parts,
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

    [[nodiscard]] std::uint64_t stratumOf(std::size_t side, std::uint32_t at) const {
        const KernelLaunch& launch = run(side).launches[at];
        const GpuOperation& operation = run(side).trace->gpuOperations()[launch.operation];
        std::uint64_t hash = keys(side).shapes[at];
        for (std::size_t axis = 0; axis < 3; ++axis) {
            hash = mixed(mixed(hash, operation.grid[axis]), operation.block[axis]);
        }
        return hash;
    }

    void addUnits(std::size_t side) {
        // Launches of one call become one unit: by row and call.
        std::map<std::pair<std::uint32_t, std::uint64_t>, std::size_t> calls;
        for (std::uint32_t at = 0; at < run(side).launches.size(); ++at) {
            const std::uint32_t row = rowOf(side)[at];
            if (row == kNoRow) {
                continue;
            }
            auto& unitOf = (m_unitOf.*kSides[side])[at];
            MatchedKernels& matched = m_rows[row];
            const KernelLaunch& launch = run(side).launches[at];
            auto& units = side == 0 ? matched.units.base : matched.units.candidate;
            MatchedUnit unit{launch.duration, launch.gpu, launch.step, 0, at, 1};
            if (matched.kind == MatchKind::Operator) {
                const auto stratum = m_strata.find({side, at});
                const std::uint64_t call =
                    matched.isAssigned
                        ? (stratum == m_strata.end() ? std::uint64_t{at} << 32U : stratum->second)
                        : launch.launcher;
                unit.stratum = matched.isAssigned ? call : keys(side).shapes[at];
                const auto [entry, isNew] = calls.try_emplace({row, call}, units.size());
                unitOf = static_cast<std::uint32_t>(entry->second);
                if (!isNew) {
                    units[entry->second].ns += unit.ns;
                    ++units[entry->second].launches;
                    continue;
                }
            } else {
                unit.stratum = stratumOf(side, at);
            }
            unitOf = static_cast<std::uint32_t>(units.size());
            units.push_back(unit);
        }
    }

    /// Rows that lost all launches of one side to others are none.
    void dropEmptyRows() {
        std::vector<std::array<bool, 2>> has(m_rows.size());
        for (std::size_t side = 0; side < 2; ++side) {
            for (const std::uint32_t row : rowOf(side)) {
                if (row != kNoRow) {
                    has[row][side] = true;
                }
            }
        }
        LaunchList number(m_rows.size(), kNoRow);
        std::vector<MatchedKernels> kept;
        for (std::uint32_t row = 0; row < m_rows.size(); ++row) {
            if (has[row][0] && has[row][1]) {
                number[row] = static_cast<std::uint32_t>(kept.size());
                kept.push_back(std::move(m_rows[row]));
            }
        }
        m_rows = std::move(kept);
        for (std::size_t side = 0; side < 2; ++side) {
            for (std::uint32_t& row : rowOf(side)) {
                row = row == kNoRow ? kNoRow : number[row];
            }
        }
    }

    KernelMatches finish() {
        dropEmptyRows();
        m_unitOf = m_rowOf;
        for (std::size_t side = 0; side < 2; ++side) {
            addUnits(side);
        }
        return {std::move(m_rows), std::move(m_rowOf), std::move(m_unitOf)};
    }

    Both<const ComparedRun*> m_runs;
    MatchTables m_tables;
    Both<LaunchList> m_rowOf;
    Both<LaunchList> m_unitOf;
    Both<std::vector<bool>> m_free;
    std::map<std::pair<std::size_t, std::uint32_t>, std::uint64_t> m_strata;
    std::vector<MatchedKernels> m_rows;
};

}  // namespace

std::string_view matchName(MatchKind kind) {
    static constexpr std::array<std::string_view, 3> kNames{"exact", "normalised", "operator"};
    return kNames[static_cast<std::size_t>(kind)];
}

KernelMatches matchKernels(const ComparedRun& base, const ComparedRun& candidate, MatchKind most,
                           const BothShapes& shapes) {
    return Matcher(base, candidate, shapes).match(most);
}

}  // namespace kinetoscope
