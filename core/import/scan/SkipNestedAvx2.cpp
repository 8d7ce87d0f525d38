// SPDX-License-Identifier: Apache-2.0
// Compiled for AVX2 (see CMakeLists.txt). Whatever this source instantiates names Avx2Block, which
// is local to it, and the inline functions it calls are always inlined: no symbol with instructions
// that an older processor lacks can be taken for the rest of the program.
#include "core/import/scan/Avx2Block.h"
#include "core/import/scan/NestScan.h"

namespace kinetoscope::import::scan {

Skipped skipObjectAvx2(const char* at, const char* end, JsonText& flags);
Skipped skipArrayAvx2(const char* at, const char* end, JsonText& flags);

Skipped skipObjectAvx2(const char* at, const char* end, JsonText& flags) {
    return NestScan<Avx2Block, '{', Refuse::Nothing>(flags).run(at, end, 0);
}

Skipped skipArrayAvx2(const char* at, const char* end, JsonText& flags) {
    return NestScan<Avx2Block, '[', Refuse::Nothing>(flags).run(at, end, 0);
}

}  // namespace kinetoscope::import::scan
