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

}  // namespace kinetoscope::import::wire
