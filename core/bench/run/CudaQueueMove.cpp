// SPDX-License-Identifier: Apache-2.0
// Other places in memory for a queue's arguments and code. How long a kernel takes depends on them,
// and they differ between processes.
#include <algorithm>
#include <numeric>
#include <utility>

#include "core/bench/run/CudaQueue.h"

namespace kinetoscope::bench::run {

namespace {

// The driver gives out memory in pieces of this size.
constexpr std::size_t kPiece = 2U << 20U;
constexpr std::size_t kMaxPieces = 16;
// PyTorch's allocator aligns by as much.
constexpr std::size_t kAlignment = 512;
constexpr std::size_t kMaxOffset = 128 * kAlignment;

}  // namespace

// Memory left behind stays allocated, or buffers would only swap between two places, but it never
// fills more than a quarter of the GPU.
bool CudaQueue::hasRoomToMove() {
    const std::size_t padding = m_buffers.size() * kMaxOffset + kMaxPieces * kPiece;
    const auto needed =
        static_cast<std::size_t>(m_plan.memoryBytes()) + m_gpu.info().l2Bytes + padding;
    m_leftBytes += needed;
    if (m_leftBytes > m_gpu.info().memoryBytes / 4 || 2 * needed > m_gpu.freeBytes()) {
        m_left.clear();
        m_leftBytes = needed;
    }
    return 2 * needed <= m_gpu.freeBytes();
}

Result<std::vector<CudaQueue::Buffer>> CudaQueue::copiedBuffers() {
    const auto upTo = [this](std::size_t most) {
        return std::uniform_int_distribution<std::size_t>(0, most)(m_random);
    };
    auto padding = m_gpu.allocate((1 + upTo(kMaxPieces - 1)) * kPiece);
    if (!padding) {
        return tl::unexpected(padding.error());
    }
    m_left.push_back(std::move(*padding));
    std::vector<Buffer> buffers(m_buffers.size());
    std::vector<std::size_t> order(buffers.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::shuffle(order, m_random);
    for (const std::size_t i : order) {
        const auto bytes = static_cast<std::size_t>(m_plan.buffers[i].bytes());
        const std::size_t offset = kAlignment * upTo(kMaxOffset / kAlignment);
        auto memory = m_gpu.allocate(bytes + offset);
        if (!memory) {
            return tl::unexpected(memory.error());
        }
        buffers[i] = {std::move(*memory), offset};
        if (bytes > 0) {
            keep(m_gpu.driver().cuMemcpyDtoDAsync_v2(buffers[i].address(), m_buffers[i].address(),
                                                     bytes, m_gpu.stream()),
                 "moving the arguments");
        }
    }
    return buffers;
}

Result<bool> CudaQueue::move() {
    if (!hasRoomToMove()) {
        return false;
    }
    auto buffers = copiedBuffers();
    if (auto done = wait(); !done) {
        return tl::unexpected(done.error());
    }
    if (!buffers) {
        return false;
    }
    std::swap(m_buffers, *buffers);
    std::vector<Loaded> configs = std::exchange(m_configs, {});
    std::vector<LoadedConfig> loaded = std::exchange(m_loaded, {});
    const bool isLoaded = prepareConfigs().has_value();
    if (!isLoaded) {
        std::swap(m_buffers, *buffers);
        std::swap(m_configs, configs);
        m_loaded = std::move(loaded);
    }
    unload(configs);
    for (Buffer& old : *buffers) {
        m_left.push_back(std::move(old.memory));
    }
    m_left.push_back(std::exchange(m_flushed, {}));
    m_flushedBytes = 0;
    auto done = m_gpu.wait();
    return done ? Result<bool>(isLoaded) : tl::unexpected(done.error());
}

}  // namespace kinetoscope::bench::run
