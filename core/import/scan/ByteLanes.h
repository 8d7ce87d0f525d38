// SPDX-License-Identifier: Apache-2.0
// The small vector layer: questions about sixteen or sixty-four bytes of text, answered by one bit
// a byte (the first byte's is the lowest). Everything else is written in terms of these. Highway
// would not replace it: its version 1.0, that of Debian 12, hands out the bits of a comparison
// through memory only, and has no sums over bits.
#pragma once

#include <cstdint>
#include <cstring>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace kinetoscope::import::scan {

/// Sixteen bytes in two words of 64 bits: plain C++ for any little-endian machine.
class WordLanes {
public:
    [[gnu::always_inline]] explicit WordLanes(const char* at) {
        std::memcpy(m_words, at, sizeof m_words);
    }
    [[nodiscard, gnu::always_inline]] std::uint32_t equal(char c) const {
        return each([repeated = kOnes * static_cast<unsigned char>(c)](std::uint64_t word) {
            const std::uint64_t odd = word ^ repeated;
            return ~(((odd & kLow) + kLow) | odd);
        });
    }
    /// Bytes up to `most` (below 128), as unsigned numbers.
    [[nodiscard, gnu::always_inline]] std::uint32_t atMost(unsigned char most) const {
        return each([add = kOnes * (0x7fU - most)](std::uint64_t word) {
            return ~(((word & kLow) + add) | word);
        });
    }
    /// a to z and A to Z.
    [[nodiscard, gnu::always_inline]] std::uint32_t letters() const {
        return each([](std::uint64_t word) {
            const std::uint64_t low = (word | kOnes * 0x20) & kLow;
            return (low + kOnes * (0x80 - 'a')) & ~(low + kOnes * (0x7f - 'z')) & ~word;
        });
    }
    /// Bytes above 127.
    [[nodiscard, gnu::always_inline]] std::uint32_t high() const {
        return each([](std::uint64_t word) { return word; });
    }
    [[nodiscard, gnu::always_inline]] static std::uint32_t equalBytes(const char* a,
                                                                      const char* b) {
        WordLanes x(a);
        const WordLanes y(b);
        x.m_words[0] ^= y.m_words[0];
        x.m_words[1] ^= y.m_words[1];
        return x.equal('\0');
    }

private:
    static constexpr std::uint64_t kOnes = 0x0101010101010101ULL;
    static constexpr std::uint64_t kLow = 0x7f7f7f7f7f7f7f7fULL;

    // `bits` gives a word whose bytes have the answer in their highest bit.
    template <class Bits>
    [[gnu::always_inline]] [[nodiscard]] std::uint32_t each(Bits bits) const {
        return gather(bits(m_words[0])) | gather(bits(m_words[1])) << 8U;
    }
    [[gnu::always_inline]] static std::uint32_t gather(std::uint64_t bits) {
        return static_cast<std::uint32_t>((((bits >> 7U) & kOnes) * 0x0102040810204080ULL) >> 56U);
    }

    std::uint64_t m_words[2];
};

#if defined(__SSE2__)
/// The same with the vector registers that every x86-64 processor has.
class Sse2Lanes {
public:
    [[gnu::always_inline]] explicit Sse2Lanes(const char* at) : m_bytes(load(at)) {}
    [[nodiscard, gnu::always_inline]] std::uint32_t equal(char c) const {
        return mask(_mm_cmpeq_epi8(m_bytes, _mm_set1_epi8(c)));
    }
    [[nodiscard, gnu::always_inline]] std::uint32_t atMost(unsigned char most) const {
        const __m128i limit = _mm_set1_epi8(static_cast<char>(most));
        return mask(_mm_cmpeq_epi8(_mm_min_epu8(m_bytes, limit), m_bytes));
    }
    [[nodiscard, gnu::always_inline]] std::uint32_t letters() const {
        const __m128i alpha =
            _mm_sub_epi8(_mm_or_si128(m_bytes, _mm_set1_epi8(0x20)), _mm_set1_epi8('a'));
        return mask(_mm_cmpeq_epi8(_mm_min_epu8(alpha, _mm_set1_epi8(25)), alpha));
    }
    [[nodiscard, gnu::always_inline]] std::uint32_t high() const { return mask(m_bytes); }
    [[nodiscard, gnu::always_inline]] static std::uint32_t equalBytes(const char* a,
                                                                      const char* b) {
        return mask(_mm_cmpeq_epi8(load(a), load(b)));
    }

private:
    [[gnu::always_inline]] static __m128i load(const char* at) {
        return _mm_loadu_si128(reinterpret_cast<const __m128i*>(at));
    }
    [[gnu::always_inline]] static std::uint32_t mask(__m128i lanes) {
        return static_cast<std::uint32_t>(_mm_movemask_epi8(lanes));
    }

