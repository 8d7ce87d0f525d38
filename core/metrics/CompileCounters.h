// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace kinetoscope::metrics {

/// The part of the counters that a compile cache stores with an entry and applies on a hit.
struct CachedMetricsDeltas {
    std::int64_t generatedKernelCount = 0;
    std::int64_t generatedCppVecKernelCount = 0;
    std::int64_t irNodesPreFusion = 0;
    std::int64_t cppToDtypeCount = 0;
    std::int64_t numBytesAccessed = 0;

    friend bool operator==(const CachedMetricsDeltas&, const CachedMetricsDeltas&) = default;
};

/// What a compiler counts while it makes kernels.
struct CompileCounters {
    std::int64_t generatedKernelCount = 0;
    std::int64_t generatedCppVecKernelCount = 0;
    std::int64_t numBytesAccessed = 0;
    std::vector<std::pair<std::string, std::int64_t>> nodesNumElem;  ///< node, elements
    std::vector<std::pair<std::string, double>> nodeRuntimes;        ///< node, milliseconds
    std::int64_t irNodesPreFusion = 0;
    std::int64_t cppToDtypeCount = 0;
    /// One entry per outer loop fusion: how many inner kernels it joined.
    std::vector<std::int64_t> cppOuterLoopFusedInnerCounts;
    std::int64_t numComprehensivePadding = 0;
    std::int64_t numMatchesForScatterUponConstTensor = 0;

    /// Everything to zero.
    void reset() { *this = {}; }
    /// Adds what a cache entry stored.
    void apply(const CachedMetricsDeltas& deltas);

    friend bool operator==(const CompileCounters&, const CompileCounters&) = default;
};

/// Remembers the counters at one moment, and says later what was added since.
class CounterSnapshot {
public:
    explicit CounterSnapshot(const CompileCounters& counters);
    [[nodiscard]] CachedMetricsDeltas deltas(const CompileCounters& now) const;

private:
    CachedMetricsDeltas m_start;
};

}  // namespace kinetoscope::metrics
