// SPDX-License-Identifier: Apache-2.0
#include "core/import/source/Expansion.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <optional>

#include "core/base/WholeNumber.h"
#include "core/import/scan/StringDecoder.h"

namespace kinetoscope::import::source {

namespace {

constexpr const char* kLimitVariable = "KINETOSCOPE_MAX_EXPANSION";

std::optional<double> factorIn(const char* text) {
    const auto factor = wholeNumber(text);
    return factor && std::isfinite(*factor) && *factor >= 0.0 ? factor : std::nullopt;
}

ExpansionLimit limitOfEnvironment() {
    ExpansionLimit limit;
    if (const char* text = std::getenv(kLimitVariable)) {
        limit.factor = factorIn(text).value_or(limit.factor);
    }
    return limit;
}

}  // namespace

ExpansionLimit& expansionLimit() {
    static ExpansionLimit limit = limitOfEnvironment();
    return limit;
}

std::uint64_t largestText(std::uint64_t fileBytes, const ExpansionLimit& limit) {
    constexpr std::uint64_t kNoLimit = std::numeric_limits<std::uint64_t>::max();
    const double allowed = limit.factor * static_cast<double>(fileBytes);
    if (limit.factor == 0.0 || allowed >= static_cast<double>(kNoLimit)) {
        return kNoLimit;
    }
    return std::max(limit.freeBytes, static_cast<std::uint64_t>(allowed));
}

bool expandsTooFar(std::uint64_t textBytes, std::uint64_t fileBytes, const ExpansionLimit& limit) {
    return textBytes > largestText(fileBytes, limit);
}

std::string expansionLimitWords(std::uint64_t fileBytes) {
    const std::string ignored = scan::excerpt(ignoredExpansion());
    return fmt::format(
        "more than {} times the {} bytes of the file; --max-expansion or "
        "KINETOSCOPE_MAX_EXPANSION{} allow more",
        expansionLimit().factor, fileBytes,
        ignored.empty() ? "" : fmt::format(" ('{}' is not a number from 0)", ignored));
}

std::string ignoredExpansion() {
    const char* text = std::getenv(kLimitVariable);
    return text == nullptr || factorIn(text) ? std::string() : text;
}

}  // namespace kinetoscope::import::source
