// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "core/import/JsonScan.h"

namespace kinetoscope {

struct EventShape;
struct RawEvent;

/// The instructions that the hot scanners are compiled for.
enum class VectorLevel : std::uint8_t {
    Words,  ///< plain C++ on 64-bit words
    Sse2,
    Avx2,
};

/// The scanners that gain from wide registers, compiled once for each level.
struct VectorKernels {
    scan::Skipped (*skipObject)(const char* at, const char* end, JsonText& flags);
    scan::Skipped (*skipArray)(const char* at, const char* end, JsonText& flags);
    /// Behind the event at `at`, or null when it has another shape.
    const char* (*matchShape)(EventShape& shape, const char* at, const char* end, RawEvent& event);
};

/// The levels that this processor and this build have, the best one last.
[[nodiscard]] std::vector<VectorLevel> vectorLevels();
/// Those of the best level, unless a test has chosen another one.
[[nodiscard]] const VectorKernels& vectorKernels();
/// For tests only: all readers of the process use this level from now on.
void setVectorLevel(VectorLevel level);

}  // namespace kinetoscope
