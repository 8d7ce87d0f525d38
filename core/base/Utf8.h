// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace kinetoscope {

/// Appends a code point of up to 21 bits, half a pair of UTF-16 as it is.
inline void appendUtf8(std::string& text, std::uint32_t code) {
    const auto tail = [&](unsigned shift) {
        text += static_cast<char>(0x80U | (code >> shift & 0x3fU));
    };
    if (code < 0x80) {
        text += static_cast<char>(code);
    } else if (code < 0x800) {
        text += static_cast<char>(0xc0U | code >> 6U);
        tail(0);
    } else if (code < 0x10000) {
        text += static_cast<char>(0xe0U | code >> 12U);
        tail(6);
        tail(0);
    } else {
        text += static_cast<char>(0xf0U | (code >> 18U & 7U));
        tail(12);
        tail(6);
        tail(0);
    }
}

/// Bytes of the well-formed character that `text`, which is not empty, begins with; 0 if it is none
/// (Unicode, table 3-7).
[[nodiscard]] std::size_t utf8Length(std::string_view text);

/// Whether all bytes are well-formed UTF-8.
[[nodiscard]] bool isUtf8(std::string_view text);

inline constexpr std::string_view kReplacementCharacter = "\xEF\xBF\xBD";  // U+FFFD

/// The text as it is or, if it is not UTF-8, with U+FFFD for each byte that is not, in `storage`.
[[nodiscard]] std::string_view asUtf8(std::string_view text, std::string& storage);

}  // namespace kinetoscope
