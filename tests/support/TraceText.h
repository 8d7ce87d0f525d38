// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>

#include "core/import/load/LoadTrace.h"

namespace kinetoscope::test {

/// A text in memory, handed out in pieces like a file.
class MemorySource : public import::source::TextSource {
public:
    explicit MemorySource(std::string_view text) : m_text(text) {}

    [[nodiscard]] std::size_t read(char* to, std::size_t capacity) override {
        const std::size_t count = std::min(capacity, m_text.size() - m_position);
        std::memcpy(to, m_text.data() + m_position, count);
        m_position += count;
        return count;
    }
    [[nodiscard]] std::uint64_t filePosition() const override { return m_position; }
    [[nodiscard]] std::uint64_t fileBytes() const override { return m_text.size(); }
    [[nodiscard]] std::string_view compression() const override { return {}; }
    [[nodiscard]] std::unique_ptr<import::source::TextSource> again() const override {
        return std::make_unique<MemorySource>(m_text);
    }
    [[nodiscard]] std::string_view text() const { return m_text; }
    bool seek(std::uint64_t offset) override {
        m_position = std::min(static_cast<std::size_t>(offset), m_text.size());
        return true;
    }

private:
    std::string_view m_text;
    std::size_t m_position = 0;
};

/// The same, but it can only be read from its beginning, like a pipe.
class SequentialSource final : public import::source::TextSource {
public:
    explicit SequentialSource(std::string_view text) : m_text(text) {}

    [[nodiscard]] std::size_t read(char* to, std::size_t capacity) override {
        return m_text.read(to, capacity);
    }
    [[nodiscard]] std::uint64_t filePosition() const override { return m_text.filePosition(); }
    [[nodiscard]] std::uint64_t fileBytes() const override { return m_text.fileBytes(); }
    [[nodiscard]] std::string_view compression() const override { return {}; }

private:
    MemorySource m_text;
};

[[nodiscard]] inline Result<std::shared_ptr<const trace::Trace>> importText(
    std::string_view text, std::size_t chunk = import::source::kTextChunk,
    const import::LoadOptions& options = {}) {
    MemorySource source(text);
    return import::importSource(source, "test.json", options, {.chunk = chunk});
}

}  // namespace kinetoscope::test
