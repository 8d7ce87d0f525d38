// SPDX-License-Identifier: Apache-2.0
#include "core/import/scan/SkipNested.h"

#include "core/import/scan/ByteLanes.h"
#include "core/import/scan/NestScan.h"
#include "core/import/scan/VectorLevel.h"

namespace kinetoscope::import::scan {

#ifdef KINETOSCOPE_AVX2
// Defined in SkipNestedAvx2.cpp.
Skipped skipObjectAvx2(const char* at, const char* end, JsonText& flags);
Skipped skipArrayAvx2(const char* at, const char* end, JsonText& flags);
#endif

namespace {

template <char Open, class Block>
Skipped skip(const char* at, const char* end, JsonText& flags) {
    return NestScan<Block, Open, Refuse::Nothing>(flags).run(at, end, 0);
}

}  // namespace

template <>
Skipped skipNested<'{'>(const char* at, const char* end, JsonText& flags) {
#ifdef KINETOSCOPE_AVX2
    if (vectorLevel() == VectorLevel::Avx2) {
        return skipObjectAvx2(at, end, flags);
    }
#endif
    return vectorLevel() == VectorLevel::Words ? skip<'{', FourLanes<WordLanes>>(at, end, flags)
                                               : skip<'{', FourLanes<Lanes16>>(at, end, flags);
}

template <>
Skipped skipNested<'['>(const char* at, const char* end, JsonText& flags) {
#ifdef KINETOSCOPE_AVX2
    if (vectorLevel() == VectorLevel::Avx2) {
        return skipArrayAvx2(at, end, flags);
    }
#endif
    return vectorLevel() == VectorLevel::Words ? skip<'[', FourLanes<WordLanes>>(at, end, flags)
                                               : skip<'[', FourLanes<Lanes16>>(at, end, flags);
}

}  // namespace kinetoscope::import::scan
