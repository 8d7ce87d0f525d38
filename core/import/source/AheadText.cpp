// SPDX-License-Identifier: Apache-2.0
#include "core/import/source/AheadText.h"

#include <algorithm>
#include <cstring>

#include "core/base/Threads.h"

namespace kinetoscope::import::source {

AheadText::AheadText(TextSource& source, std::size_t blocks, std::size_t blockBytes,
                     std::stop_token stop)
    : m_source(source), m_blockBytes(blockBytes), m_stop(std::move(stop)), m_blocks(blocks) {
    for (Block& block : m_blocks) {
        block.text = std::make_unique_for_overwrite<char[]>(blockBytes);
    }
    m_thread = tryThread([this](const std::stop_token& end) { work(end); });
    if (!m_thread) {
        m_ended = true;  // a thread that runs sets it itself
    }
}

AheadText::~AheadText() {
    endReading();
}

void AheadText::endReading() {
    if (m_thread && m_thread->joinable()) {
        m_thread->request_stop();
        m_thread->join();
    }
}

// With the mutex held: whether there may be more text.
bool AheadText::hasRoom() {
    const bool begun = m_end % m_blockBytes != 0;
    return m_end / m_blockBytes < m_kept + m_blocks.size() &&
           (begun || blockAt(m_end).copying == 0);
}

void AheadText::work(const std::stop_token& end) noexcept {
    std::exception_ptr failure;
    try {
        readBlocks(end);
    } catch (...) {
        failure = std::current_exception();
    }
    const std::scoped_lock lock(m_mutex);
    m_failure = failure;
    m_ended = true;
    m_changed.notify_all();
}

void AheadText::readBlocks(const std::stop_token& end) {
    std::unique_lock lock(m_mutex);
    while (!m_stop.stop_requested() && m_changed.wait(lock, end, [this] { return hasRoom(); })) {
        Block& block = blockAt(m_end);
        const std::size_t filled = m_end % m_blockBytes;
        lock.unlock();
        const std::size_t got = m_source.read(block.text.get() + filled, m_blockBytes - filled);
        const std::uint64_t filePosition = m_source.filePosition();
        lock.lock();
        block.filePosition = filePosition;
        m_end += got;
        if (got == 0) {
            return;
        }
        m_changed.notify_all();
    }
}

std::size_t AheadText::copy(std::uint64_t offset, char* to, std::size_t capacity) {
    const std::uint64_t index = offset / m_blockBytes;
    std::unique_lock lock(m_mutex);
    m_changed.wait(lock,
                   [&] { return offset < m_end || m_ended || index >= m_kept + m_blocks.size(); });
    if (offset >= m_end && m_failure) {
        std::rethrow_exception(m_failure);
    }
    if (index < m_kept || offset >= m_end) {
        return 0;
    }
    Block& block = blockAt(offset);
    const std::size_t from = offset % m_blockBytes;
    const std::uint64_t there = std::min<std::uint64_t>(m_blockBytes - from, m_end - offset);
    const std::size_t count = std::min(capacity, static_cast<std::size_t>(there));
    ++block.copying;
    lock.unlock();
    std::memcpy(to, block.text.get() + from, count);
    lock.lock();
    --block.copying;
    m_changed.notify_all();
    return count;
}

void AheadText::keepFrom(std::uint64_t offset) {
    const std::uint64_t index = offset / m_blockBytes;
    const std::scoped_lock lock(m_mutex);
    // Who reads serially has read a little into what another thread reads next.
    m_kept = std::max(m_kept, index > 0 ? index - 1 : 0);
    m_changed.notify_all();
}

std::uint64_t AheadText::filePosition(std::uint64_t offset) {
    const std::scoped_lock lock(m_mutex);
    return blockAt(m_end == 0 ? 0 : std::min(offset, m_end - 1)).filePosition;
}

}  // namespace kinetoscope::import::source
