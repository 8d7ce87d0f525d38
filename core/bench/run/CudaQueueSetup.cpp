// SPDX-License-Identifier: Apache-2.0
// Set-up of a queue before its first launch: buffers, functions with their parameters, a clock.
#include <fmt/format.h>

#include <algorithm>

#include "core/bench/run/BufferFill.h"
#include "core/bench/run/CudaQueue.h"
#include "core/text/Format.h"

namespace kinetoscope::bench::run {

using namespace cuda;

namespace {

constexpr unsigned kMapped = 2;  // CU_MEMHOSTALLOC_DEVICEMAP

// Writes the cycle counter of multiprocessor 0 and the time in nanoseconds.
constexpr const char* kClockPtx = R"(.version 7.0
.target sm_60
.address_size 64
.visible .entry kinetoscope_clock(.param .u64 out)
{
    .reg .pred %p;
    .reg .u32 %r<2>;
    .reg .u64 %d<4>;
    mov.u32 %r1, %smid;
    setp.ne.u32 %p, %r1, 0;
    @%p ret;
    ld.param.u64 %d1, [out];
    mov.u64 %d2, %clock64;
    mov.u64 %d3, %globaltimer;
    st.global.u64 [%d1], %d2;
    st.global.u64 [%d1+8], %d3;
    ret;
}
)";

template <class T>
cuda::Address mappedAddress(const cuda::Driver& driver, T*& host, std::size_t bytes) {
    void* memory = nullptr;
    cuda::Address address = 0;
    if (driver.cuMemHostAlloc(&memory, bytes, kMapped) != cuda::kSuccess) {
        return 0;
    }
    host = static_cast<T*>(memory);
    driver.cuMemHostGetDevicePointer_v2(&address, memory, 0);
    return address;
}

}  // namespace

Result<void> CudaQueue::prepare() {
    const auto needed = static_cast<std::size_t>(m_plan.memoryBytes()) + m_gpu.info().l2Bytes;
    if (needed > m_gpu.freeBytes()) {
        return fail(fmt::format("needs {} of GPU memory, {} are free", text::formatBytes(needed),
                                text::formatBytes(m_gpu.freeBytes())));
    }
    if (auto done = prepareBuffers(); !done) {
        return done;
    }
    if (auto done = prepareConfigs(); !done) {
        return done;
    }
    m_gateAddress = mappedAddress(m_gpu.driver(), m_gate, sizeof(*m_gate));
    if (m_gateAddress == 0) {
        return fail("no host memory that the GPU can see", ErrorKind::Output);
    }
    *m_gate = 0;
    prepareClock();
    return m_gpu.wait();
}

Result<void> CudaQueue::prepareBuffers() {
    // Values repeat after this many, which no cache and no kernel notices.
    constexpr std::size_t kDistinct = 4U << 20U;
    const cuda::Driver& driver = m_gpu.driver();
    for (std::size_t i = 0; i < m_plan.buffers.size(); ++i) {
        const plan::BufferPlan& plan = m_plan.buffers[i];
        const auto bytes = static_cast<std::size_t>(plan.bytes());
        auto memory = m_gpu.allocate(bytes);
        if (!memory) {
            return tl::unexpected(memory.error());
        }
        const cuda::Address address = memory->address();
        m_buffers.push_back({std::move(*memory)});
        if (bytes == 0) {
            continue;
        }
        driver.cuMemsetD8Async(address, 0, bytes, m_gpu.stream());
        if (auto done = m_gpu.wait(); !done) {
            return done;
        }
        if (plan.random) {
            const auto distinct = std::min(static_cast<std::size_t>(plan.elements), kDistinct);
            const auto values =
                normalValues(plan.dtype, distinct, static_cast<std::size_t>(plan.itemBytes), i + 1);
            for (std::size_t at = 0; at < bytes; at += values.size()) {
                driver.cuMemcpyHtoD_v2(address + at, values.data(),
                                       std::min(values.size(), bytes - at));
            }
        }
        if (plan.mutated) {
            auto copy = m_gpu.allocate(bytes);
            if (!copy) {
                return tl::unexpected(copy.error());
            }
            driver.cuMemcpyDtoDAsync_v2(copy->address(), address, bytes, m_gpu.stream());
            m_restored.push_back({i, std::move(*copy)});
        }
    }
    return m_gpu.wait();
}

Result<void> CudaQueue::prepareConfigs() {
    m_configs.reserve(m_plan.configs.size());
    for (const plan::ConfigPlan& config : m_plan.configs) {
        if (auto done = prepareConfig(config); !done) {
            return done;
        }
    }
    return {};
}

Result<void> CudaQueue::loadFunction(const plan::ConfigPlan& config, Loaded& loaded) {
    const cuda::Driver& driver = m_gpu.driver();
    const auto major = static_cast<int>(config.entry.architecture / 10);
    if (major != m_gpu.info().computeMajor) {
        return fail(fmt::format("it was compiled for sm_{}, the GPU is sm_{}{}",
                                config.entry.architecture, m_gpu.info().computeMajor,
                                m_gpu.info().computeMinor));
    }
    if (auto done =
            m_gpu.check(driver.cuModuleLoadData(&loaded.module, config.entry.cubinBytes.data()),
                        "the cubin does not load");
        !done) {
        return done;
    }
    return m_gpu.check(
        driver.cuModuleGetFunction(&loaded.function, loaded.module, config.entry.name.c_str()),
        "the cubin has no such kernel");
}