    __m128i m_bytes;
};
using Lanes16 = Sse2Lanes;
#else
using Lanes16 = WordLanes;
#endif

/// Sixty-four bytes in four parts, and what the scanners ask about them.
template <class Lanes>
class FourLanes {
public:
    [[gnu::always_inline]] explicit FourLanes(const char* at)
        : m_parts{Lanes(at), Lanes(at + 16), Lanes(at + 32), Lanes(at + 48)} {}

    [[nodiscard, gnu::always_inline]] std::uint64_t equal(char c) const {
        return joined([c](const Lanes& part) { return part.equal(c); });
    }
    [[nodiscard, gnu::always_inline]] std::uint64_t either(char a, char b) const {
        return joined([a, b](const Lanes& part) { return part.equal(a) | part.equal(b); });
    }
    /// Bytes below the blank.
    [[nodiscard, gnu::always_inline]] std::uint64_t controls() const {
        return joined([](const Lanes& part) { return part.atMost(0x1f); });
    }
    [[nodiscard, gnu::always_inline]] std::uint64_t letters() const {
        return joined([](const Lanes& part) { return part.letters(); });
    }
    [[nodiscard, gnu::always_inline]] std::uint64_t high() const {
        return joined([](const Lanes& part) { return part.high(); });
    }
    /// Backslashes, control characters and bytes above 127: what needs a closer look.
    [[nodiscard, gnu::always_inline]] std::uint64_t unusual() const {
        return joined(
            [](const Lanes& part) { return part.equal('\\') | part.atMost(0x1f) | part.high(); });
    }
    /// First letters of the keys of ids: c, e and E.
    [[nodiscard, gnu::always_inline]] std::uint64_t idLetters() const {
        return joined(
            [](const Lanes& part) { return part.equal('c') | part.equal('e') | part.equal('E'); });
    }
    /// Bit i: an odd number of bits at or below i.
    [[nodiscard, gnu::always_inline]] static std::uint64_t prefixXor(std::uint64_t mask) {
        for (unsigned shift = 1; shift < 64; shift *= 2) {
            mask ^= mask << shift;
        }
        return mask;
    }
    /// Whether `size` bytes are equal; up to 15 behind them are read on both sides.
    [[nodiscard, gnu::always_inline]] static bool same(const char* a, const char* b,
                                                       std::uint32_t size) {
        for (; size > 16; size -= 16, a += 16, b += 16) {
            if (Lanes::equalBytes(a, b) != 0xffffU) {
                return false;
            }
        }
        return (~Lanes::equalBytes(a, b) & ((1U << size) - 1U)) == 0;
    }

private:
    template <class Bits>
    [[nodiscard, gnu::always_inline]] std::uint64_t joined(Bits bits) const {
        std::uint64_t mask = 0;
        for (unsigned part = 0; part < 4; ++part) {
            mask |= std::uint64_t{bits(m_parts[part])} << (16 * part);
        }
        return mask;
    }

    Lanes m_parts[4];
};

}  // namespace kinetoscope::import::scan
