// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>

namespace kinetoscope::report {

/// The definition of one figure of a report, for `--explain` and tool tips.
struct FigureText {
    std::string_view key;         ///< its name in the JSON report, e.g. "busy_ns"
    std::string_view title;       ///< e.g. "GPU busy"
    std::string_view definition;  ///< plain sentences, no line breaks
    std::string_view unit;        ///< e.g. "ns"; empty when it has none
};

/// Every figure, in the order in which a report shows them. Keys are unique.
[[nodiscard]] std::span<const FigureText> figureTexts();

/// Null for an unknown key.
[[nodiscard]] const FigureText* explainFigure(std::string_view key);

}  // namespace kinetoscope::report
