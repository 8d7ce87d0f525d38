// SPDX-License-Identifier: Apache-2.0
#include "core/bench/operators/InputParser.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <limits>

namespace kinetoscope {

namespace {

// Deeper nesting than any operator has; keeps damaged text off the stack's end.
constexpr int kDeepest = 32;
// Elements of a tensor's memory: beyond it byte counts leave 63 bits.
constexpr double kMostElements = 1e17;

struct Failure {
    std::size_t at;
    std::string message;
};

bool isNameStart(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

bool isDigit(char c) {
    return c >= '0' && c <= '9';
}

// Throws Failure inside this file only.
class Parser {
public:
    explicit Parser(std::string_view text) : m_text(text) {}

    OperatorCall countLine() {
        OperatorCall call;
        literal("cnt:");
        const std::size_t at = skipBlanks();
        call.count = integer();
        if (call.count < 0) {
            fail(at, "a count can't be negative");
        }
        expect(',');
        expect('(');
        call.args = list(true).items;
        expect(',');
        keywords(call);
        optionalComma(')');
        expect(')');
        end();
        return call;
    }

    InputValue wholeValue() {
        InputValue found = value(0);
        end();
        return found;
    }

private:
    [[noreturn]] static void fail(std::size_t at, std::string message) {
        throw Failure{at, std::move(message)};
    }

    std::size_t skipBlanks() {
        while (m_at < m_text.size() && (m_text[m_at] == ' ' || m_text[m_at] == '\t')) {
            ++m_at;
        }
        return m_at;
    }

    [[nodiscard]] char peek() {
        skipBlanks();
        return m_at < m_text.size() ? m_text[m_at] : '\0';
    }

    [[nodiscard]] std::string found() {
        return peek() == '\0' ? "the end of the line" : fmt::format("'{}'", m_text[m_at]);
    }

    void expect(char wanted) {
        if (peek() != wanted) {
            fail(m_at, fmt::format("'{}' expected instead of {}", wanted, found()));
        }
        ++m_at;
    }

    void optionalComma(char closing) {
        const std::size_t before = m_at;
        if (peek() == ',') {
            ++m_at;
            if (peek() != closing) {
                m_at = before;
            }
        }
    }

    void literal(std::string_view wanted) {
        if (m_text.substr(m_at, wanted.size()) != wanted) {
            fail(m_at, fmt::format("'{}' expected", wanted));
        }
        m_at += wanted.size();
    }

    void end() {
        if (peek() != '\0' || m_at < m_text.size()) {
            fail(m_at, fmt::format("the line should end here, before {}", found()));
        }
    }

    std::string_view name() {
        const std::size_t start = skipBlanks();
        while (m_at < m_text.size() && (isNameStart(m_text[m_at]) || isDigit(m_text[m_at]))) {
            ++m_at;
        }
        return m_text.substr(start, m_at - start);
    }

    std::int64_t integer() {
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

    // Integers stay integers, as Python has it; 1e-05, 2.5, inf and nan are floats.
    InputValue number() {
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
        double value = 0.0;
        const auto [next, error] =
            std::from_chars(m_text.data() + start, m_text.data() + stop, value);
        if (error != std::errc() || next != m_text.data() + stop) {
            fail(start, "this is no number");
        }
        m_at = stop;
        return {value};
    }

    static double infinity(std::string_view word, std::size_t at) {
        if (word == "inf") {
            return std::numeric_limits<double>::infinity();
        }
        if (word == "nan") {
            return std::numeric_limits<double>::quiet_NaN();
        }
        fail(at, "a number expected");
    }

    std::string string() {
        const std::size_t start = m_at;
        const char quote = m_text[m_at++];
        std::string text;
        while (m_at < m_text.size() && m_text[m_at] != quote) {
            if (m_text[m_at] == '\\' && m_at + 1 < m_text.size()) {
                ++m_at;
            }
            text += m_text[m_at++];
        }
        if (m_at >= m_text.size()) {
            fail(start, "this string has no end");
        }
        ++m_at;
        return text;
    }

    InputList list(bool tuple, int depth = 0) {
        const std::size_t start = skipBlanks();
        expect(tuple ? '(' : '[');
        const char closing = tuple ? ')' : ']';
        InputList found{{}, tuple};
        bool comma = true;
        while (peek() != closing) {
            if (!comma) {
                fail(m_at,
                     fmt::format("',' or '{}' expected instead of {}", closing, this->found()));
            }
            found.items.push_back(value(depth + 1));
            comma = peek() == ',';
            m_at += comma ? 1 : 0;
        }
        if (tuple && found.items.size() == 1 && !comma) {
            fail(start, "a tuple of one value needs a comma behind it");
        }
        ++m_at;
        return found;
    }

    std::vector<std::int64_t> numbers(const char* what, bool negative) {
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
                fail(at, fmt::format("{} can't be negative", what));
            }
            if (peek() != closing) {
                expect(',');
            }
        }
        ++m_at;
        return values;
    }

    InputType type() {
        const std::size_t start = skipBlanks();
        const char quote = peek();
        const std::string word = quote == '\'' || quote == '"' ? string() : std::string(name());
        const auto known = inputType(word);
        if (!known) {
            fail(start, word.empty()
                            ? fmt::format("an element type expected instead of {}", found())
                            : fmt::format("'{}' is no element type", word));
        }
        return *known;
    }

    InputValue tensor(std::size_t start) {
        TensorInput tensor;
        expect('(');
        tensor.shape = numbers("a size", false);
        expect(',');
        tensor.type = type();
        if (peek() == ',') {
            ++m_at;
            const std::size_t at = skipBlanks();
            if (isNameStart(peek()) && name() != "stride") {
                fail(at, "only stride= may stand here");
            }
            if (peek() == '=') {
                ++m_at;
            }
            const std::size_t values = skipBlanks();
            tensor.strides = numbers("a stride", false);
            if (tensor.strides->size() != tensor.shape.size()) {
                fail(values, fmt::format("{} strides for {} sizes", tensor.strides->size(),
                                         tensor.shape.size()));
            }
        }
        expect(')');
        checkSize(tensor, start);
        return {std::move(tensor)};
    }

    static void checkSize(const TensorInput& tensor, std::size_t at) {
        double elements = 1.0;
        double reach = 1.0;
        for (std::size_t i = 0; i < tensor.shape.size(); ++i) {
            const auto size = static_cast<double>(tensor.shape[i]);
            elements *= size;
            reach += tensor.strides ? (size - 1.0) * static_cast<double>((*tensor.strides)[i]) : 0;
        }
        if (elements > kMostElements || (elements > 0.0 && reach > kMostElements)) {
            fail(at, "no memory is large enough for this tensor");
        }
    }

    InputValue sparse() {
        SparseInput sparse;
        expect('(');
        sparse.shape = numbers("a size", false);
        expect(',');
        sparse.type = type();
        expect(',');
        const std::size_t at = skipBlanks();
        const InputValue layout = value(1);
        if (!std::holds_alternative<TorchName>(layout.data)) {
            fail(at, "a layout such as torch.sparse_coo expected");
        }
        sparse.layout = std::get<TorchName>(layout.data).name;
        expect(',');
        const std::size_t flagAt = skipBlanks();
        const std::string_view word = name();
        if (word != "True" && word != "False") {
            fail(flagAt, "True or False expected");
        }
        sparse.coalesced = word == "True";
        if (peek() == ',') {
            ++m_at;
            if (isNameStart(peek())) {
                literal("nnz");
                expect('=');
            }
            sparse.nonzero = integer();
        }
        expect(')');
        return {std::move(sparse)};
    }

    // torch.strided; torch.device('cuda', 0) becomes "cuda:0".
    InputValue torchName(std::size_t start) {
        expect('.');
        const std::string_view word = name();
        if (word.empty()) {
            fail(m_at, "a name of torch expected");
        }
        if (word != "device") {
            return {TorchName{std::string(word)}};
        }
        return {device(start)};
    }

    std::string device(std::size_t start) {
        expect('(');
        std::string text;
        while (peek() != ')') {
            if (isNameStart(peek())) {
                name();
                expect('=');
            }
            const char c = peek();
            if (c == '\'' || c == '"') {
                text = string();
            } else {
                text += ":" + std::to_string(integer());
            }
            if (peek() != ')') {
                expect(',');
            }
        }
        ++m_at;
        if (text.empty() || text.front() == ':') {
            fail(start, "a device needs a name");
        }
        return text;
    }

    InputValue word() {
        const std::size_t start = m_at;
        const std::string_view found = name();
        if (found == "T") {
            return tensor(start);
        }
        if (found == "ST") {
            return sparse();
        }
        if (found == "None") {
            return {};
        }
        if (found == "True" || found == "False") {
            return {found == "True"};
        }
        if (found == "torch" || found == "th") {
            return torchName(start);
        }
        if (found == "device" && peek() == '(') {
            return {device(start)};
        }
        if (found == "inf" || found == "nan") {
            return {infinity(found, start)};
        }
        if (const auto type = inputType(found)) {
            return {*type};
        }
        fail(start, fmt::format("'{}' is not known here", found));
    }

    InputValue value(int depth) {
        const char c = peek();
        if (depth > kDeepest) {
            fail(m_at, "nested too deeply");
        }
        if (c == '[' || c == '(') {
            return {list(c == '(', depth)};
        }
        if (c == '\'' || c == '"') {
            // Types were once written as strings.
            std::string text = string();
            const auto type = inputType(text);
            return type ? InputValue{*type} : InputValue{std::move(text)};
        }
        if (isDigit(c) || c == '-' || c == '+' || c == '.') {
            return number();
        }
        if (isNameStart(c)) {
            return word();
        }
        fail(m_at, fmt::format("a value expected instead of {}", found()));
    }

    void keywords(OperatorCall& call) {
        expect('{');
        while (peek() != '}') {
            const std::size_t at = m_at;
            if (peek() != '\'' && peek() != '"') {
                fail(at,
                     fmt::format("the quoted name of an argument expected instead of {}", found()));
            }
            std::string key = string();
            expect(':');
            for (const auto& [known, unused] : call.kwargs) {
                if (known == key) {
                    fail(at, fmt::format("'{}' stands here twice", key));
                }
            }
            call.kwargs.emplace_back(std::move(key), value(1));
            if (peek() != '}') {
                expect(',');
            }
        }
        ++m_at;
    }

    std::string_view m_text;
    std::size_t m_at = 0;
};

}  // namespace

CallOrProblem parseCountLine(std::string_view line, std::size_t number) {
    try {
        CallOrProblem result{Parser(line).countLine(), std::nullopt};
        result.call.line = number;
        return result;
    } catch (const Failure& failure) {
        return {{}, InputProblem{number, failure.at + 1, failure.message}};
    }
}

ValueOrProblem parseInputValue(std::string_view text) {
    try {
        return {Parser(text).wholeValue(), std::nullopt};
    } catch (const Failure& failure) {
        return {{}, InputProblem{1, failure.at + 1, failure.message}};
    }
}

}  // namespace kinetoscope
