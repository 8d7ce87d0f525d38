// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/ranks/Job.h"
#include "core/ranks/Links.h"

namespace kinetoscope::ranks {

/// Collectives of one group, kind and size together.
struct CollectiveRow {
    std::string group;
    std::string kind;
    std::uint64_t bytes = 0;
    std::size_t members = 0;
    std::size_t count = 0;
    std::array<double, 3> tookNs{};    ///< at 20, 50 and 80 %
    std::array<double, 3> waitedNs{};  ///< the longest wait of each, at 20, 50 and 80 %
    double busGbPerS = 0.0;            ///< at the median of what it took
    Link link;                         ///< the slowest of theirs
};

/// Most time first.
[[nodiscard]] std::vector<CollectiveRow> collectiveRows(const Job& job);

/// A table ready to be printed: titles with units, cells without.
struct PrintedTable {
    std::string title;
    std::vector<std::string> columns;
    std::vector<std::vector<std::string>> rows;
    /// Rows of `columns` that give way first where the table is too wide; then the last ones.
    std::vector<std::size_t> firstToGo = {};
};

/// The median of the rank's steps; 0 without any.
[[nodiscard]] TimeNs medianStepNs(const RankRecord& record);

[[nodiscard]] PrintedTable rankTable(const Job& job);
[[nodiscard]] PrintedTable stepTable(const Job& job);
[[nodiscard]] PrintedTable collectiveTable(const Job& job);
[[nodiscard]] PrintedTable clockTable(const Job& job);

/// Why it cannot be told that no rank stands out: "rank 1 is missing"; empty if it can.
[[nodiscard]] std::string undecidedText(const Job& job);
/// What stands in place of answers where there are none.
[[nodiscard]] std::string noAnswerText(const Job& job);

/// "2 ranks of 2; 24 of 24 collectives…": what was read and what is missing, a line each.
[[nodiscard]] std::vector<std::string> jobSummary(const Job& job);

}  // namespace kinetoscope::ranks
