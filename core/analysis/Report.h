// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/analysis/Window.h"
#include "core/base/Result.h"
#include "core/base/Time.h"
#include "core/trace/Trace.h"

namespace kinetoscope {

/// What the rows of Report::categories stand for.
enum class GroupBy : std::uint8_t { Inductor, Family, Operator, Stream };

struct ReportOptions {
    WindowChoice window;
    GroupBy group = GroupBy::Inductor;
    std::stop_token stop = {};  ///< ends with ErrorKind::Cancelled before the next step
};

/// The four parts sum to the window exactly.
struct Breakdown {
    TimeNs computeNs = 0;
    TimeNs exposedCommNs = 0;
    TimeNs exposedCopyNs = 0;
    TimeNs idleNs = 0;
};

/// Matrix multiplications and convolutions; layout conversions of their operators are apart.
struct MmConvTime {
    TimeNs unionNs = 0;
    TimeNs operatorNs = 0;  ///< sum of durations, decided by the launching operator
    TimeNs nameNs = 0;      ///< sum of durations, decided by the kernel's name
    TimeNs layoutNs = 0;    ///< sum of durations
};

struct OperationCounts {
    std::uint64_t kernel = 0;
    std::uint64_t memcpy = 0;
    std::uint64_t memset = 0;
};

/// Why there was nothing to do between the operations of a stream, see analysis/IdleGaps.
struct IdleReasons {
    TimeNs hostWaitNs = 0;
    TimeNs kernelWaitNs = 0;
    TimeNs otherNs = 0;
    TimeNs overheadNs = 0;     ///< profiler overhead inside gaps, taken out first
    TimeNs insideGraphNs = 0;  ///< gaps inside one graph launch, taken out next
};

/// One stream of a GPU.
struct StreamReport {
    std::int64_t stream = 0;
    std::uint64_t operations = 0;  ///< that start in the window
    TimeNs busyNs = 0;             ///< union, clipped to the window
    IdleReasons idle;
};

/// Launch delay = GPU start - API end, signed. Graph launches (1:N) are only counted.
struct LaunchStats {
    std::uint64_t linked = 0;
    std::uint64_t unlinked = 0;         ///< GPU operations without an API call
    std::uint64_t graphOperations = 0;  ///< linked ones of graph launches; they have no delay
    std::uint64_t beforeApiStart = 0;   ///< linked ones that start before their call: clock skew
    std::uint64_t negativeDelay = 0;
    double medianDelayNs = 0.0;  ///< 0 without any delay
    TimeNs maxDelayNs = 0;       ///< 0 without any delay
};

struct GpuReport {
    std::int32_t gpu = 0;
    std::string name;  ///< from deviceProperties; empty when the file does not tell
    TimeSpan window;
    TimeNs busyNs = 0;
    TimeNs kernelBusyNs = 0;
    TimeNs kernelTimeSumNs = 0;
    MmConvTime mmConv;
    Breakdown breakdown;
    OperationCounts operations;
    IdleReasons idle;                   ///< sum over the streams; gaps of two streams may overlap
    std::vector<StreamReport> streams;  ///< by number
    LaunchStats launches;
};

struct CategoryRow {
    std::string name;
    TimeNs totalNs = 0;
    std::uint64_t count = 0;
    double percentOfSum = 0.0;
};

/// All launches of one kernel name on one GPU. Times in nanoseconds.
struct KernelRow {
    std::int32_t gpu = 0;
    NameId name = kEmptyName;
    std::string shortName;
    std::string category;  ///< Inductor category
    std::string family;
    bool mmConv = false;  ///< any of its launches counts as mm/conv
    std::uint64_t count = 0;
    TimeNs totalNs = 0;
    double meanNs = 0.0;
    double medianNs = 0.0;
    TimeNs minNs = 0;
    TimeNs maxNs = 0;
    double stdNs = 0.0;  ///< n - 1; 0 for a single launch
    // The most frequent launch shape; the first one seen wins a tie.
    std::array<std::uint32_t, 3> grid{};
    std::array<std::uint16_t, 3> block{};
    std::uint16_t registers = 0;
    std::uint32_t sharedBytes = 0;
    std::int16_t occupancyPercent = -1;
    std::uint64_t shapes = 0;  ///< distinct (grid, block, registers, shared memory)
};

struct StepGpu {
    std::int32_t gpu = 0;
    TimeNs busyNs = 0;
};

struct Step {
    std::string name;
    std::int64_t number = 0;
    TimeSpan span;              ///< to the later of the CPU span's end and its GPU work's end
    TimeNs cpuEndNs = 0;        ///< end of the CPU span alone
    TimeNs busyNs = 0;          ///< union of GPU operations of all GPUs inside the span
    std::uint64_t kernels = 0;  ///< launched inside
    std::vector<StepGpu> gpus;
};

struct Report {
    std::vector<GpuReport> gpus;  ///< by GPU number
    GroupBy group = GroupBy::Inductor;
    std::vector<CategoryRow> categories;  ///< largest first
    std::vector<KernelRow> kernels;       ///< largest total first
    std::vector<Step> steps;              ///< by start
};

/// Everything `kscope report` and the summary show. Fails when the window names a step that is
/// not there or lies outside of the trace, and when it is stopped. A trace without GPU work gives a
/// report without GPUs.
[[nodiscard]] Result<Report> makeReport(const Trace& trace, const ReportOptions& options = {});

}  // namespace kinetoscope
