// SPDX-License-Identifier: Apache-2.0
// Only for the source that is compiled for AVX2.
#pragma once

#include <immintrin.h>

#include <cstdint>

namespace kinetoscope::import::scan {

namespace {  // a copy of its own: nothing compiled for AVX2 may be linked in elsewhere

/// The functions of WordDigits, for sixteen bytes at a time.
struct Avx2Digits {
    static constexpr int kMax = 16;

    [[nodiscard, gnu::always_inline]] static int count(const char* at) {
        return countOf(valuesOf(at));
    }
    [[nodiscard, gnu::always_inline]] static int read(const char* at, std::uint64_t& value) {
        const __m128i digits = valuesOf(at);
        const int count = countOf(digits);
        // Moved to the end, with zeros before them; then pairs, fours and eights join.
        const __m128i moved = _mm_shuffle_epi8(
            digits, _mm_loadu_si128(reinterpret_cast<const __m128i*>(kMove + count)));
        const __m128i pairs = _mm_maddubs_epi16(moved, _mm_set1_epi16(10 | 1 << 8));
        const __m128i fours = _mm_madd_epi16(pairs, _mm_set1_epi32(100 | 1 << 16));
        const __m128i packed = _mm_packus_epi32(fours, fours);
        const __m128i eights = _mm_madd_epi16(packed, _mm_set1_epi32(10000 | 1 << 16));
        const auto both = static_cast<std::uint64_t>(_mm_cvtsi128_si64(eights));
        value = (both & 0xffffffffU) * 100000000 + (both >> 32U);
        return count;
    }

private:
    // From `count` on: sixteen places of a vector whose first `count` bytes are to be its last.
    static constexpr unsigned char kZero = 0x80;
    static constexpr unsigned char kMove[32] = {
        kZero, kZero, kZero, kZero, kZero, kZero, kZero, kZero, kZero, kZero, kZero,
        kZero, kZero, kZero, kZero, kZero, 0,     1,     2,     3,     4,     5,
        6,     7,     8,     9,     10,    11,    12,    13,    14,    15};

    // Bytes that are not digits have values above 9.
    [[gnu::always_inline]] static __m128i valuesOf(const char* at) {
        return _mm_sub_epi8(_mm_loadu_si128(reinterpret_cast<const __m128i*>(at)),
                            _mm_set1_epi8('0'));
    }
    [[gnu::always_inline]] static int countOf(__m128i values) {
        const __m128i nine = _mm_set1_epi8(9);
        const int digits = _mm_movemask_epi8(_mm_cmpeq_epi8(_mm_min_epu8(values, nine), values));
        return __builtin_ctz(~static_cast<unsigned>(digits));
    }
};

}  // namespace

}  // namespace kinetoscope::import::scan
