// SPDX-License-Identifier: Apache-2.0
// Letters as files have them: <cctype> finds no small letter of "I" in a Turkish locale.
#pragma once

#include <algorithm>
#include <string_view>

namespace kinetoscope {

[[nodiscard]] constexpr bool isAsciiDigit(char c) {
    return c >= '0' && c <= '9';
}

[[nodiscard]] constexpr char asciiLower(char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

[[nodiscard]] constexpr char asciiUpper(char c) {
    return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
}

/// A letter or a digit.
[[nodiscard]] constexpr bool isAsciiAlnum(char c) {
    return isAsciiDigit(c) || (asciiLower(c) >= 'a' && asciiLower(c) <= 'z');
}

[[nodiscard]] constexpr bool equalIgnoringCase(std::string_view a, std::string_view b) {
    return std::ranges::equal(a, b, {}, asciiLower, asciiLower);
}

}  // namespace kinetoscope
