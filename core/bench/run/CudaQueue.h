// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <random>
#include <vector>

#include "core/bench/plan/KernelPlan.h"
#include "core/bench/run/CudaGpu.h"
#include "core/bench/run/Measure.h"

namespace kinetoscope::bench::run {

/// Properties of a loaded configuration, as the driver reports them.
struct LoadedConfig {
    int registers = 0;
    int spills = 0;          ///< 32-bit words of local memory per thread
    double occupancy = 0.0;  ///< resident threads of the most a multiprocessor holds, 0 to 1
    std::size_t sharedBytes = 0;
};

/// One kernel on a GPU: its arguments in memory and its configurations loaded.
class CudaQueue final : public BenchQueue {
public:
    /// Allocates and fills the arguments and loads every configuration. Fails in one line.
    [[nodiscard]] static Result<std::unique_ptr<CudaQueue>> load(CudaGpu& gpu,
                                                                 const plan::KernelPlan& plan);
    ~CudaQueue() override;

    [[nodiscard]] const std::vector<LoadedConfig>& configs() const { return m_loaded; }
    /// Content of a buffer, its whole storage. Waits for the stream.
    [[nodiscard]] Result<std::vector<std::byte>> content(std::size_t buffer);

    void block() override;
    void release() override;
    [[nodiscard]] std::size_t queueDepth() const override;
    void restore() override;
    [[nodiscard]] std::size_t restoreOperations() const override { return m_restored.size(); }
    void flush(std::size_t bytes) override;
    void launch(std::size_t config) override;
    void launchGraph(std::size_t config) override;
    void mark(std::size_t slot) override;
    void markClock(std::size_t slot) override;
    [[nodiscard]] Result<void> wait() override;
    [[nodiscard]] double elapsedNs(std::size_t from, std::size_t to) override;
    [[nodiscard]] Result<void> recordKernels() override;
    [[nodiscard]] std::vector<double> kernelTimesNs(std::size_t expected) override;
    [[nodiscard]] double clockMhz(std::size_t from, std::size_t to) override;
    [[nodiscard]] Result<bool> move() override;

private:
    /// Memory in use from an offset on.
    struct Buffer {
        GpuMemory memory;
        std::size_t offset = 0;

        [[nodiscard]] cuda::Address address() const { return memory.address() + offset; }
    };
    struct Loaded {
        cuda::Module module = nullptr;
        cuda::Function function = nullptr;
        cuda::GraphExec graph = nullptr;
        GpuMemory scratch;
        std::vector<std::uint64_t> values;  ///< of the parameters, in order
        std::vector<cuda::LaunchAttribute> attributes;
        cuda::LaunchConfig launch{};
    };
    struct Restored {
        std::size_t buffer;
        GpuMemory copy;
    };
    static constexpr std::size_t kClockSlots = 256;
    struct ClockMark {
        std::uint64_t cycles;
        std::uint64_t nanoseconds;
    };

    CudaQueue(CudaGpu& gpu, const plan::KernelPlan& plan) : m_gpu(gpu), m_plan(plan) {}
    [[nodiscard]] Result<void> prepare();
    [[nodiscard]] Result<void> prepareBuffers();
    [[nodiscard]] Result<void> prepareConfigs();
    [[nodiscard]] bool hasRoomToMove();
    [[nodiscard]] Result<std::vector<Buffer>> copiedBuffers();
    void unload(std::vector<Loaded>& configs) const;
    [[nodiscard]] Result<void> prepareConfig(const plan::ConfigPlan& config);
    [[nodiscard]] Result<void> loadFunction(const plan::ConfigPlan& config, Loaded& loaded);
    [[nodiscard]] Result<void> setParameters(const plan::ConfigPlan& config, Loaded& loaded);
    void setAttributes(const plan::ConfigPlan& config, Loaded& loaded) const;
    void prepareClock();
    [[nodiscard]] cuda::Status capture(Loaded& loaded);
    void keep(cuda::Status status, const char* what);

    CudaGpu& m_gpu;
    const plan::KernelPlan& m_plan;
    std::vector<Buffer> m_buffers;
    std::vector<Restored> m_restored;
    std::vector<Loaded> m_configs;
    std::vector<LoadedConfig> m_loaded;
    std::vector<cuda::Event> m_events;
    GpuMemory m_flushed;
    std::size_t m_flushedBytes = 0;
    std::uint32_t* m_gate = nullptr;  ///< host memory that block() lets the stream wait for
    cuda::Address m_gateAddress = 0;
    std::uint32_t m_gateValue = 0;
    cuda::Module m_clockModule = nullptr;
    cuda::Function m_clockFunction = nullptr;
    ClockMark* m_clocks = nullptr;  ///< host memory that the clock kernel writes
    cuda::Address m_clocksAddress = 0;
    cuda::Status m_status = cuda::kSuccess;
    std::string m_failed;           ///< what m_status came from
    std::vector<GpuMemory> m_left;  ///< earlier places, which so are not given out again
    std::size_t m_leftBytes = 0;
    std::mt19937_64 m_random{std::random_device{}()};
};

}  // namespace kinetoscope::bench::run
