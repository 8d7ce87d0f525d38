// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace kinetoscope::ranks::packed {

// Whole numbers in one to ten bytes, seven bits each, the lowest first; as Protocol Buffers has
// them.

inline void putVarint(std::string& bytes, std::uint64_t value) {
    for (; value >= 0x80; value >>= 7) {
        bytes += static_cast<char>(value | 0x80);
    }
    bytes += static_cast<char>(value);
}

/// Of bytes that putVarint() wrote; moves `at` behind them.
inline std::uint64_t nextVarint(const char*& at) {
    std::uint64_t value = 0;
    for (int shift = 0;; shift += 7) {
        const auto byte = static_cast<unsigned char>(*at++);
        value |= static_cast<std::uint64_t>(byte & 0x7F) << shift;
        if (byte < 0x80) {
            return value;
        }
    }
}

/// Of any bytes: takes them from the front of `bytes`; false where no number stands there.
[[nodiscard]] inline bool takeVarint(std::string_view& bytes, std::uint64_t& value) {
    constexpr std::size_t kLongest = 10;
    const std::size_t most = bytes.size() < kLongest ? bytes.size() : kLongest;
    std::uint64_t read = 0;
    for (std::size_t i = 0; i < most; ++i) {
        const auto byte = static_cast<unsigned char>(bytes[i]);
        read |= static_cast<std::uint64_t>(byte & 0x7F) << (7 * i);
        if (byte < 0x80) {
            bytes.remove_prefix(i + 1);
            value = read;
            return true;
        }
    }
    value = read;
    return false;
}

/// Small numbers of either sign become small ones without.
[[nodiscard]] constexpr std::uint64_t zigzag(std::int64_t value) {
    return (static_cast<std::uint64_t>(value) << 1) ^ static_cast<std::uint64_t>(value >> 63);
}
[[nodiscard]] constexpr std::int64_t unzigzag(std::uint64_t value) {
    return static_cast<std::int64_t>((value >> 1) ^ (~(value & 1) + 1));
}

}  // namespace kinetoscope::ranks::packed
