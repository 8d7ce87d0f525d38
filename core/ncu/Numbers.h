// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

namespace kinetoscope::ncu {

/// How a file writes numbers: ncu does it as the locale does, 1,234.5 or 1.234,5 or 1 234,5.
class NumberForm {
public:
    /// Takes note of what a number says about all others.
    void note(std::string_view field);
    /// NaN for what is no number. A form that says nothing, as 1.234 and 1,234 do, is read as most
    /// of the noted ones are, or as English ones.
    [[nodiscard]] double number(std::string_view field) const;

private:
    std::uint64_t m_points = 0;  // numbers with a decimal point
    std::uint64_t m_commas = 0;
};

}  // namespace kinetoscope::ncu
