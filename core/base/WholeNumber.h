// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>

namespace kinetoscope {

/// The number that all of `text` is, with a decimal point in every locale; one that is too large or
/// too small for a double becomes infinite or 0, as in Python.
[[nodiscard]] std::optional<double> wholeNumber(std::string_view text);

}  // namespace kinetoscope
