// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace kinetoscope::bench::operators {

/// Appends what the escape at the beginning of `rest` stands for in Python, as UTF-8, and returns
/// its bytes. An unknown one stands for itself. `rest` has more than the backslash.
[[nodiscard]] std::size_t takeEscape(std::string_view rest, std::string& text);

/// A byte as Python would write it, quotes apart.
[[nodiscard]] std::string escaped(char c);

}  // namespace kinetoscope::bench::operators
