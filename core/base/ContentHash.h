// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace kinetoscope {

/// FNV-1a of 64 bits: distinguishes contents, and does not protect against attackers.
class ContentHash {
public:
    void add(std::string_view bytes) {
        for (const char c : bytes) {
            m_hash = (m_hash ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
        }
    }
    /// 16 digits.
    [[nodiscard]] std::string text() const { return fmt::format("{:016x}", m_hash); }

private:
    std::uint64_t m_hash = 0xcbf29ce484222325U;
};

}  // namespace kinetoscope
