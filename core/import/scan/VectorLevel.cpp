// SPDX-License-Identifier: Apache-2.0
#include "core/import/scan/VectorLevel.h"

#include <atomic>

namespace kinetoscope::import::scan {

namespace {

bool hasAvx2() {
#ifdef KINETOSCOPE_AVX2
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
           __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("pclmul");
#else
    return false;
#endif
}

std::atomic<VectorLevel>& chosen() {
    static std::atomic<VectorLevel> level(vectorLevels().back());
    return level;
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

VectorLevel vectorLevel() {
    return chosen().load(std::memory_order_relaxed);
}

void setVectorLevel(VectorLevel level) {
    chosen().store(level, std::memory_order_relaxed);
}

}  // namespace kinetoscope::import::scan
