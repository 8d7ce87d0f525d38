// SPDX-License-Identifier: Apache-2.0
#include "core/json/JsonLimits.h"

#include <fmt/format.h>

namespace kinetoscope::json {

namespace {

// The quote that ends the string whose text begins at `at`, or the text's end.
std::size_t stringEnd(std::string_view text, std::size_t at) {
    while (at < text.size() && text[at] != '"') {
        at += text[at] == '\\' ? 2U : 1U;
    }
    return at;
}

}  // namespace

Result<void> withinJsonLimits(std::string_view text) {
    if (text.size() > kMaxJsonBytes) {
        return fail(fmt::format("is JSON of more than {} MiB", kMaxJsonBytes >> 20U));
    }
    std::size_t depth = 0;
    std::size_t containers = 0;
    std::size_t values = 1;
    for (std::size_t at = 0; at < text.size(); ++at) {
        const char c = text[at];
        if (c == '"') {
            at = stringEnd(text, at + 1);
        } else if (c == '[' || c == '{') {
            ++containers;
            ++values;
            if (++depth > kMaxJsonDepth) {
                return fail(fmt::format("nests deeper than {} brackets", kMaxJsonDepth));
            }
        } else if (c == ']' || c == '}') {
            depth -= depth > 0 ? 1 : 0;
        } else if (c == ',') {
            ++values;
        } else if (c == '\0') {
            return fail("is not valid JSON");  // a parser may take it for the end
        }
        if (values > kMaxJsonValues || containers > kMaxJsonContainers) {
            return fail(fmt::format("holds more than {} values or {} lists", kMaxJsonValues,
                                    kMaxJsonContainers));
        }
    }
    return {};
}

}  // namespace kinetoscope::json
