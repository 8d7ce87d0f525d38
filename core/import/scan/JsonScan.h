// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>

#include "core/import/scan/ByteLanes.h"

namespace kinetoscope::import::scan {

/// Every scanner here may read this many bytes past the end of the text; they must be zero. A zero
/// byte stops each of them, so that none has to compare with the end.
inline constexpr std::size_t kTextPadding = 64;

enum class JsonKind : std::uint8_t { String, Number, Object, Array, Word };

/// A value as it stands in the text, strings without their quotes.
struct JsonText {
    const char* data = nullptr;
    std::uint32_t size = 0;
    JsonKind kind = JsonKind::Word;
    bool escaped = false;   ///< has a backslash in a string
    bool nonAscii = false;  ///< has bytes above 127
    bool nested = false;    ///< an object that may have others inside

    [[nodiscard]] std::string_view view() const { return {data, size}; }
};

[[nodiscard, gnu::always_inline]] inline std::uint64_t load64(const char* at) {
    std::uint64_t word = 0;
    std::memcpy(&word, at, sizeof word);
    return word;
}

[[nodiscard, gnu::always_inline]] inline bool isControl(char c) {
    return static_cast<unsigned char>(c) < 0x20;
}

[[nodiscard, gnu::always_inline]] inline bool isDigit(char c) {
    return c >= '0' && c <= '9';
}

/// What may stand behind a number that is a member of an object.
[[nodiscard, gnu::always_inline]] inline bool endsMember(char c) {
    return c == ',' || c == '}' || c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

/// First byte at or after `at` that is not JSON white space.
[[nodiscard, gnu::always_inline]] inline const char* skipSpace(const char* at) {
    // Most writers put nothing, one blank, or a line break and an indentation.
    if (static_cast<unsigned char>(*at) > ' ') {
        return at;
    }
    if (*at == ' ' && static_cast<unsigned char>(at[1]) > ' ') {
        return at + 1;
    }
    for (;; at += 16) {
        const Lanes16 text(at);
        const std::uint32_t space =
            text.equal(' ') | text.equal('\n') | text.equal('\r') | text.equal('\t');
        if (space != 0xffffU) {
            return at + __builtin_ctz(~space);
        }
    }
}

/// Scans the inside of a string from behind its opening quote. Gives the closing quote, or the
/// first control character (the padding's zero at the latest), where a string cannot go on.
[[nodiscard, gnu::always_inline]] inline const char* stringEnd(const char* at, JsonText& flags) {
    for (;;) {
        const Lanes16 text(at);
        const std::uint32_t stops = text.equal('"') | text.equal('\\') | text.atMost(0x1f);
        const std::uint32_t high = text.high();
        if (stops == 0) {
            flags.nonAscii |= high != 0;
            at += 16;
            continue;
        }
        const int first = __builtin_ctz(stops);
        flags.nonAscii |= (high & ((1U << first) - 1U)) != 0;
        at += first;
        if (*at != '\\') {
            return at;
        }
        flags.escaped = true;
        ++at;
        if (isControl(*at)) {
            return at;
        }
        flags.nonAscii |= static_cast<unsigned char>(*at) >= 0x80;
        ++at;
    }
}

/// End of the characters that numbers are made of.
[[nodiscard, gnu::always_inline]] inline const char* numberEnd(const char* at) {
    while (isDigit(*at) || *at == '.' || *at == '-' || *at == '+' || *at == 'e' || *at == 'E') {
        ++at;
    }
    return at;
}

struct Skipped {
    const char* at = nullptr;  ///< behind the closing bracket, or where it stopped
    bool complete = false;
};

}  // namespace kinetoscope::import::scan
