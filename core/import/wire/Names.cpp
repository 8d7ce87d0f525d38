// SPDX-License-Identifier: Apache-2.0
#include "core/import/wire/Names.h"

#include <charconv>

namespace kinetoscope::import::wire {

std::int64_t numberBehind(std::string_view text, std::string_view prefix) {
    const auto at = text.find(prefix);
    if (at == std::string_view::npos) {
        return -1;
    }
    text.remove_prefix(at + prefix.size());
    std::int64_t number = -1;
    const auto parsed = std::from_chars(text.data(), text.data() + text.size(), number);
    return parsed.ec == std::errc() && number >= 0 ? number : -1;
}

std::string beginningOf(std::string_view name) {
    constexpr std::size_t kMost = 200;
    if (name.size() <= kMost) {
        return std::string(name);
    }
    std::size_t end = kMost;
    while (end > 0 && (static_cast<unsigned char>(name[end]) & 0xc0U) == 0x80U) {
        --end;  // inside of a character
    }
    return std::string(name.substr(0, end)) + "…";
}

}  // namespace kinetoscope::import::wire
