// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>
#include <ranges>
#include <unordered_map>
#include <vector>

#include "core/trace/ColumnMemory.h"

namespace kinetoscope::trace {

/// A column of 64-bit numbers, of which nearly all are small enough for 32 bits or not there. The
/// others are kept beside it, in a table while they are few.
class PackedNumbers {
public:
    /// "No number".
    static constexpr std::int64_t kNone = std::numeric_limits<std::int64_t>::min();

    [[nodiscard]] std::int64_t operator[](std::size_t row) const {
        const std::uint32_t code = m_codes[row];
        return code < kNoneCode ? code : code == kNoneCode ? kNone : other(row);
    }
    void reserve(std::size_t rows) { reserveColumn(m_codes, rows); }
    /// `values`: a range of 64-bit numbers.
    template <std::ranges::random_access_range Values>
    void append(const Values& values) {
        const std::size_t before = m_codes.size();
        const auto codes =
            std::views::transform(values, [](std::int64_t value) { return codeOf(value); });
        m_codes.insert(m_codes.end(), codes.begin(), codes.end());
        auto value = values.begin();
        for (std::size_t row = before; row < m_codes.size(); ++row, ++value) {
            if (m_codes[row] == kOtherCode) {
                keepOther(row, *value);
            }
        }
    }
    void set(std::size_t row, std::int64_t value);

private:
    static constexpr std::uint32_t kNoneCode = 0xfffffffe;
    static constexpr std::uint32_t kOtherCode = 0xffffffff;

    [[nodiscard]] static std::uint32_t codeOf(std::int64_t value) {
        const auto low = static_cast<std::uint32_t>(value);
        const std::uint32_t code = static_cast<std::uint64_t>(value) < kNoneCode ? low : kOtherCode;
        return value == kNone ? kNoneCode : code;
    }
    void keepOther(std::size_t row, std::int64_t value);
    [[nodiscard]] std::int64_t other(std::size_t row) const;

    std::vector<std::uint32_t> m_codes;
    std::unordered_map<std::size_t, std::int64_t> m_others;  // by row
    std::vector<std::int64_t> m_wide;  // by row, in place of m_others once those were many
};

}  // namespace kinetoscope::trace
