// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

/// Numbers as pages of databases hold them.
namespace kinetoscope::sqlite {

inline std::uint32_t bigEndian(const unsigned char* at, int bytes) {
    std::uint32_t value = 0;
    for (int i = 0; i < bytes; ++i) {
        value = value << 8U | at[i];
    }
    return value;
}

/// A number of one to nine bytes; null where it would reach behind `end`.
inline const unsigned char* varint(const unsigned char* at, const unsigned char* end,
                                   std::uint64_t& value) {
    constexpr unsigned char kMore = 0x80;
    if (at < end && *at < kMore) {
        value = *at;
        return at + 1;
    }
    value = 0;
    for (int i = 0; i < 8 && at < end; ++i) {
        value = value << 7U | (*at & 0x7fU);
        if (*at++ < kMore) {
            return at;
        }
    }
    if (at >= end) {
        return nullptr;
    }
    value = value << 8U | *at;
    return at + 1;
}

}  // namespace kinetoscope::sqlite
