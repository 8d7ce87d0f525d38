// SPDX-License-Identifier: Apache-2.0
#include "core/import/scan/StringDecoder.h"

#include <algorithm>
#include <optional>

#include "core/base/Utf8.h"

namespace kinetoscope::import::scan {

namespace {

std::optional<std::uint32_t> hexUnit(std::string_view text) {
    if (text.size() < 4) {
        return std::nullopt;
    }
    std::uint32_t unit = 0;
    for (const char c : text.substr(0, 4)) {
        const char lower = static_cast<char>(c | 0x20);
        if (isDigit(c)) {
            unit = unit * 16 + static_cast<std::uint32_t>(c - '0');
        } else if (lower >= 'a' && lower <= 'f') {
            unit = unit * 16 + static_cast<std::uint32_t>(lower - 'a' + 10);
        } else {
            return std::nullopt;
        }
    }
    return unit;
}

class Decoder {
public:
    Decoder(const JsonText& value, std::string& out)
        : m_left(value.view()), m_escapes(value.escaped), m_out(out) {
        m_out.clear();
    }

    DecodedString run() {
        while (!m_left.empty()) {
            const auto c = static_cast<unsigned char>(m_left[0]);
            if (c == '\\' && m_escapes) {
                escape();
            } else if (c < 0x80) {
                copy(1);
            } else {
                sequence();
            }
        }
        m_result.text = m_out;
        return m_result;
    }

private:
    void copy(std::size_t count) {
        m_out += m_left.substr(0, count);
        m_left.remove_prefix(count);
    }

    void replace(std::size_t count) {
        m_out += kReplacementCharacter;
        m_left.remove_prefix(count);
    }

    void sequence() {
        const std::size_t length = utf8Length(m_left);
        if (length != 0) {
            copy(length);
        } else {
            m_result.invalidUtf8 = true;
            replace(1);
        }
    }

    void escape() {
        static constexpr std::string_view kShort = "\"\\/bfnrt";
        static constexpr std::string_view kMeaning = "\"\\/\b\f\n\r\t";
        const char c = m_left.size() > 1 ? m_left[1] : '\0';
        const std::size_t index = c == '\0' ? std::string_view::npos : kShort.find(c);
        if (index != std::string_view::npos) {
            m_out += kMeaning[index];
            m_left.remove_prefix(2);
        } else if (c != 'u' || !unicodeEscape()) {
            m_result.invalidEscape = true;
            copy(1);
        }
    }

    bool unicodeEscape() {
        const auto unit = hexUnit(m_left.substr(2));
        if (!unit) {
            return false;
        }
        if (*unit < 0xD800 || *unit > 0xDFFF) {
            appendUtf8(m_out, *unit);
            m_left.remove_prefix(6);
            return true;
        }
        const auto low =
            m_left.substr(6).starts_with("\\u") ? hexUnit(m_left.substr(8)) : std::nullopt;
        if (*unit < 0xDC00 && low && *low >= 0xDC00 && *low <= 0xDFFF) {
            appendUtf8(m_out, 0x10000 + ((*unit - 0xD800) << 10) + (*low - 0xDC00));
            m_left.remove_prefix(12);
        } else {
            m_result.invalidEscape = true;
            replace(6);
        }
        return true;
    }

    std::string_view m_left;
    bool m_escapes;
    std::string& m_out;
    DecodedString m_result;
};

}  // namespace

DecodedString decodeString(const JsonText& value, std::string& storage) {
    if (!value.escaped && !value.nonAscii) {
        return {value.view(), false, false};
    }
    return Decoder(value, storage).run();
}

bool standsFor(const JsonText& value, std::string_view text) {
    if (!value.escaped) {
        return value.view() == text;
    }
    std::string storage;
    return decodeString(value, storage).text == text;
}

std::string excerpt(std::string_view text, std::size_t most) {
    const bool cut = text.size() > most;
    std::size_t size = cut ? most : text.size();
    while (cut && size > 0 && (static_cast<unsigned char>(text[size]) & 0xC0U) == 0x80) {
        --size;
    }
    std::string line(text.substr(0, size));
    std::ranges::replace_if(
        line, [](char c) { return isControl(c) || c == 0x7f; }, ' ');
    std::string storage;
    std::string valid(asUtf8(line, storage));
    return cut ? valid + "…" : valid;
}

}  // namespace kinetoscope::import::scan
