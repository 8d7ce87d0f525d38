// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/Result.h"
#include "core/bench/results/BenchResult.h"

namespace kinetoscope::bench::run {

enum class BenchMethod : std::uint8_t {
    EventCold,   ///< events around one launch, L2 flushed, the queue filled behind a blocked stream
    EventBatch,  ///< events around many launches, caches as they are
    GraphCold,   ///< as EventCold, but the launch is that of a CUDA graph
    CuptiCold,   ///< as EventCold, but the time is the kernel's own as CUPTI records it
    DoBench,     ///< as Triton's do_bench: 256 MiB flushed, arguments never restored
    Benchmarker,  ///< as newer Inductor's benchmarker: at most 100 launches, of which the fastest
                  ///< counts
};

[[nodiscard]] std::string_view benchMethodName(BenchMethod method);
/// The method of a name such as "event-cold"; nothing for an unknown one.
[[nodiscard]] std::optional<BenchMethod> benchMethod(std::string_view name);

/// "event-cold, event-batch, … or benchmarker".
[[nodiscard]] std::string benchMethodNames();

/// The queue of one GPU with the configurations of one kernel loaded. Calls only queue work; errors
/// show at wait(). Slots count from 0 and may be used again after wait().
class BenchQueue {
public:
    BenchQueue() = default;
    BenchQueue(const BenchQueue&) = delete;
    BenchQueue& operator=(const BenchQueue&) = delete;
    virtual ~BenchQueue() = default;

    /// Nothing queued from here on starts before release(). Queue at most queueDepth() operations
    /// in between.
    virtual void block() = 0;
    virtual void release() = 0;
    [[nodiscard]] virtual std::size_t queueDepth() const = 0;
    /// Gives changed arguments their first content again.
    virtual void restore() = 0;
    /// Operations that restore() queues.
    [[nodiscard]] virtual std::size_t restoreOperations() const = 0;
    /// Writes `bytes` of other memory, so that the L2 cache holds nothing of the kernel's; 0: as
    /// many as the L2 cache has.
    virtual void flush(std::size_t bytes) = 0;
    virtual void launch(std::size_t config) = 0;
    virtual void launchGraph(std::size_t config) = 0;
    virtual void mark(std::size_t slot) = 0;
    virtual void markClock(std::size_t slot) = 0;
    /// Until all is done. Fails with the first error since the last wait.
    [[nodiscard]] virtual Result<void> wait() = 0;
    /// Between two marks, after wait().
    [[nodiscard]] virtual double elapsedNs(std::size_t from, std::size_t to) = 0;
    /// Records the kernels that launch() starts from here on.
    [[nodiscard]] virtual Result<void> recordKernels() = 0;
    /// Their durations since the last call, in order, after wait(); `expected` were launched.
    [[nodiscard]] virtual std::vector<double> kernelTimesNs(std::size_t expected) = 0;
    /// SM clock between two clock marks in MHz, after wait(); 0 when it is not known.
    [[nodiscard]] virtual double clockMhz(std::size_t from, std::size_t to) = 0;
    /// Puts arguments and code to other addresses, as another process would have them; false where
    /// they had to stay. When nothing is queued. Fails when the GPU cannot be used any more.
    [[nodiscard]] virtual Result<bool> move() { return false; }
};

struct MeasureOptions {
    BenchMethod method = BenchMethod::CuptiCold;
    std::size_t minSamples = 32;
    std::size_t maxSamples = 4000;
    double maxWidth = 0.005;      ///< stop when the median's interval is narrower than this part
    double timeLimitS = 3.0;      ///< per configuration
    double expectedClockMhz = 0;  ///< 0: throttling is not watched
    double throttleBelow = 0.75;  ///< of the expected clock
    std::function<double()> now;  ///< seconds; empty: the steady clock
    std::size_t placements = 8;   ///< in memory, at least, unless the time limit comes first
    std::uint64_t seed = 0;       ///< of the order in which configurations take their turns
};

/// Samples of each configuration, in the order taken.
using ConfigSamples = std::vector<std::vector<results::BenchSample>>;

/// Measures `configs` configurations in turns whose order changes, so that clocks and temperature
/// hit all alike, and moves them in memory between parts of the samples.
/// Fails with the queue's first error.
[[nodiscard]] Result<ConfigSamples> measureConfigs(BenchQueue& queue, std::size_t configs,
                                                   const MeasureOptions& options);

}  // namespace kinetoscope::bench::run
