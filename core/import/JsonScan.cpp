// SPDX-License-Identifier: Apache-2.0
#include "core/import/JsonScan.h"

namespace kinetoscope::scan {

namespace {

constexpr std::size_t kBlock = 64;

// One bit for each of 64 bytes.
struct BlockMasks {
    std::uint64_t quote = 0;
    std::uint64_t slash = 0;
    std::uint64_t open = 0;
    std::uint64_t close = 0;
    std::uint64_t control = 0;
    std::uint64_t letter = 0;
    std::uint64_t high = 0;
};

std::uint64_t bits(__m128i mask, int part) {
    return static_cast<std::uint64_t>(static_cast<unsigned>(_mm_movemask_epi8(mask)))
           << (16 * part);
}

template <char Open>
inline BlockMasks classify(const char* at) {
    constexpr char kClose = Open == '{' ? '}' : ']';
    BlockMasks masks;
    for (int part = 0; part < 4; ++part) {
        const __m128i text = load128(at + 16 * part);
        const __m128i alpha =
            _mm_sub_epi8(_mm_or_si128(text, _mm_set1_epi8(0x20)), _mm_set1_epi8('a'));
        masks.quote |= bits(_mm_cmpeq_epi8(text, _mm_set1_epi8('"')), part);
        masks.slash |= bits(_mm_cmpeq_epi8(text, _mm_set1_epi8('\\')), part);
        masks.open |= bits(_mm_cmpeq_epi8(text, _mm_set1_epi8(Open)), part);
        masks.close |= bits(_mm_cmpeq_epi8(text, _mm_set1_epi8(kClose)), part);
        masks.control |= bits(_mm_cmpeq_epi8(_mm_min_epu8(text, _mm_set1_epi8(0x1f)), text), part);
        masks.letter |= bits(_mm_cmpeq_epi8(_mm_min_epu8(alpha, _mm_set1_epi8(25)), alpha), part);
        masks.high |= bits(text, part);
    }
    return masks;
}

// Bit i of the result: an odd number of bits at or below i.
std::uint64_t prefixXor(std::uint64_t mask) {
    for (int shift = 1; shift < 64; shift *= 2) {
        mask ^= mask << shift;
    }
    return mask;
}

// Removes the quotes that a backslash escapes. `escape`: the block's first byte is escaped.
std::uint64_t plainQuotes(std::uint64_t quotes, std::uint64_t slashes, bool& escape) {
    std::uint64_t escaped = escape ? 1 : 0;
    escape = false;
    for (std::uint64_t left = slashes; left != 0; left &= left - 1) {
        const int at = std::countr_zero(left);
        if ((escaped >> at & 1U) != 0) {
            continue;
        }
        if (at == 63) {
            escape = true;
        } else {
            escaped |= std::uint64_t{1} << (at + 1);
        }
    }
    return quotes & ~escaped;
}

// True for true, false, null and the e of an exponent; `wordEnd` is set behind it.
bool isPlainWord(const char* at, const char*& wordEnd) {
    for (const std::string_view word : {"true", "false", "null"}) {
        if (std::memcmp(at, word.data(), word.size()) == 0) {
            wordEnd = at + word.size();
            return true;
        }
    }
    wordEnd = at + 1;
    return (*at == 'e' || *at == 'E') && (isDigit(at[-1]) || at[-1] == '.') &&
           (isDigit(at[1]) || at[1] == '-' || at[1] == '+');
}

// First byte of `letters` that begins no plain word; null when all are fine.
const char* findBareWord(const char* block, std::uint64_t letters, const char*& wordEnd) {
    for (; letters != 0; letters &= letters - 1) {
        const char* at = block + std::countr_zero(letters);
        if (at >= wordEnd && !isPlainWord(at, wordEnd)) {
            return at;
        }
    }
    return nullptr;
}

struct NestState {
    std::uint64_t depth = 0;
    std::uint64_t inString = 0;  // all ones behind an opening quote
    bool escape = false;
    bool nested = false;
    const char* wordEnd = nullptr;
};

// The bit behind which the outermost bracket is closed; 64 when the block does not close it.
int closingBit(NestState& state, std::uint64_t opens, std::uint64_t closes) {
    for (std::uint64_t left = opens | closes; left != 0; left &= left - 1) {
        const int at = std::countr_zero(left);
        if ((opens >> at & 1U) != 0) {
            state.nested |= state.depth++ > 0;
        } else if (--state.depth == 0) {
            return at;
        }
    }
    return 64;
}

}  // namespace

template <char Open>
Skipped skipNested(const char* at, const char* end, JsonText& flags) {
    NestState state;
    for (; at < end; at += kBlock) {
        const BlockMasks masks = classify<Open>(at);
        std::uint64_t quotes = masks.quote;
        if (masks.slash != 0 || state.escape) {
            quotes = plainQuotes(quotes, masks.slash, state.escape);
        }
        const std::uint64_t inString = prefixXor(quotes) ^ state.inString;
        const int close = closingBit(state, masks.open & ~inString, masks.close & ~inString);
        const std::uint64_t ours =
            close == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << close) - 1;
        const std::uint64_t controls = masks.control & inString & ours;
        const std::uint64_t letters = masks.letter & ~inString & ours;
        const char* stop = letters == 0 ? nullptr : findBareWord(at, letters, state.wordEnd);
        if (controls != 0) {
            const char* control = at + std::countr_zero(controls);
            stop = stop == nullptr || control < stop ? control : stop;
        }
        if (stop != nullptr) {
            return {stop, false};
        }
        flags.nested |= state.nested;
        flags.escaped |= (masks.slash & ours) != 0;
        flags.nonAscii |= (masks.high & ours) != 0;
        if (close != 64) {
            return {at + close + 1, true};
        }
        state.inString = static_cast<std::uint64_t>(static_cast<std::int64_t>(inString) >> 63);
    }
    return {end, false};
}

template Skipped skipNested<'{'>(const char*, const char*, JsonText&);
template Skipped skipNested<'['>(const char*, const char*, JsonText&);

}  // namespace kinetoscope::scan
