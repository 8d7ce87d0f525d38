// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/Result.h"

namespace kinetoscope::metrics {

struct PyToken {
    enum class Kind : std::uint8_t { Name, Number, String, Operator, NewLine, End };

    Kind kind = Kind::End;
    std::string_view text;  ///< as written; a String with its quotes and prefix
    std::size_t offset = 0;
    std::size_t column = 0;  ///< blanks before it on its line

    [[nodiscard]] bool is(std::string_view op) const {
        return kind == Kind::Operator && text == op;
    }
    [[nodiscard]] bool isName(std::string_view name) const {
        return kind == Kind::Name && text == name;
    }
};

/// Tokens of Python source; views into `text`. Comments and blank lines are left out; inside
/// brackets there are no NewLine tokens. The last token is End. Fails on an unfinished string.
[[nodiscard]] Result<std::vector<PyToken>> pyTokens(std::string_view text);

/// The value of a String token: prefix and quotes removed, escapes of non-raw strings resolved.
[[nodiscard]] std::string pyStringValue(std::string_view token);

}  // namespace kinetoscope::metrics
