// SPDX-License-Identifier: Apache-2.0
#include "core/trace/EventText.h"

#include <vector>

namespace kinetoscope::trace {

Result<void> EventText::arguments(std::span<const std::uint64_t> offsets,
                                  std::span<const std::string_view> keys,
                                  const TakeValues& take) const {
    std::vector<std::string> values(offsets.size() * keys.size());
    for (std::size_t key = 0; key < keys.size(); ++key) {
        auto read = argument(offsets, keys[key], [&](std::size_t index, std::string_view json) {
            values[index * keys.size() + key] = json;
        });
        if (!read) {
            return read;
        }
    }
    std::vector<std::string_view> views(keys.size());
    for (std::size_t index = 0; index < offsets.size(); ++index) {
        for (std::size_t key = 0; key < keys.size(); ++key) {
            views[key] = values[index * keys.size() + key];
        }
        take(index, views);
    }
    return {};
}

}  // namespace kinetoscope::trace
