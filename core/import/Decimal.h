// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

#include "core/import/JsonScan.h"

namespace kinetoscope {

enum class DecimalStatus : std::uint8_t { Exact, Rounded, NotANumber, OutOfRange };

struct Decimal {
    std::int64_t value = 0;
    DecimalStatus status = DecimalStatus::NotANumber;

    [[nodiscard]] bool ok() const {
        return status == DecimalStatus::Exact || status == DecimalStatus::Rounded;
    }
};

/// The decimal number `text` (sign, digits, point, exponent; blanks around it allowed) times
/// 10^`shift`, rounded half to even; out of range, the nearest value. Never goes through a double.
/// With shift 3, microseconds become nanoseconds.
[[nodiscard]] Decimal parseDecimal(std::string_view text, int shift);

namespace scan {

/// The number of leading ASCII digits (0 to 8) of a little-endian word.
[[nodiscard, gnu::always_inline]] inline int leadingDigits(std::uint64_t word) {
    // A byte is a digit when its high nibble is 3 and stays 3 after adding 6.
    constexpr std::uint64_t kHigh = 0xf0f0f0f0f0f0f0f0ULL;
    constexpr std::uint64_t kThree = 0x3030303030303030ULL;
    const std::uint64_t sum = (word & 0x7f7f7f7f7f7f7f7fULL) + 0x0606060606060606ULL;
    const std::uint64_t other = ((word & kHigh) ^ kThree) | ((sum & kHigh) ^ kThree);
    return other == 0 ? 8 : __builtin_ctzll(other) / 8;
}

/// Value of the first `count` (1 to 8) digits of the word.
[[nodiscard, gnu::always_inline]] inline std::uint64_t digitsValue(std::uint64_t word, int count) {
    // Shifted up, the missing leading digits read as zeros; then pairs, fours and eights join.
    word <<= (8 - count) * 8;
    word &= 0x0f0f0f0f0f0f0f0fULL;
    word = (word * 10 + (word >> 8)) & 0x00ff00ff00ff00ffULL;
    word = (word * 100 + (word >> 16)) & 0x0000ffff0000ffffULL;
    return (word * 10000 + (word >> 32)) & 0xffffffffULL;
}

inline constexpr std::uint64_t kPowersOfTen[] = {1,      10,      100,      1000,     10000,
                                                 100000, 1000000, 10000000, 100000000};

/// Up to 16 digits at `at`; null when there are none or more.
[[nodiscard, gnu::always_inline]] inline const char* fastDigits(const char* at,
                                                                std::uint64_t& value) {
    std::uint64_t word = load64(at);
    int count = leadingDigits(word);
    if (count == 0) {
        return nullptr;
    }
    value = digitsValue(word, count);
    if (count < 8) {
        return at + count;
    }
    at += 8;
    word = load64(at);
    count = leadingDigits(word);
    if (count == 0) {
        return at;
    }
    value = value * kPowersOfTen[count] + digitsValue(word, count);
    return count < 8 || !isDigit(at[8]) ? at + count : nullptr;
}

/// Plain integers of up to 16 digits, an optional minus before them; null for anything else.
[[nodiscard, gnu::always_inline]] inline const char* fastInteger(const char* at,
                                                                 std::int64_t& value) {
    const bool negative = *at == '-';
    std::uint64_t digits = 0;
    const char* end = fastDigits(at + (negative ? 1 : 0), digits);
    if (end == nullptr || *end == '.' || (*end | 0x20) == 'e') {
        return nullptr;
    }
    value = negative ? -static_cast<std::int64_t>(digits) : static_cast<std::int64_t>(digits);
    return end;
}

/// Microseconds with up to three decimals as nanoseconds; null for anything less usual.
[[nodiscard, gnu::always_inline]] inline const char* fastMicroseconds(const char* at,
                                                                      std::int64_t& ns) {
    std::uint64_t whole = 0;
    const char* end = fastDigits(at, whole);
    // 10^15 µs are 31 years; 16 digits times 1000 could pass int64.
    if (end == nullptr || end - at > 15) {
        return nullptr;
    }
    std::uint64_t part = 0;
    if (*end == '.') {
        const std::uint64_t word = load64(end + 1);
        const int count = leadingDigits(word);
        if (count == 0 || count > 3) {
            return nullptr;
        }
        part = digitsValue(word, count) * kPowersOfTen[3 - count];
        end += 1 + count;
    }
    if ((*end | 0x20) == 'e') {
        return nullptr;
    }
    ns = static_cast<std::int64_t>(whole * 1000 + part);
    return end;
}

}  // namespace scan

}  // namespace kinetoscope
