// SPDX-License-Identifier: Apache-2.0
#include "core/import/event/TolerantReader.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "core/base/Ascii.h"
#include "core/import/scan/Decimal.h"
#include "core/import/scan/StringDecoder.h"

namespace kinetoscope::import::event {

namespace {

using namespace scan;

// Deeper than any real file; a row of brackets must not take a byte of memory each.
constexpr std::size_t kMaxDepth = 100'000;

bool isPlain(std::string_view word) {
    return word == "true" || word == "false" || word == "null";
}

// What writers that know no JSON print for "no number" and friends.
bool isKnownWord(std::string_view word) {
    static constexpr std::array<std::string_view, 12> kWords{
        "nan",  "inf",   "infinity", "n/a",       "na",  "none",
        "true", "false", "null",     "undefined", "nil", "nan(ind)"};
    if (word.starts_with('-') || word.starts_with('+')) {
        word.remove_prefix(1);
    }
    return std::ranges::any_of(kWords,
                               [word](auto known) { return equalIgnoringCase(known, word); });
}

class TolerantScan {
public:
    TolerantScan(const char* at, const char* end, SyntaxIssues& issues)
        : m_at(at), m_end(end), m_issues(issues) {}

    [[nodiscard]] ReadResult event(RawEvent& event) {
        event.clear();
        event.begin = m_at;
        ++m_at;
        while (nextMember()) {
            if (!member(event)) {
                return {m_at, false};
            }
        }
        if (*m_at != '}' || m_at >= m_end) {
            return {m_at, false};
        }
        event.end = ++m_at;
        return {m_at, true};
    }

    [[nodiscard]] ReadResult anyValue(scan::JsonText& text) {
        const bool complete = value(text);
        return {m_at, complete};
    }

private:
    // Moves to the next key's opening quote; false at anything else. member() checks for commas.
    bool nextMember() {
        skipCommas();
        return *m_at == '"' && m_at < m_end;
    }

    void skipCommas() {
        m_at = scan::skipSpace(m_at);
        while (*m_at == ',') {
            m_issues.extraComma = true;
            m_at = scan::skipSpace(m_at + 1);
        }
    }

    bool member(RawEvent& event) {
        scan::JsonText key;
        if (!string(key) || !colon()) {
            return false;
        }
        scan::JsonText text;
        if (!value(text)) {
            return false;
        }
        std::string decoded;
        if (const auto field = eventField(scan::decodeString(key, decoded).text)) {
            event.set(*field, text);
        }
        return memberEnd();
    }

    bool memberEnd() {
        m_at = scan::skipSpace(m_at);
        if (*m_at == '}') {
            return true;
        }
        if (*m_at != ',') {
            return false;
        }
        m_at = scan::skipSpace(m_at + 1);
        m_issues.extraComma |= *m_at == '}';
        return true;
    }

    bool colon() {
        m_at = scan::skipSpace(m_at);
        if (*m_at != ':') {
            return false;
        }
        ++m_at;
        return true;
    }

    bool string(scan::JsonText& text) {
        text = {.data = m_at + 1, .kind = scan::JsonKind::String};
        m_at = scan::stringEnd(m_at + 1, text);
        while (*m_at != '"') {
            if (m_at >= m_end) {
                return false;
            }
            m_issues.controlCharacter = true;
            m_at = scan::stringEnd(m_at + 1, text);
        }
        text.size = static_cast<std::uint32_t>(m_at - text.data);
        ++m_at;
        return true;
    }

    bool value(scan::JsonText& text) {
        m_at = scan::skipSpace(m_at);
        if (m_at >= m_end) {
            return false;
        }
        if (*m_at == '"') {
            return string(text);
        }
        if (*m_at != '{' && *m_at != '[') {
            return word(text);
        }
        text = {.data = m_at,
                .kind = *m_at == '{' ? scan::JsonKind::Object : scan::JsonKind::Array};
        text.nested = true;
        const bool complete = nested(text);
        text.size = static_cast<std::uint32_t>(m_at - text.data);
        return complete;
    }

    bool word(scan::JsonText& text) {
        static constexpr std::string_view kInside = "+-./_()";
        text = {.data = m_at};
        const char* at = m_at;
        while (isAsciiAlnum(*at) || (*at != '\0' && kInside.find(*at) != std::string_view::npos)) {
            ++at;
        }
        text.size = static_cast<std::uint32_t>(at - m_at);
        if (scan::parseDecimal(text.view(), 0).status != scan::DecimalStatus::NotANumber) {
            text.kind = scan::JsonKind::Number;
        } else if (isKnownWord(text.view())) {
            m_issues.bareWord |= !isPlain(text.view());
        } else {
            return false;
        }
        m_at = at;
        return true;
    }

    enum class Expect { Member, Element, CommaOrEnd };

    // Walks an object or array with its grammar, without recursion.
    bool nested(scan::JsonText& flags) {
        m_open.clear();
        Expect expect = open();
        while (!m_open.empty()) {
            m_at = scan::skipSpace(m_at);
            if (m_at >= m_end || m_open.size() > kMaxDepth) {
                return false;
            }
            if (expect == Expect::CommaOrEnd) {
                if (!separator(expect)) {
                    return false;
                }
            } else if (*m_at == ',') {
                m_issues.extraComma = true;
                ++m_at;
            } else if (*m_at == m_open.back()) {
                close(expect);
            } else if (!element(expect, flags)) {
                return false;
            }
        }
        return true;
    }

    Expect open() {
        const bool object = *m_at == '{';
        m_open.push_back(object ? '}' : ']');
        ++m_at;
        return object ? Expect::Member : Expect::Element;
    }

    void close(Expect& expect) {
        m_open.pop_back();
        ++m_at;
        expect = Expect::CommaOrEnd;
    }

    bool separator(Expect& expect) {
        if (*m_at == m_open.back()) {
            close(expect);
            return true;
        }
        if (*m_at != ',') {
            return false;
        }
        m_at = scan::skipSpace(m_at + 1);
        m_issues.extraComma |= *m_at == m_open.back();
        expect = m_open.back() == '}' ? Expect::Member : Expect::Element;
        return true;
    }

    bool element(Expect& expect, scan::JsonText& flags) {
        scan::JsonText text;
        if (expect == Expect::Member) {
            if (*m_at != '"' || !string(text) || !colon()) {
                return false;
            }
            merge(flags, text);
            m_at = scan::skipSpace(m_at);
        }
        if (*m_at == '{' || *m_at == '[') {
            expect = open();
            return true;
        }
        expect = Expect::CommaOrEnd;
        if (m_at >= m_end || !(*m_at == '"' ? string(text) : word(text))) {
            return false;
        }
        merge(flags, text);
        return true;
    }

    static void merge(scan::JsonText& flags, const scan::JsonText& text) {
        flags.escaped |= text.escaped;
        flags.nonAscii |= text.nonAscii;
    }

    const char* m_at;
    const char* m_end;
    SyntaxIssues& m_issues;
    std::vector<char> m_open;
};

}  // namespace

ReadResult readEventTolerantly(const char* at, const char* end, RawEvent& event,
                               SyntaxIssues& issues) {
    return TolerantScan(at, end, issues).event(event);
}

ReadResult readValueTolerantly(const char* at, const char* end, scan::JsonText& value,
                               SyntaxIssues& issues) {
    return TolerantScan(at, end, issues).anyValue(value);
}

}  // namespace kinetoscope::import::event
