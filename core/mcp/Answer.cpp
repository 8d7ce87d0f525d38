// SPDX-License-Identifier: Apache-2.0
#include "core/mcp/Answer.h"

#include <algorithm>

#include "core/json/Json.h"
#include "core/text/Printable.h"

namespace kinetoscope::mcp {

namespace {

constexpr std::size_t kColumns = 160;
// For "rows_in_all" and "next_cursor".
constexpr std::size_t kClosingBytes = 80;

}  // namespace

std::string shown(std::string_view text) {
    return shown(text, kColumns);
}

std::string shown(std::string_view text, std::size_t columns) {
    return text::fitWidth(text::printable(text), columns);
}

void addRows(Json& answer, std::string_view name, const Page& page, std::size_t count,
             const std::function<Json(std::size_t row)>& make) {
    const std::size_t most = bytesOf(page.tokens);
    std::size_t bytes = json::jsonText(answer).size() + kClosingBytes;
    Json& rows = answer[std::string(name)] = Json::array();
    std::size_t next = std::min(page.first, count);
    for (; next < count; ++next) {
        Json row = make(next);
        bytes += json::jsonText(row).size() + 1;
        if (bytes > most && !rows.empty()) {
            break;
        }
        rows.push_back(std::move(row));
    }
    answer["rows_in_all"] = count;
    if (next < count) {
        answer["next_cursor"] = std::to_string(next);
    }
}

}  // namespace kinetoscope::mcp
