// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/ranks/view/JobGrid.h"

namespace kinetoscope::ranks::view {

enum class RowOrder : std::uint8_t { Rank, Figure, Host };
enum class RowGroups : std::uint8_t { None, Host, ProcessGroup };

/// A row of the matrix and of the timeline.
struct JobRow {
    static constexpr std::size_t kHeading = static_cast<std::size_t>(-1);
    std::size_t record = kHeading;
    std::string heading = {};  ///< of the rows below it

    [[nodiscard]] bool isHeading() const { return record == kHeading; }
};

/// The ranks as rows: by rank, by the figure over all steps (what is worst first), or by host; in
/// groups where wanted. Of the process groups that a rank is in, its smallest counts.
[[nodiscard]] std::vector<JobRow> arrangeRows(const Job& job, const JobGrid& grid,
                                              CellFigure figure, RowOrder order, RowGroups groups);

}  // namespace kinetoscope::ranks::view
