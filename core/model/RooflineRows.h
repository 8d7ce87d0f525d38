// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/model/DeviceRoofs.h"
#include "core/model/Gpus.h"
#include "core/model/LaunchedCalls.h"

namespace kinetoscope::model {

/// What bounds a call.
enum class Bound : std::uint8_t {
    Compute,  ///< its operations take longer than its bytes
    Memory,   ///< the other way round
    Latency,  ///< shorter than 5 µs, and below half of either roof
    Link,     ///< what it waits for is not the GPU: a copy from the host, a collective
    Unknown,  ///< no roof of this GPU or type is known
};
[[nodiscard]] std::string_view boundName(Bound bound);

struct RooflineRow {
    std::string name;
    std::string shapes;  ///< "" where calls differ
    std::string types;   ///< "" where calls differ
    std::string peak;    ///< of which type the peak is: "bf16"; "" where calls differ
    std::uint64_t count = 0;
    TimeNs timeNs = 0;            ///< union of the GPU operations of each call, added up
    std::uint64_t bytesOnly = 0;  ///< calls whose operations are unknown
    std::uint64_t flops = 0;      ///< of the others
    std::uint64_t countedFlops = 0;
    std::uint64_t bytes = 0;
    Bound bound = Bound::Unknown;
    double computeNs = 0.0;                    ///< operations at the peak
    double memoryNs = 0.0;                     ///< bytes at the bandwidth
    std::optional<double> efficiency;          ///< of the time at the roof; nothing without a roof
    std::optional<TimeNs> recoverableNs;       ///< of calls beyond that at the roof; as efficiency
    std::string note;                          ///< what to know before trusting the row
    trace::SliceId longest = trace::kNoSlice;  ///< the longest GPU operation
    // Of launches whose memory traffic was measured; only by kernel.
    std::uint64_t measuredCount = 0;
    TimeNs measuredNs = 0;
    std::uint64_t measuredBytes = 0;
    std::uint64_t measuredModelBytes = 0;  ///< `bytes` of the same launches
    std::string roof;  ///< its name, "NVIDIA H200, measured"; "" where calls differ

    /// Whether the operations of any call are known.
    [[nodiscard]] bool hasFlops() const { return bytesOnly < count || count == 0; }
    [[nodiscard]] double teraflopsPerSecond() const;
    [[nodiscard]] double gigabytesPerSecond() const;
    /// Operations for each byte; nothing without bytes or where the operations are unknown.
    [[nodiscard]] std::optional<double> intensity() const;
};

/// a + b; stays at the largest number instead of overflowing.
[[nodiscard]] constexpr std::uint64_t addWork(std::uint64_t a, std::uint64_t b) {
    std::uint64_t sum = 0;
    return __builtin_add_overflow(a, b, &sum) ? ~std::uint64_t{0} : sum;
}

/// Equal for calls of one operator with the same shapes (and types), whose texts may differ; by
/// number of LaunchedCalls::shapes.
[[nodiscard]] std::vector<std::uint32_t> sameShapes(const LaunchedCalls& calls, bool andTypes);

/// A call's share of one row.
struct CallPart {
    double share = 1.0;  ///< of its work
    TimeNs timeNs = 0;
    trace::SliceId longest = trace::kNoSlice;
    std::optional<double> measuredBytes = {};  ///< see measuredTraffic()
};

/// The whole of it.
[[nodiscard]] CallPart wholeCall(const trace::Trace& trace, const LaunchedCalls& calls,
                                 const LaunchedCall& call);
/// That of one of its operations: the kernels share the work in proportion to their time; copies
/// and memsets beside them have none of it.
class KernelParts {
public:
    KernelParts(const trace::Trace& trace, const LaunchedCalls& calls, const LaunchedCall& call);
    /// Of the operation at that place of LaunchedCalls::operations.
    [[nodiscard]] CallPart at(std::uint32_t place) const;

private:
    const trace::Trace& m_trace;
    const LaunchedCalls& m_calls;
    bool m_onlyKernels = false;  ///< there are some
    std::uint32_t m_count = 0;   ///< operations that share the work
    TimeNs m_sum = 0;            ///< of their times
};

/// How long a call would take at its roof: the longer of both.
struct RoofTime {
    double computeNs = 0.0;  ///< operations at the peak
    double memoryNs = 0.0;   ///< bytes at the bandwidth

    [[nodiscard]] double ns() const { return std::max(computeNs, memoryNs); }
};

/// Of a call whose work is known; nothing where no roof bounds it: a link does, or no peak of its
/// type is known. `roof` may be null.
[[nodiscard]] std::optional<RoofTime> timeAtRoof(const LaunchedCall& call, const Work& work,
                                                 const GpuRoof* roof);

/// The roof of each GPU that the calls ran on, by GPU.
[[nodiscard]] std::vector<DeviceRoof> roofsOf(const trace::Trace& trace, const LaunchedCalls& calls,
                                              std::span<const GpuRoof> measured = {});

/// Sums calls up to rows by any key.
class RooflineRows {
public:
    /// All outlive it.
    RooflineRows(const trace::Trace& trace, const LaunchedCalls& calls,
                 const std::vector<DeviceRoof>& roofs);

    /// Adds a call whose work is known to the row of the key, which is named after the first;
    /// gives the number of the row.
    std::uint32_t add(std::uint64_t key, std::string_view name, const LaunchedCall& call,
                      const CallPart& part);
    /// The rows by their numbers; none are left.
    [[nodiscard]] std::vector<RooflineRow> take();

private:
    /// A row while it is summed up.
    struct Sum {
        RooflineRow row;
        double roofNs = 0.0;              ///< of the calls that have a roof
        double recoverableNs = 0.0;       ///< of those
        std::array<TimeNs, 5> boundNs{};  ///< time of calls by what bounds them
        TimeNs roofedNs = 0;              ///< time of those
        std::uint64_t largestBytes = 0;   ///< of one call
        std::uint64_t cacheBytes = 0;
        bool generated = false;
        bool first = true;
    };

    void add(Sum& sum, const LaunchedCall& call, const CallPart& part);
    static void addBound(Sum& sum, Bound bound, TimeNs time);
    static void judge(Sum& sum);
    static std::string whyAbove(const Sum& sum);

    const trace::Trace& m_trace;
    const LaunchedCalls& m_calls;
    std::unordered_map<std::int32_t, const GpuRoof*> m_roofOf;
    std::unordered_map<std::uint64_t, std::uint32_t> m_places;
    std::vector<Sum> m_sums;
};

}  // namespace kinetoscope::model
