// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace kinetoscope::mcp {

using Json = nlohmann::ordered_json;

inline constexpr std::size_t kUsualTokens = 2'000;
inline constexpr std::size_t kMinTokens = 500;
inline constexpr std::size_t kMaxTokens = 20'000;

/// Which part of a long list is answered.
struct Page {
    std::size_t first = 0;              ///< row, from an earlier answer's "next_cursor"
    std::size_t tokens = kUsualTokens;  ///< of the whole answer
};

/// Bytes of JSON that so many tokens take at least: names and numbers have about three a token.
[[nodiscard]] constexpr std::size_t bytesOf(std::size_t tokens) {
    return 3 * tokens;
}

/// A text of a file in one line of at most 160 columns, without control characters.
[[nodiscard]] std::string shown(std::string_view text);
/// The same in at most so many columns.
[[nodiscard]] std::string shown(std::string_view text, std::size_t columns);

/// Adds rows [page.first, count) as a list of that name, as many as the answer has room for but at
/// least one, "rows_in_all", and "next_cursor" where some are left.
void addRows(Json& answer, std::string_view name, const Page& page, std::size_t count,
             const std::function<Json(std::size_t row)>& make);

}  // namespace kinetoscope::mcp
