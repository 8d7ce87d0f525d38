// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/baseline/Entry.h"

namespace kinetoscope::baseline {

/// Whether times of two entries may be held against each other.
struct Comparability {
    std::vector<std::string> obstacles;    ///< why not: "GPU: NVIDIA H200 against NVIDIA L4"
    std::vector<std::string> differences;  ///< what else may have changed times
    std::vector<std::string> unknown;      ///< facts that one side does not have: "machine"

    [[nodiscard]] bool comparable() const { return obstacles.empty(); }
    /// "comparable: …" or "not comparable: …", in one line.
    [[nodiscard]] std::string sentence() const;
};

[[nodiscard]] Comparability comparability(const Entry& base, const Entry& candidate);

}  // namespace kinetoscope::baseline
