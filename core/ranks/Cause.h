// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "core/ranks/Segments.h"

namespace kinetoscope::ranks {

enum class CauseKind : std::uint8_t { Host, Compute, Copy, Other };

/// "host", "compute", "copy", "other".
[[nodiscard]] const char* causeKindName(CauseKind kind);

/// The largest part of the rank's own excess.
[[nodiscard]] CauseKind kindOf(const Excess& excess);

/// Why a rank was late in a step.
struct Cause {
    std::size_t record = 0;
    std::int64_t step = -1;  ///< the first one of several
    std::int64_t lastStep = -1;
    std::size_t steps = 1;             ///< in how many it is seen
    CauseKind kind = CauseKind::Host;  ///< what its excess is most of
    Excess excess;                     ///< beyond the median rank, over all segments of the step
    TimeNs blameNs = 0;                ///< exposed waiting of the others for this rank
    std::size_t waiting = 0;           ///< how many ranks waited for it
    bool clear = false;                ///< most of it kept others waiting at one time
    /// Nobody else runs what it does: beyond its own median step then.
    bool besideOwnSteps = false;
    std::string detail;  ///< what the time went to, for people

    /// Whether anybody waited for it.
    [[nodiscard]] bool isFelt() const { return blameNs > 0 && waiting > 0; }
    [[nodiscard]] TimeNs ns() const {
        return kind == CauseKind::Other ? excess.otherGroupNs : excess.own();
    }
};

}  // namespace kinetoscope::ranks
