// SPDX-License-Identifier: Apache-2.0
#include "core/import/event/MatchShape.h"

#include "core/import/event/ShapeMatch.h"
#include "core/import/scan/ByteLanes.h"

namespace kinetoscope::import::event {

#ifdef KINETOSCOPE_AVX2
MatchShape matchShapeAvx2();  // defined in MatchShapeAvx2.cpp
#endif

MatchShape matchShapeOf(scan::VectorLevel level) {
    switch (level) {
        case scan::VectorLevel::Words:
            return &ShapeMatch<scan::FourLanes<scan::WordLanes>, scan::WordDigits>::match;
        case scan::VectorLevel::Sse2:
            break;
        case scan::VectorLevel::Avx2:
#ifdef KINETOSCOPE_AVX2
            return matchShapeAvx2();
#else
            break;
#endif
    }
    return &ShapeMatch<scan::FourLanes<scan::Lanes16>, scan::WordDigits>::match;
}

}  // namespace kinetoscope::import::event
