// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "core/bench/run/CudaApi.h"

namespace kinetoscope::bench::run {

struct GpuInfo {
    int index = 0;
    std::string name;
    std::string uuid;
    int computeMajor = 0;
    int computeMinor = 0;
    int multiprocessors = 0;
    int threadsPerMultiprocessor = 0;
    int sharedPerBlockOptIn = 0;  ///< bytes
    std::size_t l2Bytes = 0;
    std::size_t memoryBytes = 0;
    int driverApi = 0;          ///< 13000 for CUDA 13.0
    std::string driverVersion;  ///< empty when it is not known
    double maxSmClockMhz = 0.0;
    double copyGbPerS = 0.0;  ///< measured; bytes read and written by a copy on the GPU
};

/// Memory on a GPU; freed with its owner.
class GpuMemory {
public:
    GpuMemory() = default;
    GpuMemory(const cuda::Driver* driver, cuda::Address address)
        : m_driver(driver), m_address(address) {}
    GpuMemory(GpuMemory&& other) noexcept
        : m_driver(other.m_driver), m_address(std::exchange(other.m_address, 0)) {}
    GpuMemory& operator=(GpuMemory&& other) noexcept;
    GpuMemory(const GpuMemory&) = delete;
    GpuMemory& operator=(const GpuMemory&) = delete;
    ~GpuMemory();

    [[nodiscard]] cuda::Address address() const { return m_address; }

private:
    const cuda::Driver* m_driver = nullptr;
    cuda::Address m_address = 0;
};

/// One GPU, its context and one stream; for one thread.
class CudaGpu {
public:
    /// Fails with what is missing.
    [[nodiscard]] static Result<std::unique_ptr<CudaGpu>> open(int index);
    CudaGpu(const CudaGpu&) = delete;
    CudaGpu& operator=(const CudaGpu&) = delete;
    ~CudaGpu();

    [[nodiscard]] const GpuInfo& info() const { return m_info; }
    [[nodiscard]] const cuda::Driver& driver() const { return *m_driver; }
    [[nodiscard]] cuda::Stream stream() const { return m_stream; }

    [[nodiscard]] std::size_t freeBytes() const;
    /// Fails when there is not so much free.
    [[nodiscard]] Result<GpuMemory> allocate(std::size_t bytes) const;
    /// Waits for the stream.
    [[nodiscard]] Result<void> wait() const;
    /// Turns a status into a result; `what` begins the message.
    [[nodiscard]] Result<void> check(cuda::Status status, const char* what) const;
    /// Fills info().copyGbPerS; leaves 0 if there is no memory for it.
    [[nodiscard]] Result<void> measureCopy();

private:
    CudaGpu() = default;
    [[nodiscard]] Result<void> start(int index);
    void describe(cuda::Device device, int index);

    const cuda::Driver* m_driver = nullptr;
    cuda::Device m_device = 0;
    bool m_retained = false;
    cuda::Stream m_stream = nullptr;
    GpuInfo m_info;
};

}  // namespace kinetoscope::bench::run
