// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "core/base/Time.h"

namespace kinetoscope::ranks::parts {

/// The ranks' excesses over each other, by step and rank: noise that is now one's, now the other's,
/// unless one stands out of it or is there in step after step.
class Faint {
public:
    static constexpr std::size_t kMinSteps = 3;  ///< fewer do not show what is common

    Faint() = default;
    /// `byStep[s][r]`: the excess of rank r in step s.
    explicit Faint(std::vector<std::vector<TimeNs>> byStep);

    /// Whether that excess of the rank in the step is four times what is common.
    [[nodiscard]] bool standsOut(std::size_t step, std::size_t rank) const {
        return m_byStep[step][rank] >= m_least;
    }
    /// Whether the rank has an excess in all steps but one of eight, most of them much alike.
    [[nodiscard]] bool isSteady(std::size_t rank) const;
    /// Whether it has one in as many steps, by at least so much in the median and a third of that
    /// in each.
    [[nodiscard]] bool recurs(std::size_t rank, TimeNs least) const;

private:
    [[nodiscard]] TimeNs usual() const;
    /// The rank's excesses, sorted; none where they are in too few steps.
    [[nodiscard]] std::vector<TimeNs> sortedOf(std::size_t rank) const;

    std::vector<std::vector<TimeNs>> m_byStep;
    TimeNs m_least = 0;
};

}  // namespace kinetoscope::ranks::parts
