// SPDX-License-Identifier: Apache-2.0
#include "core/import/database/RangeText.h"

#include <algorithm>
#include <array>

namespace kinetoscope::import::database {

namespace {

// From '[' to its ']', when there is nothing in it but numbers and lists.
std::string_view shapesAt(std::string_view text) {
    int depth = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        depth += c == '[' ? 1 : c == ']' ? -1 : 0;
        if (depth == 0) {
            return i == 0 ? std::string_view() : text.substr(0, i + 1);
        }
        if (std::string_view("[]0123456789, ").find(c) == std::string_view::npos) {
            break;
        }
    }
    return {};
}

}  // namespace

RangeText rangeText(std::string_view text) {
    constexpr std::array<std::string_view, 3> kBehind{", seq = ", ", op_id = ", ", sizes = "};
    RangeText range{text, {}, false};
    for (const std::string_view behind : kBehind) {
        const std::size_t at = text.find(behind);
        if (at == std::string_view::npos || at == 0 || at + behind.size() == text.size()) {
            continue;
        }
        const char next = text[at + behind.size()];
        if (behind == kBehind[2] ? next != '[' : next < '0' || next > '9') {
            continue;
        }
        range.name = range.name.substr(0, std::min(at, range.name.size()));
        if (behind == kBehind[2]) {
            range.shapes = shapesAt(text.substr(at + behind.size()));
        }
        // Annotations of one's own get a number too, but none that joins forward and backward.
        range.isOperator = range.isOperator || behind == kBehind[0];
    }
    range.isOperator = range.name.size() != text.size() &&
                       (range.isOperator || range.name.find("::") != std::string_view::npos);
    return range;
}

}  // namespace kinetoscope::import::database
