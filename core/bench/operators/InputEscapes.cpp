// SPDX-License-Identifier: Apache-2.0
#include "core/bench/operators/InputEscapes.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>

#include "core/base/Utf8.h"

namespace kinetoscope::bench::operators {

namespace {

constexpr std::string_view kLetters = "abfnrtv\\'\"";
constexpr std::string_view kMeanings = "\a\b\f\n\r\t\v\\'\"";

// Half a pair of UTF-16 becomes U+FFFD.
void addCharacter(std::string& text, std::uint32_t code) {
    appendUtf8(text, code >= 0xd800 && code < 0xe000 ? 0xfffd : code);
}

std::size_t hexDigits(char letter) {
    return letter == 'x' ? 2 : letter == 'u' ? 4 : letter == 'U' ? 8 : 0;
}

std::optional<std::uint32_t> codeOf(std::string_view digits, int base) {
    constexpr std::uint32_t kLast = 0x10ffff;
    std::uint32_t code = 0;
    const char* const end = digits.data() + digits.size();
    const auto [at, error] = std::from_chars(digits.data(), end, code, base);
    const bool good = error == std::errc() && at == end && code <= kLast;
    return good ? std::optional(code) : std::nullopt;
}

}  // namespace

std::size_t takeEscape(std::string_view rest, std::string& text) {
    const char letter = rest[1];
    if (const auto known = kLetters.find(letter); known != std::string_view::npos) {
        text += kMeanings[known];
        return 2;
    }
    const std::size_t octal =
        std::min<std::size_t>({rest.find_first_not_of("01234567", 1), rest.size(), 4});
    if (octal > 1) {
        addCharacter(text, codeOf(rest.substr(1, octal - 1), 8).value_or(0));
        return octal;
    }
    const std::size_t digits = hexDigits(letter);
    if (digits > 0 && rest.size() >= 2 + digits) {
        if (const auto code = codeOf(rest.substr(2, digits), 16)) {
            addCharacter(text, *code);
            return 2 + digits;
        }
    }
    text += {'\\', letter};
    return 2;
}

std::string escaped(char c) {
    switch (c) {
        case '\\':
            return "\\\\";
        case '\n':
            return "\\n";
        case '\r':
            return "\\r";
        case '\t':
            return "\\t";
        default:
            break;
    }
    const auto byte = static_cast<unsigned char>(c);
    return byte < 0x20 || byte == 0x7f ? fmt::format("\\x{:02x}", byte) : std::string(1, c);
}

}  // namespace kinetoscope::bench::operators
