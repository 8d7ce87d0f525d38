// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <stop_token>
#include <vector>

#include "core/analysis/IdleTime.h"
#include "core/analysis/Steps.h"
#include "core/analysis/Window.h"
#include "core/base/Result.h"

namespace kinetoscope::analysis {

/// What the launching thread did while the GPU waited for the next operation.
struct HostActivity {
    /// None: nothing was recorded for most of the time, or there was no host part.
    trace::SliceId slice = trace::kNoSlice;
    TimeNs overlapNs = 0;  ///< of the slice with the host part
};

/// "synchronizing call", "data loader", "operator", "Python function", "annotation", "API call" or
/// "other": what the slice is, for people.
[[nodiscard]] const char* activityKind(const trace::Trace& trace, trace::SliceId slice);

/// Gaps shorter than this are counted but not listed.
inline constexpr TimeNs kMinGapNs = 1'000;

/// An idle gap of a GPU and what the host did in it.
struct NamedGap : IdleGap {
    std::int32_t gpu = 0;
    HostActivity host;
};

/// Collects the gaps of kMinGapNs and longer of one GPU, the longest of them where there are
/// more than `most`.
class LongestGaps {
public:
    LongestGaps(std::int32_t gpu, std::size_t most) : m_gpu(gpu), m_most(most) {}

    void add(const IdleGap& gap);
    /// Longest first, of equals the earlier.
    [[nodiscard]] std::vector<NamedGap> take();
    /// Those long enough, whether listed or not.
    [[nodiscard]] std::uint64_t count() const { return m_count; }

private:
    std::int32_t m_gpu;
    std::size_t m_most;
    std::uint64_t m_count = 0;
    std::vector<NamedGap> m_heap;  ///< the shortest in front
};

/// Finds for each of them, all of one GPU, the slice of the launching thread that overlaps the host
/// part most. Asked are the thread's outermost slices: operators, Python functions, annotations,
/// API calls; steps, and what surrounds the whole window, are passed over for what is inside.
void nameHostActivities(const trace::Trace& trace, TimeSpan window, const std::vector<Step>& steps,
                        std::vector<NamedGap>& gaps);

/// The idle gaps of all GPUs.
struct IdleList {
    std::vector<NamedGap> gaps;  ///< by GPU, then by start
    std::uint64_t count = 0;     ///< of kMinGapNs and longer: those in `gaps` and more
    IdleTime sum;                ///< of all gaps of all GPUs, also of shorter ones
};

/// At most `most` gaps of each GPU in the window. Fails when the window names a step that is not
/// there or lies outside of the trace, and when it is stopped.
[[nodiscard]] Result<IdleList> listIdleGaps(const trace::Trace& trace, const WindowChoice& window,
                                            std::size_t most, const std::stop_token& stop = {});

}  // namespace kinetoscope::analysis
