// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "core/bench/operators/InputValue.h"

namespace kinetoscope::bench::operators {

/// An error in a text and its place: line and column from 1, in bytes.
struct InputProblem {
    std::size_t line = 0;
    std::size_t column = 0;
    std::string message;
};

/// Reads "cnt: N, (args, kwargs)" without the line break, or the problem.
struct CallOrProblem {
    OperatorCall call;
    std::optional<InputProblem> problem;
};
[[nodiscard]] CallOrProblem parseCountLine(std::string_view line, std::size_t number);

/// Reads one value, such as T([32, 256], f32), and nothing behind it.
struct ValueOrProblem {
    InputValue value;
    std::optional<InputProblem> problem;
};
[[nodiscard]] ValueOrProblem parseInputValue(std::string_view text);

/// The same behind "NAME=", or without a name.
struct NamedValueOrProblem : ValueOrProblem {
    std::string name;
};
[[nodiscard]] NamedValueOrProblem parseNamedValue(std::string_view text);

}  // namespace kinetoscope::bench::operators
