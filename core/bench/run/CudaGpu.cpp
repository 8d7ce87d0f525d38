// SPDX-License-Identifier: Apache-2.0
#include "core/bench/run/CudaGpu.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "core/stats/Statistics.h"
#include "core/text/Format.h"

namespace kinetoscope::bench::run {

using namespace cuda;

GpuMemory& GpuMemory::operator=(GpuMemory&& other) noexcept {
    std::swap(m_driver, other.m_driver);
    std::swap(m_address, other.m_address);
    return *this;
}

GpuMemory::~GpuMemory() {
    if (m_address != 0) {
        m_driver->cuMemFree_v2(m_address);
    }
}

Result<std::unique_ptr<CudaGpu>> CudaGpu::open(int index) {
    const auto driver = cuda::openDriver();
    if (!driver) {
        return tl::unexpected(driver.error());
    }
    std::unique_ptr<CudaGpu> gpu(new CudaGpu());
    gpu->m_driver = *driver;
    if (const auto started = gpu->start(index); !started) {
        return tl::unexpected(started.error());
    }
    return gpu;
}

CudaGpu::~CudaGpu() {
    if (m_stream != nullptr) {
        m_driver->cuStreamDestroy_v2(m_stream);
    }
    if (m_retained) {
        m_driver->cuDevicePrimaryCtxRelease_v2(m_device);
    }
}

Result<void> CudaGpu::check(cuda::Status status, const char* what) const {
    if (status == cuda::kSuccess) {
        return {};
    }
    return fail(fmt::format("{}: {}", what, m_driver->errorText(status)), ErrorKind::Output);
}

Result<void> CudaGpu::start(int index) {
    int count = 0;
    m_driver->cuDeviceGetCount(&count);
    if (index < 0 || index >= count) {
        return fail(fmt::format("there is no GPU {}; the driver shows {}", index, count));
    }
    if (auto done = check(m_driver->cuDeviceGet(&m_device, index), "the GPU"); !done) {
        return done;
    }
    cuda::Context context = nullptr;
    if (auto done = check(m_driver->cuDevicePrimaryCtxRetain(&context, m_device), "the GPU");
        !done) {
        return done;
    }
    m_retained = true;
    m_driver->cuCtxSetCurrent(context);
    constexpr unsigned kNonBlocking = 1;
    if (auto done = check(m_driver->cuStreamCreate(&m_stream, kNonBlocking), "a stream"); !done) {
        return done;
    }
    describe(m_device, index);
    return {};
}

void CudaGpu::describe(cuda::Device device, int index) {
    const auto attribute = [&](cuda::DeviceAttribute which) {
        int value = 0;
        m_driver->cuDeviceGetAttribute(&value, which, device);
        return value;
    };
    std::array<char, 256> name{};
    m_driver->cuDeviceGetName(name.data(), static_cast<int>(name.size() - 1), device);
    std::array<unsigned char, 16> id{};
    m_driver->cuDeviceGetUuid_v2(id.data(), device);
    m_info.index = index;
    m_info.name = name.data();
    m_info.uuid = "GPU-";
    for (std::size_t i = 0; i < id.size(); ++i) {
        m_info.uuid += (i == 4 || i == 6 || i == 8 || i == 10) ? "-" : "";
        m_info.uuid += fmt::format("{:02x}", id[i]);
    }
    m_info.computeMajor = attribute(cuda::kComputeMajor);
    m_info.computeMinor = attribute(cuda::kComputeMinor);
    m_info.multiprocessors = attribute(cuda::kMultiprocessors);
    m_info.threadsPerMultiprocessor = attribute(cuda::kThreadsPerMultiprocessor);
    m_info.sharedPerBlockOptIn = attribute(cuda::kSharedPerBlockOptIn);
    m_info.l2Bytes = static_cast<std::size_t>(attribute(cuda::kL2Bytes));
    std::size_t free = 0;
    m_driver->cuMemGetInfo_v2(&free, &m_info.memoryBytes);
    m_driver->cuDriverGetVersion(&m_info.driverApi);
    const cuda::NvmlState nvml = cuda::nvmlState(m_info.uuid);
    m_info.driverVersion = nvml.driverVersion;
    m_info.maxSmClockMhz =
        nvml.maxSmClockMhz > 0 ? nvml.maxSmClockMhz : attribute(cuda::kClockRateKhz) / 1000.0;
}

std::size_t CudaGpu::freeBytes() const {
    std::size_t free = 0;
    std::size_t total = 0;
    m_driver->cuMemGetInfo_v2(&free, &total);
    return free;
}

Result<GpuMemory> CudaGpu::allocate(std::size_t bytes) const {
    cuda::Address address = 0;
    const cuda::Status status = m_driver->cuMemAlloc_v2(&address, std::max<std::size_t>(bytes, 1));
    if (status == cuda::kOutOfMemory) {
        return fail(fmt::format("needs {} of GPU memory, {} are free", text::formatBytes(bytes),
                                text::formatBytes(freeBytes())));
    }
    if (auto done = check(status, "GPU memory"); !done) {
        return tl::unexpected(done.error());
    }
    return GpuMemory(m_driver, address);
}

Result<void> CudaGpu::wait() const {
    return check(m_driver->cuStreamSynchronize(m_stream), "the GPU");
}

Result<void> CudaGpu::measureCopy() {
    constexpr std::size_t kBytes = 512U << 20U;
    constexpr int kCopies = 11;
    const auto from = allocate(kBytes);
    const auto to = allocate(kBytes);
    if (!from || !to) {
        return {};
    }
    cuda::Event begin = nullptr;
    cuda::Event end = nullptr;
    m_driver->cuEventCreate(&begin, 0);
    m_driver->cuEventCreate(&end, 0);
    m_driver->cuMemsetD8Async(from->address(), 1, kBytes, m_stream);
    std::vector<float> milliseconds(kCopies);
    Result<void> done;
    for (int i = 0; i < kCopies && done; ++i) {
        m_driver->cuEventRecord(begin, m_stream);
        m_driver->cuMemcpyDtoDAsync_v2(to->address(), from->address(), kBytes, m_stream);
        m_driver->cuEventRecord(end, m_stream);
        done = wait();
        m_driver->cuEventElapsedTime(&milliseconds[static_cast<std::size_t>(i)], begin, end);
    }
    m_driver->cuEventDestroy_v2(begin);
    m_driver->cuEventDestroy_v2(end);
    const double median = stats::lowerMedian(milliseconds);
    if (done && median > 0.0) {
        m_info.copyGbPerS = 2.0 * static_cast<double>(kBytes) / (median * 1e6);
    }
    return done;
}

}  // namespace kinetoscope::bench::run
