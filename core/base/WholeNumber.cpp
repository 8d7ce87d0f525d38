// SPDX-License-Identifier: Apache-2.0
#include "core/base/WholeNumber.h"

#include <charconv>
#include <limits>

namespace kinetoscope {

namespace {

// Of a number outside of a double's range.
double beyondDouble(std::string_view text) {
    long double wide = 0.0L;
    const auto parsed = std::from_chars(text.data(), text.data() + text.size(), wide);
    if (parsed.ec == std::errc()) {
        return static_cast<double>(wide);
    }
    const bool small =
        text.find("e-") != std::string_view::npos || text.find("E-") != std::string_view::npos;
    const double size = small ? 0.0 : std::numeric_limits<double>::infinity();
    return text.starts_with('-') ? -size : size;
}

}  // namespace

std::optional<double> wholeNumber(std::string_view text) {
    double value = 0.0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (end != text.data() + text.size() || error == std::errc::invalid_argument) {
        return std::nullopt;
    }
    return error == std::errc::result_out_of_range ? beyondDouble(text) : value;
}

}  // namespace kinetoscope
