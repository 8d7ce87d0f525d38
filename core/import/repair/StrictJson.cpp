// SPDX-License-Identifier: Apache-2.0
#include "core/import/repair/StrictJson.h"

#include <array>
#include <charconv>
#include <cstring>
#include <string>
#include <utility>

#include "core/base/Utf8.h"
#include "core/import/scan/JsonScan.h"
#include "core/import/scan/StringDecoder.h"
#include "core/json/Json.h"

namespace kinetoscope::import::repair {

namespace {

using namespace import::scan;

const char* digitsEnd(const char* at) {
    while (scan::isDigit(*at)) {
        ++at;
    }
    return at;
}

// Doubles end before 10^309; fewer digits without an exponent always fit.
bool fitsDouble(const char* begin, const char* end, bool exponent) {
    constexpr std::ptrdiff_t kAlways = 300;
    if (!exponent && end - begin < kAlways) {
        return true;
    }
    // Out of range is also what is too small; parsers read that as 0.
    double value = 0.0;
    return std::from_chars(begin, end, value).ec == std::errc() ||
           json::isJson({begin, static_cast<std::size_t>(end - begin)});
}

// The end of the number at `at`; null if there is none.
const char* strictNumberEnd(const char* at) {
    const char* begin = at;
    at += *at == '-' ? 1 : 0;
    if (!scan::isDigit(*at)) {
        return nullptr;
    }
    at = *at == '0' ? at + 1 : digitsEnd(at);
    if (*at == '.') {
        if (!scan::isDigit(*++at)) {
            return nullptr;
        }
        at = digitsEnd(at);
    }
    const bool exponent = *at == 'e' || *at == 'E';
    if (exponent) {
        ++at;
        at += *at == '+' || *at == '-' ? 1 : 0;
        if (!scan::isDigit(*at)) {
            return nullptr;
        }
        at = digitsEnd(at);
    }
    return fitsDouble(begin, at, exponent) ? at : nullptr;
}

class StrictScan {
public:
    explicit StrictScan(std::string_view text) : m_at(text.data()), m_end(m_at + text.size()) {}

    bool run() {
        do {
            m_at = scan::skipSpace(m_at);
            const bool nest = *m_at == '{' || *m_at == '[';
            if (m_at >= m_end || !(nest ? open() : scalar())) {
                return false;
            }
        } while (another());
        while (m_at < m_end && (*m_at == ' ' || *m_at == '\n' || *m_at == '\r' || *m_at == '\t')) {
            ++m_at;
        }
        return m_depth == 0 && m_at == m_end;
    }

private:
    // To the first value of the nest, or to its closing bracket.
    bool open() {
        if (m_depth == json::kMaxJsonDepth) {
            return false;
        }
        const char close = *m_at == '{' ? '}' : ']';
        m_close[m_depth++] = close;
        m_at = scan::skipSpace(m_at + 1);
        m_opened = *m_at != close;
        return !m_opened || close == ']' || key();
    }

    // From behind a value or a nest's opening bracket to the next value. False at the end of the
    // outermost value, and, with nests still open, where something is wrong.
    bool another() {
        if (std::exchange(m_opened, false)) {
            return true;
        }
        while (m_depth > 0) {
            const char close = m_close[m_depth - 1];
            m_at = scan::skipSpace(m_at);
            if (m_at >= m_end || (*m_at != close && *m_at != ',')) {
                return false;
            }
            if (*m_at++ == ',') {
                m_at = scan::skipSpace(m_at);
                return close == ']' || key();
            }
            --m_depth;
        }
        return false;
    }

    bool key() {
        if (*m_at != '"' || !string()) {
            return false;
        }
        m_at = scan::skipSpace(m_at);
        return *m_at++ == ':';
    }

    bool string() {
        scan::JsonText flags;
        const char* begin = m_at + 1;
        const char* end = scan::stringEnd(begin, flags);
        if (*end != '"' || end >= m_end) {
            return false;
        }
        m_at = end + 1;
        const std::string_view inside(begin, static_cast<std::size_t>(end - begin));
        return (!flags.nonAscii || isUtf8(inside)) && (!flags.escaped || hasGoodEscapes(inside));
    }

    static bool hasGoodEscapes(std::string_view inside) {
        scan::JsonText text{.data = inside.data(),
                            .size = static_cast<std::uint32_t>(inside.size())};
        text.escaped = true;
        std::string storage;
        return inside.size() == text.size && !scan::decodeString(text, storage).invalidEscape;
    }

    bool scalar() {
        if (*m_at == '"') {
            return string();
        }
        if (*m_at == '-' || scan::isDigit(*m_at)) {
            const char* end = strictNumberEnd(m_at);
            m_at = end == nullptr ? m_at : end;
            return end != nullptr;
        }
        for (const std::string_view word : {"true", "false", "null"}) {
            if (std::memcmp(m_at, word.data(), word.size()) == 0) {
                m_at += word.size();
                return true;
            }
        }
        return false;
    }

    const char* m_at;
    const char* m_end;
    std::size_t m_depth = 0;
    std::array<char, json::kMaxJsonDepth> m_close;
    bool m_opened = false;  // at the first value of a nest
};

}  // namespace

bool isStrictJson(std::string_view text) {
    return StrictScan(text).run();
}

bool isStrictNumber(std::string_view text) {
    const std::string padded = std::string(text) + std::string(scan::kTextPadding, '\0');
    const char* end = strictNumberEnd(padded.data());
    return end == padded.data() + text.size();
}

}  // namespace kinetoscope::import::repair
