// SPDX-License-Identifier: Apache-2.0
#include "core/baseline/Comparable.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

#include "core/stats/Verdict.h"
#include "core/text/Printable.h"

namespace kinetoscope::baseline {

namespace {

std::string against(const char* label, const std::string& base, const std::string& candidate) {
    return fmt::format("{} {} against {}", label, text::printable(base),
                       text::printable(candidate));
}

void addClocks(const Entry& base, const Entry& candidate, Comparability& found) {
    if (base.clockMhz <= 0.0 || candidate.clockMhz <= 0.0) {
        found.unknown.emplace_back("SM clock");
    } else if (std::abs(std::log(candidate.clockMhz / base.clockMhz)) > stats::kBenchTolerance) {
        found.differences.push_back(fmt::format("SM clock {:.0f} MHz against {:.0f} MHz",
                                                base.clockMhz, candidate.clockMhz));
    }
}

}  // namespace

std::string Comparability::sentence() const {
    if (!comparable()) {
        return fmt::format("not comparable: {}", fmt::join(obstacles, "; "));
    }
    std::string text = differences.empty()
                           ? std::string("comparable: no known differences")
                           : fmt::format("comparable, but for: {}", fmt::join(differences, "; "));
    if (!unknown.empty()) {
        text += fmt::format(" (unknown: {})", fmt::join(unknown, ", "));
    }
    return text;
}

Comparability comparability(const Entry& base, const Entry& candidate) {
    Comparability found;
    if (base.kind != candidate.kind) {
        found.obstacles.push_back(against("results of", base.kind, candidate.kind));
    }
    for (const Fact& fact : knownFacts()) {
        const std::string left = base.fact(fact.key);
        const std::string right = candidate.fact(fact.key);
        if (left.empty() || right.empty()) {
            if (fact.expected || left != right) {
                found.unknown.emplace_back(fact.label);
            }
        } else if (left != right) {
            (fact.decides ? found.obstacles : found.differences)
                .push_back(against(fact.label, left, right));
        }
    }
    addClocks(base, candidate, found);
    return found;
}

}  // namespace kinetoscope::baseline
