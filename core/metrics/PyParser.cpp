// SPDX-License-Identifier: Apache-2.0
#include "core/metrics/PyParser.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <optional>

#include "core/base/WholeNumber.h"
#include "core/text/Printable.h"

namespace kinetoscope::metrics {

namespace {

// Real sources nest six deep; a hostile one must not exhaust the stack.
constexpr int kMaxDepth = 64;

std::optional<std::int64_t> combine(char op, std::int64_t left, std::int64_t right) {
    std::int64_t result = 0;
    if (op == '/') {
        // Python's // rounds down; only the common case of positive numbers is taken.
        if (left < 0 || right <= 0) {
            return std::nullopt;
        }
        return left / right;
    }
    const bool overflow = op == '*'   ? __builtin_mul_overflow(left, right, &result)
                          : op == '+' ? __builtin_add_overflow(left, right, &result)
                                      : __builtin_sub_overflow(left, right, &result);
    return overflow ? std::nullopt : std::optional(result);
}

PyValue integerValue(std::int64_t value) {
    PyValue result;
    result.kind = PyValue::Kind::Int;
    result.integer = value;
    return result;
}

}  // namespace

const PyToken& PyParser::peek(std::size_t ahead) const {
    return m_tokens[std::min(m_at + ahead, m_tokens.size() - 1)];
}

bool PyParser::accept(std::string_view op) {
    const bool is = peek().is(op);
    m_at += is ? 1 : 0;
    return is;
}

tl::unexpected<Error> PyParser::unexpected() const {
    const auto before = m_text.substr(0, peek().offset);
    const auto line = 1 + std::count(before.begin(), before.end(), '\n');
    const std::string_view found =
        peek().kind == PyToken::Kind::End || peek().kind == PyToken::Kind::NewLine
            ? "the end"
            : peek().text.substr(0, 40);
    return fail(fmt::format("line {}: unexpected {}", line, text::printable(found)));
}

Result<PyValue> PyParser::expressionList() {
    const std::size_t begin = peek().offset;
    auto first = expression();
    if (!first || !peek().is(",")) {
        return first;
    }
    PyValue tuple;
    tuple.kind = PyValue::Kind::Tuple;
    tuple.items.push_back(std::move(*first));
    while (accept(",")) {
        if (peek().kind == PyToken::Kind::NewLine || peek().kind == PyToken::Kind::End) {
            break;
        }
        auto next = expression();
        if (!next) {
            return next;
        }
        tuple.items.push_back(std::move(*next));
    }
    tuple.source = m_text.substr(begin, peek().offset - begin);
    return tuple;
}

Result<PyValue> PyParser::expression() {
    if (++m_depth > kMaxDepth) {
        return fail("nested too deep");
    }
    const std::size_t begin = peek().offset;
    auto value = sum();
    --m_depth;
    if (value) {
        const PyToken& last = m_tokens[std::min(m_at, m_tokens.size()) - 1];
        value->source = m_text.substr(begin, last.offset + last.text.size() - begin);
    }
    return value;
}

Result<PyValue> PyParser::sum() {
    return leftToRight("+", "-", &PyParser::product);
}

Result<PyValue> PyParser::product() {
    return leftToRight("*", "//", &PyParser::unary);
}

Result<PyValue> PyParser::leftToRight(std::string_view first, std::string_view second,
                                      Result<PyValue> (PyParser::*operand)()) {
    auto left = (this->*operand)();
    while (left && (peek().is(first) || peek().is(second))) {
        const char op = peek().text[0];
        skip();
        auto right = (this->*operand)();
        if (!right) {
            return right;
        }
        const auto a = left->asInt();
        const auto b = right->asInt();
        const auto result = a && b ? combine(op, *a, *b) : std::nullopt;
        if (!result) {
            return unexpected();
        }
        left = integerValue(*result);
    }
    return left;
}

Result<PyValue> PyParser::unary() {
    if (!peek().is("-")) {
        return primary();
    }
    skip();
    auto value = primary();
    if (value && value->kind == PyValue::Kind::Int) {
        value->integer = -value->integer;
    } else if (value && value->kind == PyValue::Kind::Float) {
        value->number = -value->number;
    } else if (value && value->kind == PyValue::Kind::Name) {
        value->text.insert(0, "-");
    } else if (value) {
        return unexpected();
    }
    return value;
}

Result<PyValue> PyParser::primary() {
    auto value = atom();
    while (value && value->kind == PyValue::Kind::Name && peek().is("(")) {
        skip();
        value->kind = PyValue::Kind::Call;
        if (const auto done = arguments(*value); !done) {
            return tl::unexpected(done.error());
        }
    }
    return value;
}

Result<PyValue> PyParser::atom() {
    switch (peek().kind) {
        case PyToken::Kind::Number:
            return number();
        case PyToken::Kind::String:
            return strings();
        case PyToken::Kind::Name:
            return name();
        default:
            break;
    }
    if (accept("(")) {
        return sequence(")", PyValue::Kind::Tuple);
    }
    if (accept("[")) {
        return sequence("]", PyValue::Kind::List);
    }
    if (accept("{")) {
        return braces();
    }
    return unexpected();
}

Result<PyValue> PyParser::number() {
    std::string digits(peek().text);
    std::erase(digits, '_');
    PyValue value;
    const bool hex = digits.starts_with("0x") || digits.starts_with("0X");
    if (!hex && digits.find_first_of(".eE") != std::string::npos) {
        const auto number = wholeNumber(digits);
        if (!number) {
            return unexpected();
        }
        value.kind = PyValue::Kind::Float;
        value.number = *number;
    } else {
        value.kind = PyValue::Kind::Int;
        const char* first = digits.data() + (hex ? 2 : 0);
        const char* last = digits.data() + digits.size();
        const auto [end, error] = std::from_chars(first, last, value.integer, hex ? 16 : 10);
        if (error != std::errc() || end != last) {
            return unexpected();
        }
    }
    skip();
    return value;
}

Result<PyValue> PyParser::strings() {
    PyValue value;
    value.kind = PyValue::Kind::String;
    while (peek().kind == PyToken::Kind::String) {
        value.text += pyStringValue(peek().text);
        skip();
    }
    return value;
}

Result<PyValue> PyParser::name() {
    PyValue value;
    value.kind = PyValue::Kind::Name;
    value.text = peek().text;
    skip();
    if (value.text == "None") {
        value.kind = PyValue::Kind::None;
        value.text.clear();
    } else if (value.text == "True" || value.text == "False") {
        value.kind = PyValue::Kind::Bool;
        value.integer = value.text == "True" ? 1 : 0;
        value.text.clear();
    }
    while (value.kind == PyValue::Kind::Name && peek().is(".") &&
           peek(1).kind == PyToken::Kind::Name) {
        value.text += '.';
        value.text += peek(1).text;
        skip();
        skip();
    }
    return value;
}

Result<PyValue> PyParser::sequence(std::string_view close, PyValue::Kind kind) {
    PyValue value;
    value.kind = kind;
    bool comma = false;
    while (!accept(close)) {
        auto item = expression();
        if (!item) {
            return item;
        }
        value.items.push_back(std::move(*item));
        comma = accept(",");
        if (!comma && !peek().is(close)) {
            return unexpected();
        }
    }
    if (kind == PyValue::Kind::Tuple && value.items.size() == 1 && !comma) {
        // Brackets around one expression make no tuple.
        PyValue inner = std::move(value.items.front());
        return inner;
    }
    return value;
}

Result<PyValue> PyParser::braces() {
    PyValue value;
    value.kind = PyValue::Kind::Dict;
    while (!accept("}")) {
        auto key = expression();
        if (!key) {
            return key;
        }
        if (accept(":")) {
            auto item = expression();
            if (!item) {
                return item;
            }
            value.entries.push_back({std::move(*key), std::move(*item)});
        } else {
            value.kind = PyValue::Kind::Set;
            value.items.push_back(std::move(*key));
        }
        if (!accept(",") && !peek().is("}")) {
            return unexpected();
        }
    }
    return value;
}

Result<void> PyParser::arguments(PyValue& call) {
    while (!accept(")")) {
        std::string keyword;
        if (accept("*") || accept("**")) {
            keyword = "*";
        } else if (peek().kind == PyToken::Kind::Name && peek(1).is("=")) {
            keyword = peek().text;
            skip();
            skip();
        }
        auto value = expression();
        if (!value) {
            return tl::unexpected(value.error());
        }
        if (keyword.empty()) {
            call.items.push_back(std::move(*value));
        } else {
            call.keywords.push_back({std::move(keyword), std::move(*value)});
        }
        if (!accept(",") && !peek().is(")")) {
            return unexpected();
        }
    }
    return {};
}

Result<PyValue> parsePython(std::string_view text) {
    const auto tokens = pyTokens(text);
    if (!tokens) {
        return tl::unexpected(tokens.error());
    }
    PyParser parser(text, *tokens);
    auto value = parser.expressionList();
    if (value) {
        // Only what lies inside `text` keeps its source.
        while (parser.peek().kind == PyToken::Kind::NewLine) {
            parser.skip();
        }
        if (parser.peek().kind != PyToken::Kind::End) {
            return fail("more than one expression");
        }
    }
    return value;
}

}  // namespace kinetoscope::metrics