Result<void> CudaQueue::prepareConfig(const plan::ConfigPlan& config) {
    const cuda::Driver& driver = m_gpu.driver();
    Loaded& loaded = m_configs.emplace_back();
    if (auto done = loadFunction(config, loaded); !done) {
        return done;
    }
    const auto attribute = [&](cuda::FunctionAttribute which) {
        int value = 0;
        driver.cuFuncGetAttribute(&value, which, loaded.function);
        return value;
    };
    if (static_cast<int>(config.threads) > attribute(cuda::kMaxThreadsPerBlock)) {
        return fail(fmt::format("{} threads a block are more than the {} that fit", config.threads,
                                attribute(cuda::kMaxThreadsPerBlock)));
    }
    constexpr std::uint32_t kWithoutOptIn = 48U << 10U;
    const int room = m_gpu.info().sharedPerBlockOptIn - attribute(cuda::kStaticSharedBytes);
    if (static_cast<std::int64_t>(config.entry.sharedBytes) > room) {
        return fail(fmt::format("{} bytes of shared memory are more than the {} of the GPU",
                                config.entry.sharedBytes, room));
    }
    if (config.entry.sharedBytes > kWithoutOptIn) {
        driver.cuFuncSetAttribute(loaded.function, cuda::kMaxDynamicSharedBytes, room);
    }
    if (config.entry.numCtas > 8) {
        driver.cuFuncSetAttribute(loaded.function, cuda::kNonPortableCluster, 1);
    }
    int blocks = 0;
    driver.cuOccupancyMaxActiveBlocksPerMultiprocessor(
        &blocks, loaded.function, static_cast<int>(config.threads), config.entry.sharedBytes);
    m_loaded.push_back({attribute(cuda::kRegisters), attribute(cuda::kLocalBytes) / 4,
                        static_cast<double>(blocks) * config.threads /
                            std::max(m_gpu.info().threadsPerMultiprocessor, 1),
                        config.entry.sharedBytes});
    if (auto done = setParameters(config, loaded); !done) {
        return done;
    }
    setAttributes(config, loaded);
    return {};
}

Result<void> CudaQueue::setParameters(const plan::ConfigPlan& config, Loaded& loaded) {
    for (const plan::ParameterPlan& parameter : config.parameters) {
        if (parameter.kind == plan::ParameterPlan::Kind::Buffer) {
            loaded.values.push_back(m_buffers[parameter.buffer].address());
        } else if (parameter.kind == plan::ParameterPlan::Kind::GlobalScratch) {
            const double blocks = static_cast<double>(config.grid[0]) *
                                  static_cast<double>(config.grid[1]) *
                                  static_cast<double>(config.grid[2]) * config.entry.numCtas;
            const double bytes = blocks * static_cast<double>(config.entry.globalScratchBytes);
            if (bytes > static_cast<double>(m_gpu.freeBytes())) {
                return fail("its scratch memory is larger than what the GPU has free");
            }
            auto scratch = m_gpu.allocate(static_cast<std::size_t>(bytes));
            if (!scratch) {
                return tl::unexpected(scratch.error());
            }
            loaded.scratch = std::move(*scratch);
            loaded.values.push_back(loaded.scratch.address());
        } else {
            loaded.values.push_back(parameter.value);
        }
    }
    return {};
}

void CudaQueue::setAttributes(const plan::ConfigPlan& config, Loaded& loaded) const {
    const auto add = [&](cuda::LaunchAttributeId id, int number) -> cuda::LaunchAttribute& {
        cuda::LaunchAttribute& attribute = loaded.attributes.emplace_back();
        attribute = {};
        attribute.id = id;
        attribute.value.number = number;
        return attribute;
    };
    const plan::TritonEntry& entry = config.entry;
    if (entry.numCtas > 1) {
        constexpr int kSpread = 1;
        cuda::LaunchAttribute& cluster = add(cuda::kClusterDimension, 0);
        cluster.value.dims[0] = static_cast<unsigned>(entry.numCtas);
        cluster.value.dims[1] = 1;
        cluster.value.dims[2] = 1;
        add(cuda::kClusterScheduling, kSpread);
    }
    if (entry.cooperative) {
        add(cuda::kCooperative, 1);
    }
    if (entry.programmaticLaunch) {
        add(cuda::kProgrammaticSerialization, 1);
    }
    // Clusters of older versions stand in cluster_dims, of newer ones in num_ctas alone.
    const bool dims = entry.clusterDims != std::array<std::int64_t, 3>{1, 1, 1};
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const std::int64_t ctas = axis == 0 && !dims ? entry.numCtas : entry.clusterDims[axis];
        loaded.launch.grid[axis] = static_cast<unsigned>(config.grid[axis] * ctas);
        loaded.launch.block[axis] = axis == 0 ? config.threads : 1;
    }
    loaded.launch.sharedBytes = entry.sharedBytes;
    loaded.launch.stream = m_gpu.stream();
    loaded.launch.attributes = loaded.attributes.empty() ? nullptr : loaded.attributes.data();
    loaded.launch.attributeCount = static_cast<unsigned>(loaded.attributes.size());
}

// Without it clocks are simply not known.
void CudaQueue::prepareClock() {
    const cuda::Driver& driver = m_gpu.driver();
    const bool loaded = driver.cuModuleLoadData(&m_clockModule, kClockPtx) == cuda::kSuccess &&
                        driver.cuModuleGetFunction(&m_clockFunction, m_clockModule,
                                                   "kinetoscope_clock") == cuda::kSuccess;
    m_clocksAddress = loaded ? mappedAddress(driver, m_clocks, kClockSlots * sizeof(ClockMark)) : 0;
    if (m_clocksAddress == 0) {
        m_clockFunction = nullptr;
    }
    // Whatever the driver does at a first launch must not happen behind a blocked stream.
    markClock(0);
}

}  // namespace kinetoscope::bench::run
