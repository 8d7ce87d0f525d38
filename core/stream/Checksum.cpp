// SPDX-License-Identifier: Apache-2.0
#include "core/stream/Checksum.h"

#include <array>
#include <cstring>

namespace kinetoscope::stream {

namespace {

constexpr std::uint32_t kPolynomial = 0x82f63b78;  // Castagnoli, bits reversed
using Tables = std::array<std::array<std::uint32_t, 256>, 8>;

// Table k advances a byte by k further zero bytes, so eight bytes need eight look-ups.
constexpr Tables makeTables() {
    Tables tables{};
    for (std::uint32_t byte = 0; byte < 256; ++byte) {
        std::uint32_t value = byte;
        for (int bit = 0; bit < 8; ++bit) {
            value = (value >> 1U) ^ ((value & 1U) != 0 ? kPolynomial : 0);
        }
        tables[0][byte] = value;
    }
    for (std::size_t k = 1; k < tables.size(); ++k) {
        for (std::size_t byte = 0; byte < 256; ++byte) {
            const std::uint32_t before = tables[k - 1][byte];
            tables[k][byte] = (before >> 8U) ^ tables[0][before & 0xffU];
        }
    }
    return tables;
}

constexpr Tables kTables = makeTables();

std::uint32_t eightBytes(std::uint64_t word) {
    std::uint32_t value = 0;
    for (std::size_t k = 0; k < 8; ++k) {
        value ^= kTables[7 - k][(word >> (8 * k)) & 0xffU];
    }
    return value;
}

}  // namespace

std::uint32_t crc32c(std::string_view bytes, std::uint32_t before) {
    std::uint32_t value = ~before;
    while (bytes.size() >= 8) {
        std::uint64_t word = 0;
        std::memcpy(&word, bytes.data(), sizeof word);
        value = eightBytes(word ^ value);
        bytes.remove_prefix(8);
    }
    for (const char c : bytes) {
        value = (value >> 8U) ^ kTables[0][(value ^ static_cast<unsigned char>(c)) & 0xffU];
    }
    return ~value;
}

}  // namespace kinetoscope::stream
