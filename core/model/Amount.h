// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace kinetoscope::model {

/// A number of elements, bytes or operations, or unknown. Numbers beyond 63 bits are unknown, and
/// so is whatever is computed from an unknown one.
class Amount {
public:
    constexpr Amount() = default;
    constexpr Amount(std::uint64_t value)  // NOLINT(google-explicit-constructor): it is a number
        : m_value(value < kUntold ? value : kUntold) {}
    /// A size as a file writes it; negative: unknown.
    static constexpr Amount ofSize(std::int64_t size) {
        return size < 0 ? untold() : Amount(static_cast<std::uint64_t>(size));
    }
    static constexpr Amount untold() { return Amount(kUntold); }

    [[nodiscard]] constexpr bool isTold() const { return m_value != kUntold; }
    [[nodiscard]] constexpr std::uint64_t value() const { return m_value; }

    friend constexpr Amount operator+(Amount a, Amount b) { return Amount(a.m_value + b.m_value); }
    friend constexpr Amount operator*(Amount a, Amount b) {
        std::uint64_t product = 0;
        const bool fits =
            a.isTold() && b.isTold() && !__builtin_mul_overflow(a.m_value, b.m_value, &product);
        return fits ? Amount(product) : untold();
    }
    /// Rounded up; by 0 it is untold.
    friend constexpr Amount operator/(Amount a, Amount b) {
        return a.isTold() && b.isTold() && b.m_value > 0
                   ? Amount(a.m_value / b.m_value + (a.m_value % b.m_value == 0 ? 0 : 1))
                   : untold();
    }
    constexpr Amount& operator+=(Amount other) { return *this = *this + other; }
    constexpr Amount& operator*=(Amount other) { return *this = *this * other; }
    friend constexpr bool operator==(Amount, Amount) = default;

private:
    static constexpr std::uint64_t kUntold = (std::uint64_t{1} << 63U) - 1;
    std::uint64_t m_value = 0;
};

}  // namespace kinetoscope::model
