// SPDX-License-Identifier: Apache-2.0
#include "app/kscope/PlainNumber.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <cmath>
#include <string>

namespace kinetoscope::app {

CLI::Validator plainNumber(double least, double most) {
    const auto check = [least, most](const std::string& text) {
        double value = 0.0;
        const char* const end = text.data() + text.size();
        const auto parsed = std::from_chars(text.data(), end, value);
        if (parsed.ec != std::errc() || parsed.ptr != end || !std::isfinite(value)) {
            return fmt::format("'{}' is no number; write it in decimal digits", text);
        }
        return value < least || value > most
                   ? fmt::format("{} is not from {} to {}", text, least, most)
                   : std::string();
    };
    return {check, fmt::format("FLOAT in [{} - {}]", least, most)};
}

}  // namespace kinetoscope::app
