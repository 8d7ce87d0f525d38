// SPDX-License-Identifier: Apache-2.0
#include "core/import/source/Expansion.h"

#include <cmath>
#include <cstdlib>
#include <optional>

#include "core/base/WholeNumber.h"

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

std::string ignoredExpansion() {
    const char* text = std::getenv(kLimitVariable);
    return text == nullptr || factorIn(text) ? std::string() : text;
}

}  // namespace kinetoscope::import::source
