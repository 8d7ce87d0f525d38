// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

namespace kinetoscope::test {

/// Ends a fuzzer where something is not so.
inline void require(bool condition, std::string_view what) {
    if (!condition) {
        std::fprintf(stderr, "wrong: %.*s\n", static_cast<int>(what.size()), what.data());
        std::abort();
    }
}

/// Of a message: something, in one line.
inline void requireLine(const std::string& message) {
    require(!message.empty() && message.find('\n') == std::string::npos,
            "a message of several lines");
}

inline std::string_view textOf(const std::uint8_t* data, std::size_t size) {
    return {reinterpret_cast<const char*>(data), size};
}

}  // namespace kinetoscope::test
