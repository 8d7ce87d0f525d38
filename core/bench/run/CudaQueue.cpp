// SPDX-License-Identifier: Apache-2.0
#include "core/bench/run/CudaQueue.h"

#include <algorithm>

#include "core/bench/run/KernelTimes.h"

namespace kinetoscope::bench::run {

using namespace cuda;

namespace {

// Drivers hold about a thousand operations of a stream; a blocked stream must take all of them.
constexpr std::size_t kDepth = 400;
}  // namespace

Result<std::unique_ptr<CudaQueue>> CudaQueue::load(CudaGpu& gpu, const plan::KernelPlan& plan) {
    std::unique_ptr<CudaQueue> queue(new CudaQueue(gpu, plan));
    if (const auto ready = queue->prepare(); !ready) {
        return tl::unexpected(ready.error());
    }
    return queue;
}

CudaQueue::~CudaQueue() {
    const cuda::Driver& driver = m_gpu.driver();
    driver.cuStreamSynchronize(m_gpu.stream());
    unload(m_configs);
    if (m_clockModule != nullptr) {
        driver.cuModuleUnload(m_clockModule);
    }
    for (const cuda::Event event : m_events) {
        driver.cuEventDestroy_v2(event);
    }
    for (void* host : {static_cast<void*>(m_gate), static_cast<void*>(m_clocks)}) {
        if (host != nullptr) {
            driver.cuMemFreeHost(host);
        }
    }
}

void CudaQueue::unload(std::vector<Loaded>& configs) const {
    const cuda::Driver& driver = m_gpu.driver();
    for (Loaded& config : configs) {
        if (config.graph != nullptr) {
            driver.cuGraphExecDestroy(config.graph);
        }
        if (config.module != nullptr) {
            driver.cuModuleUnload(config.module);
        }
    }
    configs.clear();
}

void CudaQueue::keep(cuda::Status status, const char* what) {
    if (status != cuda::kSuccess && m_status == cuda::kSuccess) {
        m_status = status;
        m_failed = what;
    }
}

std::size_t CudaQueue::queueDepth() const {
    return kDepth;
}

void CudaQueue::block() {
    constexpr unsigned kAtLeast = 0;  // CU_STREAM_WAIT_VALUE_GEQ
    ++m_gateValue;
    keep(
        m_gpu.driver().cuStreamWaitValue32_v2(m_gpu.stream(), m_gateAddress, m_gateValue, kAtLeast),
        "blocking the stream");
}

void CudaQueue::release() {
    __atomic_store_n(m_gate, m_gateValue, __ATOMIC_RELEASE);
}

void CudaQueue::restore() {
    for (const Restored& restored : m_restored) {
        const auto bytes = static_cast<std::size_t>(m_plan.buffers[restored.buffer].bytes());
        keep(m_gpu.driver().cuMemcpyDtoDAsync_v2(m_buffers[restored.buffer].address(),
                                                 restored.copy.address(), bytes, m_gpu.stream()),
             "restoring the arguments");
    }
}

void CudaQueue::flush(std::size_t bytes) {
    bytes = bytes > 0 ? bytes : m_gpu.info().l2Bytes;
    if (bytes > m_flushedBytes) {
        auto memory = m_gpu.allocate(bytes);
        if (!memory) {
            keep(cuda::kOutOfMemory, "memory to flush the L2 cache with");
            return;
        }
        m_flushed = std::move(*memory);
        m_flushedBytes = bytes;
    }
    keep(m_gpu.driver().cuMemsetD32Async(m_flushed.address(), 0, bytes / 4, m_gpu.stream()),
         "flushing the L2 cache");
}

void CudaQueue::launch(std::size_t index) {
    Loaded& config = m_configs[index];
    if (config.launch.grid[0] == 0 || config.launch.grid[1] == 0 || config.launch.grid[2] == 0) {
        return;
    }
    std::vector<void*> pointers(config.values.size());
    std::transform(config.values.begin(), config.values.end(), pointers.begin(),
                   [](std::uint64_t& value) { return static_cast<void*>(&value); });
    keep(m_gpu.driver().cuLaunchKernelEx(&config.launch, config.function, pointers.data(), nullptr),
         "the launch");
}

cuda::Status CudaQueue::capture(Loaded& config) {
    constexpr int kRelaxed = 2;  // CU_STREAM_CAPTURE_MODE_RELAXED
    const cuda::Driver& driver = m_gpu.driver();
    cuda::Graph graph = nullptr;
    cuda::Status status = driver.cuStreamBeginCapture_v2(m_gpu.stream(), kRelaxed);
    if (status != cuda::kSuccess) {
        return status;
    }
    launch(static_cast<std::size_t>(&config - m_configs.data()));
    status = driver.cuStreamEndCapture(m_gpu.stream(), &graph);
    if (status == cuda::kSuccess) {
        status = driver.cuGraphInstantiateWithFlags(&config.graph, graph, 0);
        driver.cuGraphDestroy(graph);
    }
    return status;
}

void CudaQueue::launchGraph(std::size_t index) {
    Loaded& config = m_configs[index];
    if (config.graph == nullptr) {
        keep(capture(config), "capturing the launch");
    }
    if (config.graph != nullptr) {
        keep(m_gpu.driver().cuGraphLaunch(config.graph, m_gpu.stream()), "the graph's launch");
    }
}

void CudaQueue::mark(std::size_t slot) {
    while (m_events.size() <= slot) {
        cuda::Event event = nullptr;
        keep(m_gpu.driver().cuEventCreate(&event, 0), "an event");
        m_events.push_back(event);
    }
    keep(m_gpu.driver().cuEventRecord(m_events[slot], m_gpu.stream()), "an event");
}

void CudaQueue::markClock(std::size_t slot) {
    if (m_clockFunction == nullptr || slot >= kClockSlots) {
        return;
    }
    // One block per multiprocessor, so that one of them runs on multiprocessor 0.
    cuda::Address out = m_clocksAddress + slot * sizeof(ClockMark);
    void* parameters[] = {&out};
    cuda::LaunchConfig launch{{static_cast<unsigned>(m_gpu.info().multiprocessors), 1, 1},
                              {1, 1, 1},
                              0,
                              m_gpu.stream(),
                              nullptr,
                              0};
    m_clocks[slot] = {};
    keep(m_gpu.driver().cuLaunchKernelEx(&launch, m_clockFunction, parameters, nullptr),
         "the clock kernel");
}

Result<void> CudaQueue::wait() {
    const cuda::Status status = m_gpu.driver().cuStreamSynchronize(m_gpu.stream());
    keep(status, "the kernel");
    const cuda::Status first = std::exchange(m_status, cuda::kSuccess);
    return m_gpu.check(first, m_failed.c_str());
}

double CudaQueue::elapsedNs(std::size_t from, std::size_t to) {
    float milliseconds = 0.0F;
    m_gpu.driver().cuEventElapsedTime(&milliseconds, m_events[from], m_events[to]);
    return static_cast<double>(milliseconds) * 1e6;
}

Result<void> CudaQueue::recordKernels() {
    return KernelTimes::start();
}

std::vector<double> CudaQueue::kernelTimesNs(std::size_t expected) {
    return KernelTimes::take(expected);
}

double CudaQueue::clockMhz(std::size_t from, std::size_t to) {
    if (m_clockFunction == nullptr || from >= kClockSlots || to >= kClockSlots) {
        return 0.0;
    }
    const ClockMark& a = m_clocks[from];
    const ClockMark& b = m_clocks[to];
    // A slot that no block reached stays zero.
    if (a.nanoseconds == 0 || b.nanoseconds <= a.nanoseconds || b.cycles <= a.cycles) {
        return 0.0;
    }
    return static_cast<double>(b.cycles - a.cycles) * 1e3 /
           static_cast<double>(b.nanoseconds - a.nanoseconds);
}

Result<std::vector<std::byte>> CudaQueue::content(std::size_t buffer) {
    std::vector<std::byte> bytes(static_cast<std::size_t>(m_plan.buffers[buffer].bytes()));
    if (auto done = wait(); !done) {
        return tl::unexpected(done.error());
    }
    if (bytes.empty()) {
        return bytes;
    }
    const auto done = m_gpu.check(
        m_gpu.driver().cuMemcpyDtoH_v2(bytes.data(), m_buffers[buffer].address(), bytes.size()),
        "reading a result");
    if (!done) {
        return tl::unexpected(done.error());
    }
    return bytes;
}

}  // namespace kinetoscope::bench::run
