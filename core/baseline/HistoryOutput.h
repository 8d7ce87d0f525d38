// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/baseline/History.h"
#include "core/text/OutputFormat.h"
#include "core/text/TextTable.h"
#include "core/text/Units.h"

namespace kinetoscope::baseline {

/// As text and Markdown the first `top` series over time (all where 0) and the change points of
/// all; as CSV a row for each point; as JSON "kinetoscope.history/1".
[[nodiscard]] std::string historyOutput(const History& history, text::OutputFormat format,
                                        std::size_t top, const text::TextStyle& style);

/// In which all of its values are shown.
[[nodiscard]] text::TimeUnit unitOf(const HistorySeries& series);

/// "SLOWER by 5.2 % (4.1 … 6.3 %)", or FASTER.
[[nodiscard]] std::string changeText(const stats::ChangePoint& change);

/// "12 entries on NVIDIA H200, 3 left out; …" in one line.
[[nodiscard]] std::string historyTitle(const History& history);

}  // namespace kinetoscope::baseline
