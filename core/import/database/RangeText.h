// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace kinetoscope::import::database {

/// What ranges (NVTX, roctx) of PyTorch's emit_nvtx() are called, without the numbers that it
/// writes behind the operator's name.
struct RangeText {
    std::string_view name;
    std::string_view shapes;  ///< JSON of the inputs' dimensions; empty if unknown
    bool isOperator = false;
};
[[nodiscard]] RangeText rangeText(std::string_view text);

}  // namespace kinetoscope::import::database
