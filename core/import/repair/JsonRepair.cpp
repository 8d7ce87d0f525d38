// SPDX-License-Identifier: Apache-2.0
#include "core/import/repair/JsonRepair.h"

#include <algorithm>
#include <vector>

#include "core/base/Ascii.h"
#include "core/import/repair/StrictJson.h"
#include "core/import/scan/JsonScan.h"
#include "core/import/scan/StringDecoder.h"
#include "core/json/Json.h"

namespace kinetoscope::import::repair {

namespace {

constexpr std::string_view kSpace = " \t\r\n";

// As in the readers: a number ends at whatever else follows it.
bool isWordCharacter(char c) {
    return isAsciiAlnum(c) ||
           (c != '\0' && std::string_view("+-./_()").find(c) != std::string_view::npos);
}

std::string_view takeDigits(std::string_view& text) {
    const std::size_t count = std::min(text.find_first_not_of("0123456789"), text.size());
    const std::string_view digits = text.substr(0, count);
    text.remove_prefix(count);
    return digits;
}

std::string_view takeOne(std::string_view& text, std::string_view choices) {
    const bool found = !text.empty() && choices.find(text[0]) != std::string_view::npos;
    const std::string_view taken = text.substr(0, found ? 1 : 0);
    text.remove_prefix(taken.size());
    return taken;
}

// A number as parseDecimal() takes it: the same in JSON's spelling, and as a text where it is too
// large for readers. Anything else is null.
std::string mendedWord(std::string_view word) {
    if (word == "true" || word == "false" || word == "null") {
        return std::string(word);
    }
    std::string number(takeOne(word, "+-") == "-" ? "-" : "");
    const std::string_view whole = takeDigits(word);
    const bool point = !takeOne(word, ".").empty();
    const std::string_view fraction = point ? takeDigits(word) : std::string_view();
    const std::size_t zeros = std::min(whole.find_first_not_of('0'), whole.size());
    number += zeros == whole.size() ? std::string_view("0") : whole.substr(zeros);
    number += fraction.empty() ? "" : "." + std::string(fraction);
    if (!takeOne(word, "eE").empty()) {
        const std::string_view sign = takeOne(word, "+-");
        number += "e" + std::string(sign) + std::string(takeDigits(word));
    }
    const bool none = whole.empty() && fraction.empty();
    if (none || !word.empty() || !isAsciiDigit(number.back())) {
        return "null";
    }
    return isStrictNumber(number) ? number : '"' + number + '"';
}

// Writes the tokens of a text again, those that fit where they stand, with what is missing between
// them.
class Repair {
public:
    explicit Repair(std::string_view text) : m_text(text) {}

    std::string run() {
        while (m_at < m_text.size() && !m_done) {
            token(m_text[m_at]);
        }
        while (!m_open.empty()) {
            close();
        }
        return std::move(m_out);
    }

private:
    enum class Expect : std::uint8_t { Value, Key, Colon };
    struct Nest {
        char close;
        bool empty;
    };

    void token(char c) {
        if (c == '"') {
            string();
        } else if (c == '{' || c == '[') {
            ++m_at;
            nest(c);
        } else if (c == '}' || c == ']') {
            ++m_at;
            closing(c);
        } else if (c == ',' || c == ':') {
            ++m_at;
            separator(c);
        } else if (isWordCharacter(c)) {
            word();
        } else {
            const bool space = kSpace.find(c) != std::string_view::npos;
            m_space += space ? std::string_view(&c, 1) : std::string_view();
            skipOne();
        }
    }

    // Decoding and writing again repairs everything that can be wrong inside of a string.
    void string() {
        if (isKey()) {
            closeArrays();
            if (inObject() && m_expect != Expect::Key) {
                scalar("null");
            }
        }
        const std::string_view inside = takeString();
        scan::JsonText value;
        value.data = inside.data();
        value.size = static_cast<std::uint32_t>(inside.size());
        value.kind = scan::JsonKind::String;
        value.escaped = true;
        value.nonAscii = true;
        std::string storage;
        const std::string decoded(scan::decodeString(value, storage).text);
        const std::string strict = json::quotedJson(decoded);
        if (m_expect == Expect::Key) {
            element(strict);
            m_expect = Expect::Colon;
        } else {
            scalar(strict);
        }
    }

    std::string_view takeString() {
        const std::size_t begin = ++m_at;
        while (m_at < m_text.size() && m_text[m_at] != '"') {
            m_at += m_text[m_at] == '\\' ? 2U : 1U;
        }
        const std::size_t end = std::min(m_at, m_text.size());
        m_at = end + 1;
        return m_text.substr(begin, end - begin);
    }

