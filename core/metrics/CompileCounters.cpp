// SPDX-License-Identifier: Apache-2.0
#include "core/metrics/CompileCounters.h"

namespace kinetoscope::metrics {

void CompileCounters::apply(const CachedMetricsDeltas& deltas) {
    generatedKernelCount += deltas.generatedKernelCount;
    generatedCppVecKernelCount += deltas.generatedCppVecKernelCount;
    irNodesPreFusion += deltas.irNodesPreFusion;
    cppToDtypeCount += deltas.cppToDtypeCount;
    numBytesAccessed += deltas.numBytesAccessed;
}

CounterSnapshot::CounterSnapshot(const CompileCounters& counters)
    : m_start{counters.generatedKernelCount, counters.generatedCppVecKernelCount,
              counters.irNodesPreFusion, counters.cppToDtypeCount, counters.numBytesAccessed} {}

CachedMetricsDeltas CounterSnapshot::deltas(const CompileCounters& now) const {
    return {now.generatedKernelCount - m_start.generatedKernelCount,
            now.generatedCppVecKernelCount - m_start.generatedCppVecKernelCount,
            now.irNodesPreFusion - m_start.irNodesPreFusion,
            now.cppToDtypeCount - m_start.cppToDtypeCount,
            now.numBytesAccessed - m_start.numBytesAccessed};
}

}  // namespace kinetoscope::metrics
