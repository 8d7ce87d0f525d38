// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <string_view>

namespace kinetoscope::test {

/// How many damaged inputs a test tries: KINETOSCOPE_MUTATIONS, but not fewer than `usual`.
[[nodiscard]] inline std::size_t mutations(std::size_t usual) {
    const char* const wanted = std::getenv("KINETOSCOPE_MUTATIONS");
    return std::max<std::size_t>(usual, wanted == nullptr ? 0 : std::strtoul(wanted, nullptr, 10));
}

/// Damages bytes and texts, always the same way for one seed.
class Mutator {
public:
    explicit Mutator(std::uint64_t seed) : m_random(seed) {}

    /// One to four changes of single bytes, of whole numbers and of stretches.
    [[nodiscard]] std::string bytes(std::string bytes) {
        for (std::size_t left = 1 + below(4); left > 0 && !bytes.empty(); --left) {
            switch (below(6)) {
                case 0:
                    bytes[below(bytes.size())] ^= static_cast<char>(1U << below(8));
                    break;
                case 1:
                    bytes[below(bytes.size())] = static_cast<char>(below(256));
                    break;
                case 2:
                    number<std::uint32_t>(bytes);
                    break;
                case 3:
                    number<std::uint64_t>(bytes);
                    break;
                case 4:
                    stretch(bytes);
                    break;
                default:
                    text(bytes);
            }
        }
        return bytes;
    }

    /// One to four changes of a JSON text: numbers and values become others, stretches go or come.
    [[nodiscard]] std::string json(std::string json) {
        for (std::size_t left = 1 + below(4); left > 0 && !json.empty(); --left) {
            if (below(4) > 0) {
                text(json);
            } else if (below(2) == 0) {
                stretch(json);
            } else {
                json[below(json.size())] = static_cast<char>(below(256));
            }
        }
        return json;
    }

    [[nodiscard]] std::size_t below(std::size_t limit) {
        return static_cast<std::size_t>(m_random() % limit);
    }

private:
    // A number at a multiple of its size, as records have them.
    template <class Number>
    void number(std::string& bytes) {
        static constexpr std::array<std::uint64_t, 14> kNumbers{0,
                                                                1,
                                                                0x7f,
                                                                0xffff,
                                                                0x7fffffff,
                                                                0x80000000,
                                                                0xffffffff,
                                                                1ULL << 40U,
                                                                1ULL << 60U,
                                                                1ULL << 61U,
                                                                1ULL << 62U,
                                                                0x7fffffffffffffff,
                                                                0x8000000000000000,
                                                                0xffffffffffffffff};
        if (bytes.size() < 2 * sizeof(Number)) {
            return;
        }
        const std::size_t at = below(bytes.size() / sizeof(Number)) * sizeof(Number);
        const auto value = static_cast<Number>(kNumbers[below(kNumbers.size())] + below(2));
        std::memcpy(bytes.data() + at, &value, sizeof value);
    }

    // Takes out a stretch, or puts one of the bytes somewhere else too.
    void stretch(std::string& bytes) {
        const std::size_t from = below(bytes.size());
        const std::string part = bytes.substr(from, 1 + below(below(8) == 0 ? bytes.size() : 32));
        if (below(2) == 0) {
            bytes.erase(from, part.size());
        } else {
            bytes.insert(below(bytes.size() + 1), part);
        }
    }

    // Puts another value in the place of the JSON value that follows a colon or a comma.
    void text(std::string& text) {
        static constexpr std::array<std::string_view, 16> kValues{"0",
                                                                  "-1",
                                                                  "9223372036854775807",
                                                                  "-9223372036854775808",
                                                                  "18446744073709551615",
                                                                  "1e308",
                                                                  "-1e308",
                                                                  "1e-320",
                                                                  "1e999",
                                                                  "null",
                                                                  "true",
                                                                  "\"\"",
                                                                  "\"a\\nb\\u0000\"",
                                                                  "[]",
                                                                  "{}",
                                                                  "[[[[[1]]]]]"};
        const std::size_t at = text.find_first_of(":,[", below(text.size()));
        if (at == std::string::npos) {
            return;
        }
        const std::size_t end = std::min(text.find_first_of(",]}", at + 1), text.size());
        const std::string value = below(32) == 0 ? std::string(1000, below(2) == 0 ? '[' : '{')
                                                 : std::string(kValues[below(kValues.size())]);
        text.replace(at + 1, end - at - 1, value);
    }

    std::mt19937_64 m_random;
};

}  // namespace kinetoscope::test
