// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/metrics/KernelSource.h"
#include "core/metrics/PyLexer.h"

namespace kinetoscope {

/// What the function get_args at token `def` returns. Fails when a statement is anything else
/// than an assignment of a tensor or a number.
[[nodiscard]] Result<std::vector<KernelArgument>> readGetArgs(std::string_view text,
                                                              std::span<const PyToken> tokens,
                                                              std::size_t def);

/// The call NAME.run(...) in the function call at token `def`.
[[nodiscard]] std::optional<PyValue> readRunCall(std::string_view text,
                                                 std::span<const PyToken> tokens, std::size_t def);

}  // namespace kinetoscope
