// SPDX-License-Identifier: Apache-2.0
#include "core/stream/TorchRange.h"

#include <algorithm>
#include <array>

#include "core/json/Json.h"

namespace kinetoscope::stream {

namespace {

constexpr std::string_view kSizes = ", sizes = [";
constexpr std::array<std::string_view, 3> kMarks{", seq = ", ", op_id = ", kSizes};

bool isDigit(char c) {
    return c >= '0' && c <= '9';
}

// Where the part that the profiler added starts; npos if there is none.
std::size_t addedPart(std::string_view name) {
    std::size_t first = std::string_view::npos;
    for (const std::string_view mark : kMarks) {
        const std::size_t at = name.find(mark);
        const std::size_t behind = at + mark.size();
        if (at != std::string_view::npos &&
            (mark == kSizes || (behind < name.size() && isDigit(name[behind])))) {
            first = std::min(first, at);
        }
    }
    return first;
}

// One "[4096, 1024]" from the front of `text`; empty when it is not whole.
std::string_view takeShape(std::string_view text) {
    const std::size_t end = text.find(']');
    const bool plain = text.starts_with('[') && end != std::string_view::npos &&
                       std::ranges::all_of(text.substr(1, end - 1), [](char c) {
                           return isDigit(c) || c == ',' || c == ' ' || c == '-';
                       });
    // Inserted into documents as it is.
    return plain && json::isJson(text.substr(0, end + 1)) ? text.substr(0, end + 1)
                                                          : std::string_view();
}

}  // namespace

std::optional<TorchRange> parseTorchRange(std::string_view name) {
    const std::size_t added = addedPart(name);
    if (added == std::string_view::npos || added == 0) {
        return std::nullopt;
    }
    TorchRange range{name.substr(0, added), {}};
    const std::size_t sizes = name.find(kSizes, added);
    if (sizes == std::string_view::npos) {
        return range;
    }
    name.remove_prefix(sizes + kSizes.size());
    while (true) {
        const std::string_view shape = takeShape(name);
        if (shape.empty()) {
            break;
        }
        range.inputShapes += range.inputShapes.empty() ? "[" : ", ";
        range.inputShapes += shape;
        name.remove_prefix(shape.size());
        name.remove_prefix(name.starts_with(", ") ? 2 : 0);
    }
    range.inputShapes += range.inputShapes.empty() ? "" : "]";
    return range;
}

}  // namespace kinetoscope::stream
