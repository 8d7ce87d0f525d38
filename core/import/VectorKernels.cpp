// SPDX-License-Identifier: Apache-2.0
#include "core/import/VectorKernels.h"

#include <atomic>

#include "core/import/ByteLanes.h"
#include "core/import/ShapeMatch.h"

namespace kinetoscope {

// Defined in VectorKernelsAvx2.cpp; null where the build has none.
const VectorKernels* avx2Kernels();

namespace {

template <class Block>
constexpr VectorKernels kKernels{
    [](const char* at, const char* end, JsonText& flags) {
        return scan::NestScan<Block, '{', scan::Refuse::Nothing>(flags).run(at, end, 0);
    },
    [](const char* at, const char* end, JsonText& flags) {
        return scan::NestScan<Block, '[', scan::Refuse::Nothing>(flags).run(at, end, 0);
    },
    &scan::ShapeMatch<Block, scan::WordDigits>::match,
};

bool hasAvx2() {
#if defined(__x86_64__)
    return avx2Kernels() != nullptr && __builtin_cpu_supports("avx2") &&
           __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") &&
           __builtin_cpu_supports("pclmul");
#else
    return false;
#endif
}

const VectorKernels* kernelsOf(VectorLevel level) {
    switch (level) {
        case VectorLevel::Words:
            return &kKernels<scan::FourLanes<scan::WordLanes>>;
        case VectorLevel::Sse2:
            return &kKernels<scan::FourLanes<scan::Lanes16>>;
        case VectorLevel::Avx2:
            break;
    }
    return avx2Kernels();
}

std::atomic<const VectorKernels*>& chosen() {
    static std::atomic<const VectorKernels*> kernels(kernelsOf(vectorLevels().back()));
    return kernels;
}

}  // namespace

std::vector<VectorLevel> vectorLevels() {
    std::vector<VectorLevel> levels{VectorLevel::Words};
#if defined(__SSE2__)
    levels.push_back(VectorLevel::Sse2);
#endif
    if (hasAvx2()) {
        levels.push_back(VectorLevel::Avx2);
    }
    return levels;
}

const VectorKernels& vectorKernels() {
    return *chosen().load(std::memory_order_relaxed);
}

void setVectorLevel(VectorLevel level) {
    chosen().store(kernelsOf(level), std::memory_order_relaxed);
}

}  // namespace kinetoscope
