// SPDX-License-Identifier: Apache-2.0
#include "core/bench/operators/InputCursor.h"

#include <fmt/format.h>

#include <charconv>
#include <limits>

#include "core/base/WholeNumber.h"
#include "core/bench/operators/InputEscapes.h"

namespace kinetoscope::bench::operators {

void InputCursor::fail(std::size_t at, std::string message) {
    throw InputFailure{at, std::move(message)};
}

bool InputCursor::isNameStart(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

bool InputCursor::isDigit(char c) {
    return c >= '0' && c <= '9';
}

std::size_t InputCursor::skipBlanks() {
    while (m_at < m_text.size() && (m_text[m_at] == ' ' || m_text[m_at] == '\t')) {
        ++m_at;
    }
    return m_at;
}

char InputCursor::peek() {
    skipBlanks();
    return m_at < m_text.size() ? m_text[m_at] : '\0';
}

std::string InputCursor::found() {
    return peek() == '\0' ? "the end of the line" : fmt::format("'{}'", m_text[m_at]);
}

void InputCursor::expect(char wanted) {
    if (peek() != wanted) {
        fail(m_at, fmt::format("'{}' expected instead of {}", wanted, found()));
    }
    ++m_at;
}

void InputCursor::optionalComma(char closing) {
    const std::size_t before = m_at;
    if (peek() == ',') {
        ++m_at;
        if (peek() != closing) {
            m_at = before;
        }
    }
}

void InputCursor::literal(std::string_view wanted) {
    if (m_text.substr(m_at, wanted.size()) != wanted) {
        fail(m_at, fmt::format("'{}' expected", wanted));
    }
    m_at += wanted.size();
}

void InputCursor::end() {
    if (peek() != '\0' || m_at < m_text.size()) {
        fail(m_at, fmt::format("the line should end here, before {}", found()));
    }
}

std::string_view InputCursor::name() {
    const std::size_t start = skipBlanks();
    while (m_at < m_text.size() && (isNameStart(m_text[m_at]) || isDigit(m_text[m_at]))) {
        ++m_at;
    }
    return m_text.substr(start, m_at - start);
}

std::int64_t InputCursor::integer() {
    const std::size_t start = skipBlanks();
    std::int64_t value = 0;
    const auto [next, error] =
        std::from_chars(m_text.data() + m_at, m_text.data() + m_text.size(), value);
    if (error == std::errc::result_out_of_range) {
        fail(start, "the number does not fit into 64 bits");
    }
    if (error != std::errc()) {
        fail(start, fmt::format("a whole number expected instead of {}", found()));
    }
    m_at = static_cast<std::size_t>(next - m_text.data());
    return value;
}

InputValue InputCursor::number() {
    const std::size_t start = m_at;
    std::size_t stop = m_at + (m_text[m_at] == '-' || m_text[m_at] == '+' ? 1 : 0);
    if (stop < m_text.size() && isNameStart(m_text[stop])) {
        m_at = stop;
        const double size = infinity(name(), start);
        return {m_text[start] == '-' ? -size : size};
    }
    bool real = false;
    while (stop < m_text.size()) {
        const char c = m_text[stop];
        const char before = m_text[stop - (stop > start ? 1 : 0)];
        const bool sign = (c == '-' || c == '+') && (before == 'e' || before == 'E');
        if (!isDigit(c) && c != '.' && c != 'e' && c != 'E' && !sign) {
            break;
        }
        real = real || !isDigit(c);
        ++stop;
    }
    if (!real) {
        return {integer()};
    }
    const auto value = wholeNumber(m_text.substr(start, stop - start));
    if (!value) {
        fail(start, "this is not a number");
    }
    m_at = stop;
    return {*value};
}

double InputCursor::infinity(std::string_view word, std::size_t at) {
    if (word == "inf") {
        return std::numeric_limits<double>::infinity();
    }
    if (word == "nan") {
        return std::numeric_limits<double>::quiet_NaN();
    }
    fail(at, "a number expected");
}

std::string InputCursor::string() {
    const std::size_t start = m_at;
    const char quote = m_text[m_at++];
    std::string text;
    while (m_at < m_text.size() && m_text[m_at] != quote) {
        if (m_text[m_at] == '\\' && m_at + 1 < m_text.size()) {
            m_at += takeEscape(m_text.substr(m_at), text);
        } else {
            text += m_text[m_at++];
        }
    }
    if (m_at >= m_text.size()) {
        fail(start, "this string has no end");
    }
    ++m_at;
    return text;
}

std::vector<std::int64_t> InputCursor::numbers(const char* what, bool negative) {
    const std::size_t start = skipBlanks();
    const char opening = peek();
    if (opening != '[' && opening != '(') {
        fail(start, fmt::format("a list expected as {} instead of {}", what, found()));
    }
    ++m_at;
    const char closing = opening == '[' ? ']' : ')';
    std::vector<std::int64_t> values;
    while (peek() != closing) {
        const std::size_t at = m_at;
        values.push_back(integer());
        if (!negative && values.back() < 0) {
            fail(at, fmt::format("{} cannot be negative", what));
        }
        if (peek() != closing) {
            expect(',');
        }
    }
    ++m_at;
    return values;
}

}  // namespace kinetoscope::bench::operators
