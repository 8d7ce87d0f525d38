// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstring>

#include "core/import/scan/JsonScan.h"

namespace kinetoscope::import::scan {

/// Characters that a nest may not contain for the caller's purpose; scanning stops there.
enum class Refuse : std::uint8_t {
    Nothing,
    IdKeys,  ///< a text that may be the key of a correlation or External id
    Braces,  ///< braces outside of strings, in an array
};

/// Skips an object (Open '{') or array (Open '['), sixty-four bytes at a time; see skipNested.
template <class Block, char Open, Refuse refused>
class NestScan {
public:
    explicit NestScan(JsonText& flags) : m_flags(flags) {}

    /// `depth`: brackets of this kind that are open before `at`, which is outside of strings.
    [[gnu::always_inline]] Skipped run(const char* at, const char* end, std::uint64_t depth) {
        m_depth = depth;
        for (; at < end; at += 64) {
            const Block block(at);
            const std::uint64_t quotes = plainQuotes(block);
            const std::uint64_t inString = Block::prefixXor(quotes) ^ m_inString;
            const int close = closingBit(at, block.either(Open, kClose) & ~inString);
            const std::uint64_t ours = close == 64 ? ~std::uint64_t{0} : (1ULL << close) - 1;
            if (const char* stop = firstUnusual(at, block, inString, ours)) {
                return {stop, false};
            }
            if constexpr (refused == Refuse::IdKeys) {
                if (mayHoldIdKey(at, block, quotes & inString & ours)) {
                    return {at, false};
                }
            }
            if constexpr (refused == Refuse::Braces) {
                if ((block.either('{', '}') & ~inString & ours) != 0) {
                    return {at, false};
                }
            }
            if (close != 64) {
                return {at + close + 1, true};
            }
            m_inString = static_cast<std::uint64_t>(static_cast<std::int64_t>(inString) >> 63);
        }
        return {end, false};
    }

private:
    static constexpr char kClose = Open == '{' ? '}' : ']';

    // The quotes that no backslash escapes. Also notes whether there is anything unusual.
    [[gnu::always_inline]] std::uint64_t plainQuotes(const Block& block) {
        const std::uint64_t quotes = block.equal('"');
        m_unusual = block.unusual();
        if (m_unusual == 0 && !m_escape) {
            return quotes;
        }
        m_slashes = block.equal('\\');
        return quotes & ~escapedBytes(m_slashes);
    }

    [[gnu::noinline]] std::uint64_t escapedBytes(std::uint64_t slashes) {
        std::uint64_t escaped = m_escape ? 1 : 0;
        m_escape = false;
        for (std::uint64_t left = slashes; left != 0; left &= left - 1) {
            const int at = __builtin_ctzll(left);
            if ((escaped >> at & 1U) != 0) {
                continue;
            }
            if (at == 63) {
                m_escape = true;
            } else {
                escaped |= std::uint64_t{1} << (at + 1);
            }
        }
        return escaped;
    }

    // The bit of the bracket that closes the outermost one; 64 when it is not in this block.
    [[gnu::always_inline]] int closingBit(const char* block, std::uint64_t brackets) {
        for (; brackets != 0; brackets &= brackets - 1) {
            const int at = __builtin_ctzll(brackets);
            if (block[at] == Open) {
                m_nested |= m_depth++ > 0;
            } else if (--m_depth == 0) {
                return at;
            }
        }
        return 64;
    }

    // The first control character in a string or bare word outside of them; null without one.
    [[gnu::always_inline]] const char* firstUnusual(const char* at, const Block& block,
                                                    std::uint64_t inString, std::uint64_t ours) {
        const std::uint64_t letters = block.letters() & ~inString & ours;
        const char* stop = letters == 0 ? nullptr : findBareWord(at, letters);
        if (m_unusual != 0) {
            const std::uint64_t controls = block.controls() & inString & ours;
            if (controls != 0) {
                const char* control = at + __builtin_ctzll(controls);
                stop = stop == nullptr || control < stop ? control : stop;
            }
            if (stop == nullptr) {
                m_flags.escaped |= (m_slashes & ours) != 0;
                m_flags.nonAscii |= (block.high() & ours) != 0;
            }
            m_slashes = 0;
        }
        m_flags.nested |= m_nested && stop == nullptr;
        return stop;
    }

    // First of `letters` that begins no plain word; null when all are fine.
    [[gnu::noinline]] const char* findBareWord(const char* block, std::uint64_t letters) {
        for (; letters != 0; letters &= letters - 1) {
            const char* at = block + __builtin_ctzll(letters);
            if (at >= m_wordEnd && !isPlainWord(at)) {
                return at;
            }
        }
        return nullptr;
    }

    // True for true, false, null and the e of an exponent; m_wordEnd is set behind it.
    bool isPlainWord(const char* at) {
        const bool five = std::memcmp(at, "false", 5) == 0;
        if (five || std::memcmp(at, "true", 4) == 0 || std::memcmp(at, "null", 4) == 0) {
            m_wordEnd = at + (five ? 5 : 4);
            return true;
        }
        m_wordEnd = at + 1;
        return (*at == 'e' || *at == 'E') && (isDigit(at[-1]) || at[-1] == '.') &&
               (isDigit(at[1]) || at[1] == '-' || at[1] == '+');
    }

    // Opening quotes before a letter that the key of an id begins with.
    [[gnu::always_inline]] static bool mayHoldIdKey(const char* at, const Block& block,
                                                    std::uint64_t opening) {
        const char next = at[64];
        const bool last = next == 'c' || next == 'e' || next == 'E';
        std::uint64_t found = opening & (block.idLetters() >> 1U | std::uint64_t{last} << 63U);
        for (; found != 0; found &= found - 1) {
            const char* key = at + __builtin_ctzll(found) + 1;
            if (std::memcmp(key + 1, "orrelation\"", 11) == 0 ||
                std::memcmp(key + 1, "xternal id\"", 11) == 0) {
                return true;
            }
        }
        return false;
    }

    JsonText& m_flags;
    std::uint64_t m_depth = 0;
    std::uint64_t m_inString = 0;  // all ones behind an opening quote
    std::uint64_t m_unusual = 0;
    std::uint64_t m_slashes = 0;
    const char* m_wordEnd = nullptr;
    bool m_escape = false;
    bool m_nested = false;
};

}  // namespace kinetoscope::import::scan
