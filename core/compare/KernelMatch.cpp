// SPDX-License-Identifier: Apache-2.0
#include "core/compare/KernelMatch.h"

#include <array>

#include "core/compare/Matcher.h"

namespace kinetoscope::compare {

std::string_view matchName(MatchKind kind) {
    static constexpr std::array<std::string_view, 3> kNames{"exact", "normalised", "operator"};
    return kNames[static_cast<std::size_t>(kind)];
}

KernelMatches matchKernels(const ComparedRun& base, const ComparedRun& candidate, MatchKind most,
                           const BothShapes& shapes, const std::stop_token& stop) {
    return Matcher(base, candidate, shapes, stop).match(most);
}

}  // namespace kinetoscope::compare
