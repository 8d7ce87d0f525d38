// SPDX-License-Identifier: Apache-2.0
// Compiled for AVX2 where the compiler can (see CMakeLists.txt). Whatever this source instantiates
// names Avx2Block, which is local to it, and the inline functions it calls are always inlined: no
// symbol with instructions that an older processor lacks can be taken for the rest of the program.
#include "core/import/VectorKernels.h"

#if defined(__AVX2__) && defined(__PCLMUL__)
#include "core/import/Avx2Block.h"
#include "core/import/Avx2Digits.h"
#include "core/import/ShapeMatch.h"
#endif

namespace kinetoscope {

const VectorKernels* avx2Kernels();

#if defined(__AVX2__) && defined(__PCLMUL__)

namespace {

using scan::Avx2Block;

scan::Skipped skipObject(const char* at, const char* end, JsonText& flags) {
    return scan::NestScan<Avx2Block, '{', scan::Refuse::Nothing>(flags).run(at, end, 0);
}

scan::Skipped skipArray(const char* at, const char* end, JsonText& flags) {
    return scan::NestScan<Avx2Block, '[', scan::Refuse::Nothing>(flags).run(at, end, 0);
}

constexpr VectorKernels kKernels{skipObject, skipArray,
                                 &scan::ShapeMatch<Avx2Block, scan::Avx2Digits>::match};

}  // namespace

const VectorKernels* avx2Kernels() {
    return &kKernels;
}

#else

const VectorKernels* avx2Kernels() {
    return nullptr;
}

#endif

}  // namespace kinetoscope
