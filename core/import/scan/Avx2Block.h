// SPDX-License-Identifier: Apache-2.0
// Only for the source that is compiled for AVX2.
#pragma once

#include <immintrin.h>

#include <cstdint>

namespace kinetoscope::import::scan {

namespace {  // a copy of its own: nothing compiled for AVX2 may be linked in elsewhere

/// Sixty-four bytes in two registers; the questions of FourLanes.
class Avx2Block {
public:
    [[gnu::always_inline]] explicit Avx2Block(const char* at)
        : m_low(load(at)), m_high(load(at + 32)) {}

    [[gnu::always_inline]] [[nodiscard]] std::uint64_t equal(char c) const {
        const __m256i wanted = _mm256_set1_epi8(c);
        return joined(_mm256_cmpeq_epi8(m_low, wanted), _mm256_cmpeq_epi8(m_high, wanted));
    }
    [[gnu::always_inline]] [[nodiscard]] std::uint64_t either(char a, char b) const {
        return joined(either(m_low, a, b), either(m_high, a, b));
    }
    [[gnu::always_inline]] [[nodiscard]] std::uint64_t controls() const {
        return joined(controls(m_low), controls(m_high));
    }
    [[gnu::always_inline]] [[nodiscard]] std::uint64_t letters() const {
        return joined(letters(m_low), letters(m_high));
    }
    [[gnu::always_inline]] [[nodiscard]] std::uint64_t high() const {
        return joined(m_low, m_high);
    }
    [[gnu::always_inline]] [[nodiscard]] std::uint64_t unusual() const {
        return joined(unusual(m_low), unusual(m_high));
    }
    [[gnu::always_inline]] [[nodiscard]] std::uint64_t idLetters() const {
        return joined(idLetters(m_low), idLetters(m_high));
    }
    [[gnu::always_inline]] static std::uint64_t prefixXor(std::uint64_t mask) {
        const __m128i bits = _mm_set_epi64x(0, static_cast<long long>(mask));
        return static_cast<std::uint64_t>(
            _mm_cvtsi128_si64(_mm_clmulepi64_si128(bits, _mm_set1_epi8(-1), 0)));
    }
    /// Up to 31 bytes behind both texts are read.
    [[gnu::always_inline]] static bool same(const char* a, const char* b, std::uint32_t size) {
        for (; size > 32; size -= 32, a += 32, b += 32) {
            if (equalBytes(a, b) != 0xffffffffU) {
                return false;
            }
        }
        return (~equalBytes(a, b) & ((std::uint64_t{1} << size) - 1)) == 0;
    }

private:
    [[gnu::always_inline]] static __m256i load(const char* at) {
        return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(at));
    }
    [[gnu::always_inline]] static std::uint64_t equalBytes(const char* a, const char* b) {
        return static_cast<std::uint32_t>(
            _mm256_movemask_epi8(_mm256_cmpeq_epi8(load(a), load(b))));
    }
    [[gnu::always_inline]] static std::uint64_t joined(__m256i low, __m256i high) {
        return static_cast<std::uint32_t>(_mm256_movemask_epi8(low)) |
               std::uint64_t{static_cast<std::uint32_t>(_mm256_movemask_epi8(high))} << 32U;
    }
    [[gnu::always_inline]] static __m256i either(__m256i bytes, char a, char b) {
        return _mm256_or_si256(_mm256_cmpeq_epi8(bytes, _mm256_set1_epi8(a)),
                               _mm256_cmpeq_epi8(bytes, _mm256_set1_epi8(b)));
    }
    [[gnu::always_inline]] static __m256i controls(__m256i bytes) {
        return _mm256_cmpeq_epi8(_mm256_min_epu8(bytes, _mm256_set1_epi8(0x1f)), bytes);
    }
    [[gnu::always_inline]] static __m256i letters(__m256i bytes) {
        const __m256i alpha =
            _mm256_sub_epi8(_mm256_or_si256(bytes, _mm256_set1_epi8(0x20)), _mm256_set1_epi8('a'));
        return _mm256_cmpeq_epi8(_mm256_min_epu8(alpha, _mm256_set1_epi8(25)), alpha);
    }
    [[gnu::always_inline]] static __m256i unusual(__m256i bytes) {
        const __m256i slash = _mm256_cmpeq_epi8(bytes, _mm256_set1_epi8('\\'));
        return _mm256_or_si256(_mm256_or_si256(slash, controls(bytes)), bytes);
    }
    [[gnu::always_inline]] static __m256i idLetters(__m256i bytes) {
        // 'E' and 'e' differ in one bit.
        const __m256i lower = _mm256_or_si256(bytes, _mm256_set1_epi8(0x20));
        return _mm256_or_si256(_mm256_cmpeq_epi8(bytes, _mm256_set1_epi8('c')),
                               _mm256_cmpeq_epi8(lower, _mm256_set1_epi8('e')));
    }

    __m256i m_low;
    __m256i m_high;
};

}  // namespace

}  // namespace kinetoscope::import::scan
