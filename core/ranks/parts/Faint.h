// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <limits>
#include <vector>

#include "core/base/Time.h"

namespace kinetoscope::ranks::parts {

/// What is left of the ranks' excesses where no single wait shows them, by step and rank: noise
/// that is now one's, now the other's, unless it stands out of it or is there in step after step.
class Faint {
public:
    /// `byStep[s][r]`: the excess of rank r in step s over the median rank's. `large`: more than
    /// hosts commonly differ by.
    explicit Faint(std::vector<std::vector<TimeNs>> byStep,
                   TimeNs large = std::numeric_limits<TimeNs>::max());

    /// Whether that excess of the rank in the step is more than noise.
    [[nodiscard]] bool standsOut(std::size_t step, std::size_t rank) const {
        return m_byStep[step][rank] >= m_least;
    }
    /// Whether the rank has it in all steps but one of eight, and by much the same time;
    /// what is large may differ by more.
    [[nodiscard]] bool isSteady(std::size_t rank) const;

private:
    [[nodiscard]] TimeNs usual() const;

    std::vector<std::vector<TimeNs>> m_byStep;
    TimeNs m_large = 0;
    TimeNs m_least = 0;
};

}  // namespace kinetoscope::ranks::parts
