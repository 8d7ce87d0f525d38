// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "core/model/Roofline.h"
#include "core/text/Units.h"

namespace kinetoscope::report {

/// A text, a count or time, a measure, or nothing.
using RooflineValue = std::variant<std::monostate, std::string, std::uint64_t, double>;

/// A column of the roofline: JSON, CSV, text, Markdown, the window and --explain are made from
/// these.
struct RooflineColumn {
    std::string_view key;    ///< in JSON and CSV: "tflop_per_s"
    std::string_view title;  ///< for people: "TFLOP/s"; without the unit of a time
    std::string_view unit;   ///< "ns", "bytes" or empty
    std::string_view definition;
    RooflineValue (*value)(const model::RooflineRow& row);
    /// For people; null: times, see shownText(), and what only programs get.
    std::string (*shown)(const model::RooflineRow& row);
    int droppable = 0;  ///< see text::TextTable
};

[[nodiscard]] std::span<const RooflineColumn> rooflineColumns();

/// Whether people get the column.
[[nodiscard]] bool isShown(const RooflineColumn& column);
/// "Recoverable ms", "TFLOP/s".
[[nodiscard]] std::string shownTitle(const RooflineColumn& column, text::TimeUnit unit);
/// Of a shown column: "1.880", a time in `unit`.
[[nodiscard]] std::string shownText(const RooflineColumn& column, const model::RooflineRow& row,
                                    text::TimeUnit unit);
/// That fits all times of the rows.
[[nodiscard]] text::TimeUnit rooflineUnit(const model::Roofline& roofline);

/// Whether a column for people is useful only if memory traffic was measured.
[[nodiscard]] bool isMeasured(const RooflineColumn& column);
/// Whether that of any row was.
[[nodiscard]] bool hasMeasured(const model::Roofline& roofline);

/// "operator", "shape", "kernel" or "module".
[[nodiscard]] std::string_view rooflineByName(model::RooflineBy by);
/// "GPU 0, NVIDIA H200: 4,800 GB/s, fp32 67, …"; or why it has no roof.
[[nodiscard]] std::string roofLine(const model::DeviceRoof& roof);
/// "97.25 % of kernel time is modelled (…), 33.13 % by its bytes alone".
[[nodiscard]] std::string coverageLine(TimeNs modelledNs, TimeNs bytesOnlyNs, TimeNs kernelNs);
[[nodiscard]] std::string coverageLine(const model::Roofline& roofline);
/// Operators without a model, at most `most`: "aten::_fused_adamw_ 3.6 % (shapes are not told)".
[[nodiscard]] std::string uncoveredLine(const model::Roofline& roofline, std::size_t most);

}  // namespace kinetoscope::report
