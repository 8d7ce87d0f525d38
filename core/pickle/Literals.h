// SPDX-License-Identifier: Apache-2.0
// Values as protocol 0 writes them: lines of text.
#pragma once

#include <string>
#include <string_view>

namespace kinetoscope::pickle {

/// The text of a Python string literal with its quotes and escapes. Throws Damage.
[[nodiscard]] std::string quotedText(std::string_view literal);
/// UTF-8 of a line in Python's raw-unicode-escape.
[[nodiscard]] std::string escapedText(std::string_view line);

}  // namespace kinetoscope::pickle
