// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>

#include "core/metrics/PyLexer.h"
#include "core/metrics/PyValue.h"

namespace kinetoscope::metrics {

/// Reads expressions from a run of tokens: literals, names, calls, and + - * // of integers.
class PyParser {
public:
    /// `text` is what the tokens view into; both must outlive the values read.
    PyParser(std::string_view text, std::span<const PyToken> tokens, std::size_t at = 0)
        : m_text(text), m_tokens(tokens), m_at(at) {}

    /// One expression; a bare "a, b," is a Tuple. Fails with what was found instead.
    [[nodiscard]] Result<PyValue> expressionList();
    [[nodiscard]] Result<PyValue> expression();

    [[nodiscard]] const PyToken& peek(std::size_t ahead = 0) const;
    void skip() { ++m_at; }
    /// Skips the token when it is this operator.
    [[nodiscard]] bool accept(std::string_view op);
    [[nodiscard]] std::size_t at() const { return m_at; }

private:
    [[nodiscard]] Result<PyValue> sum();
    [[nodiscard]] Result<PyValue> product();
    /// Operands joined by either of two operators of the same rank.
    [[nodiscard]] Result<PyValue> leftToRight(std::string_view first, std::string_view second,
                                              Result<PyValue> (PyParser::*operand)());
    [[nodiscard]] Result<PyValue> unary();
    [[nodiscard]] Result<PyValue> primary();
    [[nodiscard]] Result<PyValue> atom();
    [[nodiscard]] Result<PyValue> number();
    [[nodiscard]] Result<PyValue> strings();
    [[nodiscard]] Result<PyValue> name();
    [[nodiscard]] Result<PyValue> sequence(std::string_view close, PyValue::Kind kind);
    [[nodiscard]] Result<PyValue> braces();
    [[nodiscard]] Result<void> arguments(PyValue& call);
    [[nodiscard]] tl::unexpected<Error> unexpected() const;

    std::string_view m_text;
    std::span<const PyToken> m_tokens;
    std::size_t m_at;
    int m_depth = 0;
};

/// The one expression that `text` holds.
[[nodiscard]] Result<PyValue> parsePython(std::string_view text);

}  // namespace kinetoscope::metrics
