// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/text/TextTable.h"

namespace kinetoscope::report {

/// One "Output for tabulate:" line. Percents are of the wall time of one run.
struct TabulateRow {
    std::string file;
    std::string name;  ///< benchmark
    /// pointwise, reduction, persistent reduction, triton unknown, unknown, GPU busy
    std::array<double, 6> percent{};
    double wallMs = 0.0;
};

/// The row of a line that contains "Output for tabulate: "; nothing when it is not such a line or
/// its figures cannot be read. A name may contain commas.
[[nodiscard]] std::optional<TabulateRow> parseTabulateLine(std::string_view line);

[[nodiscard]] std::string tabulateText(std::span<const TabulateRow> rows,
                                       const text::TextStyle& style);
/// The columns of the line, in its order, then the file.
[[nodiscard]] std::string tabulateCsv(std::span<const TabulateRow> rows);
/// An object with "schema" and "rows".
[[nodiscard]] std::string tabulateJson(std::span<const TabulateRow> rows);

}  // namespace kinetoscope::report
