// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "core/import/scan/JsonScan.h"

namespace kinetoscope::import::scan {

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
/// The same of numberText().
[[nodiscard]] Decimal parseDecimal(const JsonText& value, int shift);

/// A JSON number as written, or the text of a string, which may be one; empty for all others.
/// `storage` as in decodeString().
[[nodiscard]] std::string_view numberText(const JsonText& value, std::string& storage);

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

/// Digits at the beginning of a text, in plain C++. Another class that counts and reads them with
/// vector instructions can take its place.
struct WordDigits {
    static constexpr int kMax = 16;

    /// How many digits there are at `at`, up to kMax.
    [[nodiscard, gnu::always_inline]] static int count(const char* at) {
        const int first = leadingDigits(load64(at));
        return first < 8 ? first : 8 + leadingDigits(load64(at + 8));
    }
    /// The same, and their value.
    [[nodiscard, gnu::always_inline]] static int read(const char* at, std::uint64_t& value) {
        const std::uint64_t word = load64(at);
        const int first = leadingDigits(word);
        value = first == 0 ? 0 : digitsValue(word, first);
        if (first < 8) {
            return first;
        }
        const std::uint64_t next = load64(at + 8);
        const int second = leadingDigits(next);
        if (second > 0) {
            value = value * kPowersOfTen[second] + digitsValue(next, second);
        }
        return 8 + second;
    }
};

// What follows the number is for the caller to check: these two stop behind 16 digits, before a
// second point and before an exponent.

/// An integer of up to 16 digits, an optional minus before them; null for anything else.
template <class Digits = WordDigits>
[[nodiscard, gnu::always_inline]] inline const char* fastInteger(const char* at,
                                                                 std::int64_t& value) {
    std::uint64_t digits = 0;
    if (*at == '-') {
        const int count = Digits::read(at + 1, digits);
        value = -static_cast<std::int64_t>(digits);
        return count == 0 ? nullptr : at + 1 + count;
    }
    const int count = Digits::read(at, digits);
    value = static_cast<std::int64_t>(digits);
    return count == 0 ? nullptr : at + count;
}

/// Up to three digits as thousandths; null without any.
[[nodiscard, gnu::always_inline]] inline const char* fastThousandths(const char* at,
                                                                     std::int64_t& value) {
    std::uint32_t digits = 0;
    std::memcpy(&digits, at, sizeof digits);
    digits ^= 0x30303030U;
    // Three in nearly all numbers of profilers: their high nibbles are 0 and stay 0 after adding 6.
    if (((digits | (digits + 0x060606U)) & 0xf0f0f0U) == 0) {
        value = (digits & 0xffU) * 100 + (digits >> 8U & 0xffU) * 10 + (digits >> 16U & 0xffU);
        return at + 3;
    }
    if (!isDigit(*at)) {
        return nullptr;
    }
    value = (*at - '0') * 100;
    if (!isDigit(at[1])) {
        return at + 1;
    }
    value += (at[1] - '0') * 10;
    return at + 2;
}

/// Microseconds with up to three decimals as nanoseconds; null for anything less usual.
template <class Digits = WordDigits>
[[nodiscard, gnu::always_inline]] inline const char* fastMicroseconds(const char* at,
                                                                      std::int64_t& ns) {
    std::uint64_t whole = 0;
    const int count = Digits::read(at, whole);
    // 10^15 µs are 31 years; 16 digits times 1000 could pass int64.
    if (count == 0 || count > 15) {
        return nullptr;
    }
    at += count;
    std::int64_t part = 0;
    if (*at == '.') {
        at = fastThousandths(at + 1, part);
    }
    ns = static_cast<std::int64_t>(whole * 1000) + part;
    return at;
}

}  // namespace kinetoscope::import::scan
