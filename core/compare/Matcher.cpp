// SPDX-License-Identifier: Apache-2.0
#include "core/compare/Matcher.h"

#include <algorithm>
#include <tuple>

#include "core/base/Threads.h"

namespace kinetoscope::compare {

namespace {

std::uint64_t mixed(std::uint64_t hash, std::uint64_t value) {
    constexpr std::uint64_t kPrime = 0x9e3779b97f4a7c15ULL;  // 2^64 / golden ratio
    return (hash ^ value ^ (hash >> 29U)) * kPrime;
}

}  // namespace

Matcher::Matcher(const ComparedRun& base, const ComparedRun& candidate, const BothShapes& shapes,
                 const std::stop_token& stop)
    : m_stop(stop),
      m_runs{&base, &candidate},
      m_tables(makeMatchTables(base, candidate, shapes)),
      m_rowOf{LaunchList(base.launches.size(), kNoRow),
              LaunchList(candidate.launches.size(), kNoRow)} {}

KernelMatches Matcher::match(MatchKind most) {
    throwIfStopped(m_stop);
    matchNames(&LaunchKeys::name, MatchKind::Exact, false);
    throwIfStopped(m_stop);
    if (most != MatchKind::Exact) {
        matchNames(&LaunchKeys::normalised, MatchKind::Normalised, false);
        matchNames(&LaunchKeys::stripped, MatchKind::Normalised, true);
    }
    if (most == MatchKind::Operator && m_tables.hasOperators) {
        throwIfStopped(m_stop);
        findFreeLaunches();
        matchOperators();
        throwIfStopped(m_stop);
        keepContested();
        matchFusions();
    }
    throwIfStopped(m_stop);
    return finish();
}

std::uint32_t Matcher::addRow(std::string name, MatchKind kind) {
    m_rows.push_back({std::move(name), kind, false, {}});
    return static_cast<std::uint32_t>(m_rows.size() - 1);
}

void Matcher::give(std::uint32_t row, const Members& members) {
    for (std::size_t side = 0; side < 2; ++side) {
        for (const std::uint32_t launch : members.of.*kSides[side]) {
            rowOf(side)[launch] = row;
        }
    }
}

// Launches without a row that share a name. Without template arguments many kernels share
// one: then the operators must be the same, too.
void Matcher::matchNames(std::vector<NameId> LaunchKeys::*column, MatchKind kind,
                         bool withOperator) {
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

// Launches that may still be matched by operator: those without a row, and those of a row in which
// the other side has nothing by that operator on those shapes.
void Matcher::findFreeLaunches() {
    std::set<std::tuple<std::uint32_t, NameId, NameId, std::size_t>> known;
    const auto contextOf = [&](std::size_t side, std::uint32_t at, std::size_t wanted) {
        return std::tuple(rowOf(side)[at], keys(side).op[at], keys(side).shapes[at], wanted);
    };
    for (std::size_t side = 0; side < 2; ++side) {
        for (std::uint32_t at = 0; at < run(side).launches.size(); ++at) {
            known.insert(contextOf(side, at, side));
        }
    }
    for (std::size_t side = 0; side < 2; ++side) {
        for (std::uint32_t at = 0; at < run(side).launches.size(); ++at) {
            free(side).push_back(
                keys(side).op[at] != kEmptyName &&
                (rowOf(side)[at] == kNoRow || !known.contains(contextOf(side, at, 1 - side))));
        }
    }
}

std::set<NameId> Matcher::namesOf(std::size_t side, const LaunchList& launches) const {
    std::set<NameId> names;
    for (const std::uint32_t launch : launches) {
        names.insert(keys(side).name[launch]);
    }
    return names;
}

// The same operator on the same shapes. Shapes for which the same kernels became the same
// others are one row.
void Matcher::matchOperators() {
    const auto groups = grouped<std::pair<NameId, NameId>>(
        [&](std::size_t side, std::uint32_t at) {
            return std::pair(keys(side).op[at], keys(side).shapes[at]);
        },
        [&](std::size_t side, std::uint32_t at) { return free(side)[at]; });
    std::map<std::tuple<NameId, std::set<NameId>, std::set<NameId>>, std::uint32_t> rows;
    for (const auto& [key, members] : groups) {
        if (!members.isMatch()) {
            continue;
        }
        const auto [entry, isNew] = rows.try_emplace(
            {key.first, namesOf(0, members.of.base), namesOf(1, members.of.candidate)}, 0);
        if (isNew) {
            entry->second = addRow(std::string(m_tables.pool.view(key.first)), MatchKind::Operator);
        }
        give(entry->second, members);
        for (std::size_t side = 0; side < 2; ++side) {
            for (const std::uint32_t launch : members.of.*kSides[side]) {
                free(side)[launch] = false;
            }
        }
    }
}

std::uint64_t Matcher::stratumOf(std::size_t side, std::uint32_t at) const {
    const KernelLaunch& launch = run(side).launches[at];
    const trace::GpuOperation& operation = run(side).trace->gpuOperations()[launch.operation];
    std::uint64_t hash = keys(side).shapes[at];
    for (std::size_t axis = 0; axis < 3; ++axis) {
        hash = mixed(mixed(hash, operation.grid[axis]), operation.block[axis]);
    }
    return hash;
}

void Matcher::addUnits(std::size_t side) {
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
        MatchedUnit unit{static_cast<double>(launch.duration), launch.gpu, launch.step, 0, at, 1};
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

// Drops rows that lost all launches of one side to others.
void Matcher::dropEmptyRows() {
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

KernelMatches Matcher::finish() {
    dropEmptyRows();
    m_unitOf = m_rowOf;
    for (std::size_t side = 0; side < 2; ++side) {
        addUnits(side);
    }
    return {std::move(m_rows), std::move(m_rowOf), std::move(m_unitOf)};
}

}  // namespace kinetoscope::compare
