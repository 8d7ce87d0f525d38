// SPDX-License-Identifier: Apache-2.0
// Compiled for AVX2 (see CMakeLists.txt). Whatever this source instantiates names Avx2Block, which
// is local to it, and the inline functions it calls are always inlined: no symbol with instructions
// that an older processor lacks can be taken for the rest of the program.
#include "core/import/event/MatchShape.h"
#include "core/import/event/ShapeMatch.h"
#include "core/import/scan/Avx2Block.h"
#include "core/import/scan/Avx2Digits.h"

namespace kinetoscope::import::event {

MatchShape matchShapeAvx2();

MatchShape matchShapeAvx2() {
    return &ShapeMatch<scan::Avx2Block, scan::Avx2Digits>::match;
}

}  // namespace kinetoscope::import::event
