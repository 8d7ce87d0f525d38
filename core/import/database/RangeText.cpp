// SPDX-License-Identifier: Apache-2.0
#include "core/import/database/RangeText.h"

#include <algorithm>

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
    constexpr std::string_view kSequence = ", seq = ";
    constexpr std::string_view kNumber = ", op_id = ";
    constexpr std::string_view kSizes = ", sizes = ";
    RangeText range{text, {}, false};
    const auto cut = [&](std::size_t at) {
        range.name = range.name.substr(0, std::min(at, range.name.size()));
    };
    const auto isDigitAt = [&](std::size_t at) {
        return at < text.size() && text[at] >= '0' && text[at] <= '9';
    };
    for (std::size_t at = text.find(','); at < text.size(); at = text.find(',', at + 1)) {
        const std::string_view rest = text.substr(at);
        if (at == 0) {
            continue;
        }
        if (rest.starts_with(kSequence) && isDigitAt(at + kSequence.size())) {
            // Annotations of one's own get a number too, but none that joins forward and backward.
            range.isOperator = true;
            cut(at);
        } else if (rest.starts_with(kNumber) && isDigitAt(at + kNumber.size())) {
            cut(at);
        } else if (rest.starts_with(kSizes) && rest.substr(kSizes.size()).starts_with('[')) {
            range.shapes = shapesAt(rest.substr(kSizes.size()));
            cut(at);
            break;  // whatever else it says stands before
        }
    }
    range.isOperator = range.name.size() != text.size() &&
                       (range.isOperator || range.name.find("::") != std::string_view::npos);
    return range;
}

}  // namespace kinetoscope::import::database