    // Whether the string here is a key: then whatever was before it in the object has ended.
    bool isKey() {
        const std::size_t begin = m_at;
        (void)takeString();
        const std::size_t next = m_text.find_first_not_of(kSpace, m_at);
        m_at = begin;
        return next != std::string_view::npos && m_text[next] == ':';
    }

    void word() {
        const std::size_t begin = m_at;
        while (m_at < m_text.size() && isWordCharacter(m_text[m_at])) {
            ++m_at;
        }
        const std::string_view word = m_text.substr(begin, m_at - begin);
        const bool says = std::ranges::any_of(word, isAsciiAlnum);
        if (says && m_expect != Expect::Key) {
            scalar(mendedWord(word));
        }
    }

    void separator(char c) {
        if (c == ':') {
            m_expect = m_expect == Expect::Colon ? Expect::Value : m_expect;
        } else if (inObject() && m_expect != Expect::Key) {
            scalar("null");
        }
    }

    void nest(char c) {
        if (m_expect == Expect::Key || m_open.size() == json::kMaxJsonDepth) {
            const bool value = m_expect != Expect::Key;
            skipNest(c);
            if (value) {
                scalar("null");
            }
            return;
        }
        value(std::string(1, c));
        m_open.push_back({c == '{' ? '}' : ']', true});
        m_objects += inObject() ? 1U : 0U;
        m_expect = c == '{' ? Expect::Key : Expect::Value;
    }

    // Behind the nest whose opening bracket was `c`, or in front of what belongs to an outer one.
    void skipNest(char c) {
        std::size_t braces = c == '{' ? 1 : 0;
        std::size_t brackets = 1 - braces;
        while (m_at < m_text.size() && braces + brackets > 0) {
            const char next = m_text[m_at];
            if (braces == 0 && (next == '}' || (next == '"' && isKey()))) {
                return;
            }
            if (next == '"') {
                (void)takeString();
                continue;
            }
            braces += next == '{' ? 1U : 0U;
            braces -= next == '}' ? 1U : 0U;
            brackets += next == '[' ? 1U : 0U;
            brackets -= next == ']' && brackets > 0 ? 1U : 0U;
            if (c == '{' && braces == 0) {
                brackets = 0;
            }
            skipOne();
        }
    }

    // For the readers, a backslash outside of a string escapes a quote, too, and a backslash.
    void skipOne() {
        const bool escapes = m_text[m_at] == '\\' && m_at + 1 < m_text.size() &&
                             (m_text[m_at + 1] == '"' || m_text[m_at + 1] == '\\');
        m_at += escapes ? 2U : 1U;
    }

    // Braces can be trusted: the readers count them.
    void closing(char c) {
        if (c == '}') {
            closeArrays();
        }
        if (!m_open.empty() && m_open.back().close == c) {
            close();
        }
    }

    // Those inside of the innermost object.
    void closeArrays() {
        while (m_objects > 0 && m_open.back().close == ']') {
            close();
        }
    }

    void close() {
        if (inObject() && m_expect != Expect::Key) {
            scalar("null");
        }
        m_out += m_space;
        m_space.clear();
        m_out += m_open.back().close;
        m_objects -= inObject() ? 1U : 0U;
        m_open.pop_back();
        valueEnd();
    }

    // The next member or element of the innermost nest begins.
    void element(std::string_view text) {
        if (!m_open.empty()) {
            m_out += m_open.back().empty ? "" : ",";
            m_open.back().empty = false;
        }
        m_out += m_space;
        m_space.clear();
        m_out += text;
    }

    void value(std::string_view text) {
        if (!inObject()) {
            element(text);
            return;
        }
        m_out += ':';
        m_out += m_space;
        m_space.clear();
        m_out += text;
    }

    void scalar(std::string_view text) {
        value(text);
        valueEnd();
    }

    void valueEnd() {
        m_done = m_open.empty();
        m_expect = inObject() ? Expect::Key : Expect::Value;
    }

    [[nodiscard]] bool inObject() const { return !m_open.empty() && m_open.back().close == '}'; }

    std::string_view m_text;
    std::size_t m_at = 0;
    std::string m_out;
    std::string m_space;  // before the next token
    std::vector<Nest> m_open;
    std::size_t m_objects = 0;  // of m_open
    Expect m_expect = Expect::Value;
    bool m_done = false;
};

}  // namespace

bool isStrictCopy(std::string_view text) {
    std::string padded;
    padded.reserve(text.size() + scan::kTextPadding);
    padded.append(text).append(scan::kTextPadding, '\0');
    return isStrictJson({padded.data(), text.size()});
}

std::string repairedJson(std::string_view text) {
    if (isStrictCopy(text)) {
        return std::string(text);
    }
    std::string repaired = Repair(text).run();
    return isStrictCopy(repaired) ? repaired : std::string();
}

}  // namespace kinetoscope::import::repair
