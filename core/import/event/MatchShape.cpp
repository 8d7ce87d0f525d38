// SPDX-License-Identifier: Apache-2.0
#include "core/import/event/MatchShape.h"

#include "core/import/event/ShapeMatch.h"
#include "core/import/scan/ByteLanes.h"

namespace kinetoscope {

#ifdef KINETOSCOPE_AVX2
MatchShape matchShapeAvx2();  // defined in MatchShapeAvx2.cpp
#endif

MatchShape matchShapeOf(VectorLevel level) {
    switch (level) {
        case VectorLevel::Words:
            return &scan::ShapeMatch<scan::FourLanes<scan::WordLanes>, scan::WordDigits>::match;
        case VectorLevel::Sse2:
            break;
        case VectorLevel::Avx2:
#ifdef KINETOSCOPE_AVX2
            return matchShapeAvx2();
#else
            break;
#endif
    }
    return &scan::ShapeMatch<scan::FourLanes<scan::Lanes16>, scan::WordDigits>::match;
}

}  // namespace kinetoscope
