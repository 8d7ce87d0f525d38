// SPDX-License-Identifier: Apache-2.0
#include "core/bench/operators/InputParser.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/Ascii.h"
#include "core/bench/operators/InputCursor.h"

namespace kinetoscope::bench::operators {

namespace {

// Deeper nesting than any operator has; keeps damaged text off the stack's end.
constexpr int kMaxDepth = 32;
// Elements of a tensor's memory: beyond it byte counts leave 63 bits.
constexpr double kMaxElements = 1e17;

// Throws InputFailure inside this file only.
class Parser : InputCursor {
public:
    using InputCursor::InputCursor;

    OperatorCall countLine() {
        OperatorCall call;
        literal("cnt:");
        const std::size_t at = skipBlanks();
        call.count = integer();
        if (call.count < 0) {
            fail(at, "a count cannot be negative");
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

    InputType type() {
        const std::size_t start = skipBlanks();
        const char quote = peek();
        const std::string word = quote == '\'' || quote == '"' ? string() : std::string(name());
        const auto known = inputType(word);
        if (!known) {
            fail(start, word.empty()
                            ? fmt::format("an element type expected instead of {}", found())
                            : fmt::format("'{}' is not an element type", word));
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

    // A size of 0 does not excuse the others: strides are products of them.
    static void checkSize(const TensorInput& tensor, std::size_t at) {
        const bool isEmpty = std::ranges::find(tensor.shape, 0) != tensor.shape.end();
        double elements = 1.0;
        double reach = 1.0;
        for (std::size_t i = 0; i < tensor.shape.size(); ++i) {
            const auto size = static_cast<double>(tensor.shape[i]);
            elements *= std::max(size, 1.0);
            reach += tensor.strides ? (size - 1.0) * static_cast<double>((*tensor.strides)[i]) : 0;
        }
        if (elements > kMaxElements || (!isEmpty && reach > kMaxElements)) {
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
        std::optional<std::int64_t> index;
        while (peek() != ')') {
            if (isNameStart(peek())) {
                name();
                expect('=');
            }
            const char c = peek();
            if (c == '\'' || c == '"') {
                text = string();
            } else {
                index = integer();
            }
            if (peek() != ')') {
                expect(',');
            }
        }
        ++m_at;
        if (text.empty()) {
            fail(start, "a device needs a name");
        }
        if (inputType(text)) {
            fail(start, fmt::format("'{}' is a type, no device", text));
        }
        return index ? text + ":" + std::to_string(*index) : text;
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
        if (depth > kMaxDepth) {
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
                    fail(at, fmt::format("'{}' is given twice", key));
                }
            }
            call.kwargs.emplace_back(std::move(key), value(1));
            if (peek() != '}') {
                expect(',');
            }
        }
        ++m_at;
    }
};

}  // namespace

CallOrProblem parseCountLine(std::string_view line, std::size_t number) {
    try {
        CallOrProblem result{Parser(line).countLine(), std::nullopt};
        result.call.line = number;
        return result;
    } catch (const InputFailure& failure) {
        return {{}, InputProblem{number, failure.at + 1, failure.message}};
    }
}

ValueOrProblem parseInputValue(std::string_view text) {
    try {
        return {Parser(text).wholeValue(), std::nullopt};
    } catch (const InputFailure& failure) {
        return {{}, InputProblem{1, failure.at + 1, failure.message}};
    }
}

NamedValueOrProblem parseNamedValue(std::string_view text) {
    const auto isPart = [](char c) { return isAsciiAlnum(c) || c == '_'; };
    const std::size_t end =
        static_cast<std::size_t>(std::find_if_not(text.begin(), text.end(), isPart) - text.begin());
    const bool named = end > 0 && end < text.size() && text[end] == '=';
    const std::size_t start = named ? end + 1 : 0;
    NamedValueOrProblem found{parseInputValue(text.substr(start)),
                              std::string(text.substr(0, named ? end : 0))};
    if (found.problem) {
        found.problem->column += start;
    }
    return found;
}

}  // namespace kinetoscope::bench::operators
