// SPDX-License-Identifier: Apache-2.0
#include "core/import/source/Expansion.h"

#include <cmath>
#include <cstdlib>

namespace kinetoscope::import::source {

namespace {

ExpansionLimit limitOfEnvironment() {
    ExpansionLimit limit;
    if (const char* text = std::getenv("KINETOSCOPE_MAX_EXPANSION")) {
        char* end = nullptr;
        const double factor = std::strtod(text, &end);
        if (end != text && *end == '\0' && std::isfinite(factor) && factor >= 0.0) {
            limit.factor = factor;
        }
    }
    return limit;
}

}  // namespace

ExpansionLimit& expansionLimit() {
    static ExpansionLimit limit = limitOfEnvironment();
    return limit;
}

}  // namespace kinetoscope::import::source
