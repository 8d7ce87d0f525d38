// SPDX-License-Identifier: Apache-2.0
#include "core/import/ReadAhead.h"

#include <algorithm>
#include <cstring>

namespace kinetoscope {

namespace {

constexpr std::size_t kBlocks = 4;
constexpr std::size_t kBlockBytes = 1024 * 1024;

}  // namespace

ReadAhead::ReadAhead(TextSource& source) : m_source(source), m_blocks(kBlocks) {
    for (Block& block : m_blocks) {
        block.text = std::make_unique_for_overwrite<char[]>(kBlockBytes);
    }
    m_thread = std::jthread([this](const std::stop_token& stop) { work(stop); });
}

ReadAhead::~ReadAhead() {
    endReading();
}

void ReadAhead::endReading() const {
    m_thread.request_stop();
    if (m_thread.joinable()) {
        m_thread.join();
    }
}

void ReadAhead::work(const std::stop_token& stop) {
    std::unique_lock lock(m_mutex);
    while (m_changed.wait(lock, stop, [this] { return m_written < m_taken + m_blocks.size(); })) {
        Block& block = blockOf(m_written);
        lock.unlock();
        block.size = m_source.read(block.text.get(), kBlockBytes);
        block.filePosition = m_source.filePosition();
        lock.lock();
        m_ended = block.size == 0;
        m_written += m_ended ? 0 : 1;
        m_changed.notify_all();
        if (m_ended) {
            return;
        }
    }
    m_ended = true;
    m_changed.notify_all();
}

// Waits for text that has not been handed out; false when there is none any more.
bool ReadAhead::nextBlock() {
    std::unique_lock lock(m_mutex);
    m_changed.wait(lock, [this] { return m_taken < m_written || m_ended; });
    return m_taken < m_written;
}

std::size_t ReadAhead::read(char* to, std::size_t capacity) {
    if (!nextBlock()) {
        if (m_source.issue()) {
            setIssue(m_source.issue()->issue, m_source.issue()->example);
        }
        return 0;
    }
    const Block& block = blockOf(m_taken);
    const std::size_t count = std::min(capacity, block.size - m_position);
    std::memcpy(to, block.text.get() + m_position, count);
    m_position += count;
    if (m_position == block.size) {
        m_filePosition = block.filePosition;
        m_position = 0;
        const std::scoped_lock lock(m_mutex);
        ++m_taken;
        m_changed.notify_all();
    }
    return count;
}

std::shared_ptr<const EventText> ReadAhead::eventText() const {
    endReading();
    return m_source.eventText();
}

}  // namespace kinetoscope
