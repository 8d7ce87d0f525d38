// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "core/model/Roofline.h"

namespace kinetoscope::report {

/// A text, a count or time, a measure, or nothing.
using RooflineValue = std::variant<std::monostate, std::string, std::uint64_t, double>;

/// A column of the roofline: JSON, CSV, text, Markdown, the window and --explain are made from
/// these.
struct RooflineColumn {
    std::string_view key;    ///< in JSON and CSV: "tflop_per_s"
    std::string_view title;  ///< for people: "TFLOP/s"
    std::string_view unit;   ///< "ns", "bytes" or empty
    std::string_view definition;
    RooflineValue (*value)(const model::RooflineRow& row);
    /// For people, e.g. time in µs; null: only programs get it.
    std::string (*shown)(const model::RooflineRow& row);
    int droppable = 0;  ///< see text::TextTable
};

[[nodiscard]] std::span<const RooflineColumn> rooflineColumns();

/// Whether a column for people is useful only if memory traffic was measured.
[[nodiscard]] bool isMeasured(const RooflineColumn& column);
/// Whether that of any row was.
[[nodiscard]] bool hasMeasured(const model::Roofline& roofline);

/// "operator", "shape", "kernel" or "module".
[[nodiscard]] std::string_view rooflineByName(model::RooflineBy by);
/// "GPU 0, NVIDIA H200: 4,800 GB/s, fp32 67, …"; or why it has no roof.
[[nodiscard]] std::string roofLine(const model::DeviceRoof& roof);
/// "97.25 % of kernel time is modelled".
[[nodiscard]] std::string coverageLine(TimeNs modelledNs, TimeNs kernelNs);
[[nodiscard]] std::string coverageLine(const model::Roofline& roofline);
/// Operators without a model, at most `most`: "aten::_fused_adamw_ 3.6 % (shapes are not told)".
[[nodiscard]] std::string uncoveredLine(const model::Roofline& roofline, std::size_t most);

}  // namespace kinetoscope::report
