// SPDX-License-Identifier: Apache-2.0
#include "core/import/rocm/RocmNames.h"

#include <algorithm>

#include "core/base/Demangle.h"

namespace kinetoscope::import::rocm {

std::string copyName(std::string_view text) {
    std::string letters;
    for (const char c : text) {
        if (c != '_') {
            letters += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
        }
    }
    for (const char from : {'h', 'd'}) {
        for (const char to : {'h', 'd'}) {
            const auto word = [](char side) { return side == 'h' ? "host" : "device"; };
            if (letters.find(std::string(word(from)) + "to" + word(to)) != std::string::npos) {
                return std::string("Memcpy ") + (from == 'h' ? 'H' : 'D') + "to" +
                       (to == 'h' ? 'H' : 'D');
            }
        }
    }
    return "Memcpy";
}

std::string kernelName(std::string_view text) {
    constexpr std::string_view kDescriptor = ".kd";
    if (text.ends_with(kDescriptor)) {
        text.remove_suffix(kDescriptor.size());
    }
    return demangledName(text);
}

std::uint32_t blocksOf(std::int64_t items, std::int64_t group) {
    const std::int64_t each = std::max<std::int64_t>(group, 1);
    return items <= 0 ? 0 : bounded<std::uint32_t>((items - 1) / each + 1);
}

}  // namespace kinetoscope::import::rocm
