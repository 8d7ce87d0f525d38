// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/analysis/KernelNames.h"
#include "core/query/LaunchLinks.h"
#include "core/trace/Trace.h"

namespace kinetoscope::analysis {

/// Why a GPU operation counts as matrix multiplication or convolution, or that it does not.
enum class MmConvKind : std::uint8_t {
    No,
    Operator,  ///< launched by a matrix multiplication or convolution
    Name,      ///< its own name says so
    Layout,    ///< launched by such an operator, but only converts a layout; counted apart
};

/// Counts towards the share of matrix multiplications and convolutions.
[[nodiscard]] constexpr bool countsAsMmConv(MmConvKind kind) {
    return kind == MmConvKind::Operator || kind == MmConvKind::Name;
}

/// aten::mm, aten::convolution and their kin.
[[nodiscard]] bool isMmConvOperator(std::string_view operatorName);

/// One entry for each GPU operation; copies and memsets are never.
[[nodiscard]] std::vector<MmConvKind> classifyMmConv(const trace::Trace& trace,
                                                     const KernelNames& names,
                                                     const query::LaunchLinks& links);

}  // namespace kinetoscope::analysis
