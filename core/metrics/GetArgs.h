// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/Result.h"
#include "core/metrics/PyLexer.h"
#include "core/metrics/PyValue.h"

namespace kinetoscope::metrics {

/// One argument that get_args() makes: a tensor, or an integer.
struct KernelArgument {
    std::string name;  ///< as in get_args
    bool tensor = false;
    bool zeroed = false;  ///< torch.zeros
    std::string dtype;    ///< "float16", without "torch."
    std::vector<std::int64_t> shape;
    std::vector<std::int64_t> strides;  ///< as many as the shape has dimensions
    PyValue value;                      ///< of what is not a tensor
};

/// The result of the function get_args at token `def`. Fails if a statement is anything but an
/// assignment of a tensor or a number.
[[nodiscard]] Result<std::vector<KernelArgument>> readGetArgs(std::string_view text,
                                                              std::span<const PyToken> tokens,
                                                              std::size_t def);

/// The call NAME.run(...) in the function call at token `def`.
[[nodiscard]] std::optional<PyValue> readRunCall(std::string_view text,
                                                 std::span<const PyToken> tokens, std::size_t def);

}  // namespace kinetoscope::metrics
