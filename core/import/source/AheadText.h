// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <exception>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>
#include <vector>

#include "core/import/source/TextSource.h"

namespace kinetoscope::import::source {

/// A stretch of a text that can only be read from its beginning: a thread of its own reads (and
/// decompresses) some megabytes ahead, and any number of threads copy from them.
class AheadText {
public:
    /// Has `blocks` blocks of `blockBytes`. `source` must outlive this and must not be used by
    /// anything else meanwhile. Text ends when a stop is requested.
    AheadText(TextSource& source, std::size_t blocks, std::size_t blockBytes, std::stop_token stop);
    /// False where the system starts no thread: nothing was read of the source, and nothing will
    /// be.
    [[nodiscard]] bool isReading() const { return m_thread.has_value(); }
    AheadText(const AheadText&) = delete;
    AheadText& operator=(const AheadText&) = delete;
    ~AheadText();

    /// Bytes of text at `offset`, up to the end of a block. Waits for text that is still to come
    /// and has room; 0 behind the end, for what was given up, and for what lies so far ahead that
    /// keepFrom() must come first. Throws what ended the reading early.
    [[nodiscard]] std::size_t copy(std::uint64_t offset, char* to, std::size_t capacity);
    /// Gives up what is more than a block before `offset`.
    void keepFrom(std::uint64_t offset);
    /// Bytes of the file that were read for the text up to the end of the block at `offset`, which
    /// must have been read and not given up.
    [[nodiscard]] std::uint64_t filePosition(std::uint64_t offset);
    /// Nothing more comes after what is ahead already.
    void endReading();

private:
    struct Block {
        std::unique_ptr<char[]> text;
        std::uint64_t filePosition = 0;  // behind its text
        unsigned copying = 0;            // threads that do
    };

    void work(const std::stop_token& end) noexcept;
    void readBlocks(const std::stop_token& end);
    [[nodiscard]] bool hasRoom();
    [[nodiscard]] Block& blockAt(std::uint64_t offset) {
        return m_blocks[offset / m_blockBytes % m_blocks.size()];
    }

    TextSource& m_source;
    std::size_t m_blockBytes;
    std::stop_token m_stop;

    std::mutex m_mutex;  // guards all below but the text of blocks
    std::condition_variable_any m_changed;
    std::vector<Block> m_blocks;   // a ring
    std::uint64_t m_kept = 0;      // first block that is
    std::uint64_t m_end = 0;       // of the text that is there
    bool m_ended = false;          // nothing more will be written
    std::exception_ptr m_failure;  // of the thread
    std::optional<std::jthread> m_thread;
};

}  // namespace kinetoscope::import::source
