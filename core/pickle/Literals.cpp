// SPDX-License-Identifier: Apache-2.0
#include "core/pickle/Literals.h"

#include <charconv>
#include <cstdint>

#include "core/base/Utf8.h"
#include "core/pickle/Limits.h"

namespace kinetoscope::pickle {

namespace {

// Takes a number of exactly that many digits off the front; nothing if there is none.
bool takeCode(std::string_view& text, std::size_t digits, int base, std::uint32_t& code) {
    if (text.size() < digits) {
        return false;
    }
    const char* const end = text.data() + digits;
    const auto [at, error] = std::from_chars(text.data(), end, code, base);
    if (error != std::errc{} || at != end) {
        return false;
    }
    text.remove_prefix(digits);
    return true;
}

char simpleEscape(char letter) {
    switch (letter) {
        case 'n':
            return '\n';
        case 't':
            return '\t';
        case 'r':
            return '\r';
        default:
            return letter;
    }
}

}  // namespace

std::string quotedText(std::string_view literal) {
    if (literal.size() < 2 || literal.front() != literal.back() ||
        (literal.front() != '\'' && literal.front() != '"')) {
        throw Damage{"a text has no quotes around it"};
    }
    std::string_view rest = literal.substr(1, literal.size() - 2);
    std::string text;
    while (!rest.empty()) {
        const char letter = rest.front();
        rest.remove_prefix(1);
        if (letter != '\\' || rest.empty()) {
            text += letter;
            continue;
        }
        const char escaped = rest.front();
        std::uint32_t code = 0;
        if (escaped == 'x' && rest.size() > 2) {
            rest.remove_prefix(1);
            if (!takeCode(rest, 2, 16, code)) {
                throw Damage{"a text has an invalid escape"};
            }
            text += static_cast<char>(code);
        } else {
            rest.remove_prefix(1);
            text += simpleEscape(escaped);
        }
    }
    return text;
}

std::string escapedText(std::string_view line) {
    std::string text;
    while (!line.empty()) {
        const char letter = line.front();
        const bool isEscape =
            letter == '\\' && line.size() > 1 && (line[1] == 'u' || line[1] == 'U');
        std::string_view rest = line.substr(isEscape ? 2 : 1);
        std::uint32_t code = 0;
        if (isEscape && takeCode(rest, line[1] == 'u' ? 4 : 8, 16, code)) {
            appendUtf8(text, code);
        } else {
            rest = line.substr(1);
            appendUtf8(text, static_cast<unsigned char>(letter));
        }
        line = rest;
    }
    return text;
}

}  // namespace kinetoscope::pickle
