// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

#include "core/import/TextSource.h"

namespace kinetoscope {

/// Another source, read (and decompressed) by a thread of its own a few megabytes ahead of the one
/// that calls read().
class ReadAhead final : public TextSource {
public:
    /// `source` must outlive this and is not to be used by anybody else meanwhile.
    explicit ReadAhead(TextSource& source);
    ReadAhead(const ReadAhead&) = delete;
    ReadAhead& operator=(const ReadAhead&) = delete;
    ~ReadAhead() override;

    [[nodiscard]] std::size_t read(char* to, std::size_t capacity) override;
    [[nodiscard]] std::uint64_t filePosition() const override { return m_filePosition; }
    [[nodiscard]] std::uint64_t fileBytes() const override { return m_source.fileBytes(); }
    [[nodiscard]] std::string_view compression() const override { return m_source.compression(); }
    /// Also ends the reading: nothing more comes after what is ahead already.
    [[nodiscard]] std::shared_ptr<const EventText> eventText() const override;
    [[nodiscard]] bool changed() const override { return m_source.changed(); }

private:
    struct Block {
        std::unique_ptr<char[]> text;
        std::size_t size = 0;
        std::uint64_t filePosition = 0;  // behind it
    };

    void work(const std::stop_token& stop);
    void endReading() const;
    [[nodiscard]] bool nextBlock();
    [[nodiscard]] Block& blockOf(std::size_t index) { return m_blocks[index % m_blocks.size()]; }

    TextSource& m_source;
    std::size_t m_position = 0;  // in the block that is being handed out
    std::uint64_t m_filePosition = 0;

    std::mutex m_mutex;  // guards the two numbers; a block belongs to one side or the other
    std::condition_variable_any m_changed;
    std::vector<Block> m_blocks;  // a ring
    std::size_t m_written = 0;
    std::size_t m_taken = 0;
    bool m_ended = false;  // nothing more will be written
    mutable std::jthread m_thread;
};

}  // namespace kinetoscope
