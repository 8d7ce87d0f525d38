// SPDX-License-Identifier: Apache-2.0
#include "core/bench/run/BufferFill.h"

#include <bit>
#include <cmath>
#include <cstring>

namespace kinetoscope::bench::run {

namespace {

// xorshift64*: fast, and good enough for data that only has to look like data.
class Random {
public:
    explicit Random(std::uint64_t seed) : m_state(seed * 0x9e3779b97f4a7c15ULL + 1) {}

    // The sum of four uniform values has nearly a normal distribution.
    float normal() {
        m_state ^= m_state >> 12U;
        m_state ^= m_state << 25U;
        m_state ^= m_state >> 27U;
        const std::uint64_t bits = m_state * 0x2545f4914f6cdd1dULL;
        const auto part = [&](unsigned shift) {
            return static_cast<float>((bits >> shift) & 0xffffU);
        };
        const float sum = part(0) + part(16) + part(32) + part(48);
        // mean 2 * 65535, variance 4 * 65536^2 / 12
        return (sum - 131070.0F) / 37837.2F;
    }

private:
    std::uint64_t m_state;
};

template <class T>
void store(std::byte* to, T value) {
    std::memcpy(to, &value, sizeof(T));
}

template <class T>
T fetch(const std::byte* from) {
    T value;
    std::memcpy(&value, from, sizeof(T));
    return value;
}

// bfloat16 is the upper half of a float, rounded to nearest even.
std::uint16_t brainBits(float value) {
    const auto bits = std::bit_cast<std::uint32_t>(value);
    return static_cast<std::uint16_t>((bits + 0x7fffU + ((bits >> 16U) & 1U)) >> 16U);
}

// The 8-bit types differ in how many bits of the half's mantissa and exponent they keep.
std::uint8_t eighthBits(float value, bool e5m2) {
    const std::uint16_t half = halfBits(e5m2 ? value : value / 256.0F);
    return static_cast<std::uint8_t>(e5m2 ? half >> 8U
                                          : ((half >> 8U) & 0x80U) | ((half >> 7U) & 0x7fU));
}

void storeFloat(std::byte* to, const std::string& dtype, float value) {
    if (dtype == "float32" || dtype == "complex64") {
        store(to, value);
    } else if (dtype == "float64" || dtype == "complex128") {
        store(to, static_cast<double>(value));
    } else if (dtype == "float16") {
        store(to, halfBits(value));
    } else if (dtype == "bfloat16") {
        store(to, brainBits(value));
    } else if (dtype.starts_with("float8_")) {
        store(to, eighthBits(value, dtype.starts_with("float8_e5m2")));
    }
}

}  // namespace

std::uint16_t halfBits(float value) {
    const auto bits = std::bit_cast<std::uint32_t>(value);
    const auto sign = static_cast<std::uint16_t>((bits >> 16U) & 0x8000U);
    const std::uint32_t magnitude = bits & 0x7fffffffU;
    if (magnitude >= 0x7f800000U) {
        return static_cast<std::uint16_t>(sign | 0x7c00U | (magnitude > 0x7f800000U ? 0x200U : 0U));
    }
    if (magnitude >= 0x477ff000U) {
        return static_cast<std::uint16_t>(sign | 0x7c00U);  // rounds to infinity
    }
    if (magnitude < 0x38800000U) {
        // Below 2^-14 halves are multiples of 2^-24.
        const float scaled = std::bit_cast<float>(magnitude) * 16777216.0F;
        return static_cast<std::uint16_t>(sign |
                                          static_cast<std::uint32_t>(std::nearbyint(scaled)));
    }
    const std::uint32_t rounded = magnitude + 0xfffU + ((magnitude >> 13U) & 1U);
    return static_cast<std::uint16_t>(sign | ((rounded - 0x38000000U) >> 13U));
}

float halfValue(std::uint16_t bits) {
    const std::uint32_t exponent = (bits >> 10U) & 0x1fU;
    const std::uint32_t mantissa = bits & 0x3ffU;
    const float sign = (bits & 0x8000U) != 0 ? -1.0F : 1.0F;
    if (exponent == 31) {
        return mantissa != 0 ? NAN : sign * INFINITY;
    }
    if (exponent == 0) {
        return sign * static_cast<float>(mantissa) / 16777216.0F;
    }
    return sign * std::ldexp(1.0F + static_cast<float>(mantissa) / 1024.0F,
                             static_cast<int>(exponent) - 15);
}

std::vector<std::byte> normalValues(const std::string& dtype, std::size_t elements,
                                    std::size_t itemBytes, std::uint64_t seed) {
    std::vector<std::byte> bytes(elements * itemBytes);
    const bool complex = dtype.starts_with("complex");
    const std::size_t step = complex ? itemBytes / 2 : itemBytes;
    Random random(seed);
    for (std::size_t at = 0; step > 0 && at < bytes.size(); at += step) {
        storeFloat(bytes.data() + at, dtype, random.normal());
    }
    return bytes;
}

double valueAt(const std::vector<std::byte>& bytes, const std::string& dtype, std::size_t index) {
    const std::byte* data = bytes.data();
    if (dtype == "float32") {
        return fetch<float>(data + index * 4);
    }
    if (dtype == "float64") {
        return fetch<double>(data + index * 8);
    }
    if (dtype == "float16") {
        return halfValue(fetch<std::uint16_t>(data + index * 2));
    }
    if (dtype == "bfloat16") {
        return std::bit_cast<float>(
            static_cast<std::uint32_t>(fetch<std::uint16_t>(data + index * 2)) << 16U);
    }
    if (dtype == "int64") {
        return static_cast<double>(fetch<std::int64_t>(data + index * 8));
    }
    if (dtype == "int32") {
        return fetch<std::int32_t>(data + index * 4);
    }
    return fetch<std::uint8_t>(data + index);
}

}  // namespace kinetoscope::bench::run
