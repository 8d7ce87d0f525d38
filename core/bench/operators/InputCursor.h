// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/bench/operators/InputValue.h"

namespace kinetoscope::bench::operators {

/// The error and its byte. Thrown by an InputCursor and caught by its parser.
struct InputFailure {
    std::size_t at;
    std::string message;
};

/// The words, numbers and marks of one line of recorded inputs.
class InputCursor {
public:
    explicit InputCursor(std::string_view text) : m_text(text) {}

protected:
    [[noreturn]] static void fail(std::size_t at, std::string message);
    [[nodiscard]] static bool isNameStart(char c);
    [[nodiscard]] static bool isDigit(char c);

    std::size_t skipBlanks();
    /// What comes behind blanks; 0 at the end.
    [[nodiscard]] char peek();
    /// The same for a message.
    [[nodiscard]] std::string found();
    void expect(char wanted);
    /// A comma that nothing but `closing` may follow.
    void optionalComma(char closing);
    void literal(std::string_view wanted);
    void end();

    std::string_view name();
    std::int64_t integer();
    /// Integers stay integers, as Python has it; 1e-05, 2.5, inf and nan are floats.
    InputValue number();
    static double infinity(std::string_view word, std::size_t at);
    std::string string();
    /// Integers in brackets or parentheses; `what` is one of them, for messages.
    std::vector<std::int64_t> numbers(const char* what, bool negative);

    std::string_view m_text;
    std::size_t m_at = 0;
};

}  // namespace kinetoscope::bench::operators
