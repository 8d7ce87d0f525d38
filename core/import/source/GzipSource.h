// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "core/import/source/MakeInflater.h"
#include "core/import/source/TextSource.h"

namespace kinetoscope::import::source {

/// A place inside a gzip file where decompression can go on.
struct GzipCheckpoint {
    std::uint64_t textPosition = 0;
    std::uint64_t filePosition = 0;
    std::unique_ptr<const Inflater> inflater;
};

using GzipCheckpoints = std::vector<std::shared_ptr<const GzipCheckpoint>>;

/// A gzip file of one or more members. While it is read, the decompressor's state is copied every
/// 16 MiB of text (at most 100 KiB a copy): looking at one event later costs at most that much
/// again.
class GzipSource final : public TextSource {
public:
    explicit GzipSource(std::shared_ptr<const InputFile> file, GzipLibrary library = kFastestGzip);
    /// Goes on at a checkpoint; makes no further ones.
    GzipSource(std::shared_ptr<const InputFile> file, const GzipCheckpoint& checkpoint);

    [[nodiscard]] std::size_t read(char* to, std::size_t capacity) override;
    [[nodiscard]] std::uint64_t filePosition() const override { return m_filePosition; }
    [[nodiscard]] std::uint64_t fileBytes() const override { return m_file->identity().bytes; }
    [[nodiscard]] std::string_view compression() const override { return "gzip"; }
    [[nodiscard]] const InputFile* file() const override { return m_file.get(); }
    [[nodiscard]] std::unique_ptr<const RestartPoints> restartPoints() const override;
    [[nodiscard]] bool changed() const override { return m_file->changed(); }

private:
    [[nodiscard]] bool fillInput();
    [[nodiscard]] bool nextMember();
    void inflateSome();
    [[nodiscard]] std::uint64_t positionInFile() const { return m_filePosition - m_spans.inBytes; }
    void keepCheckpoint();
    void stopAtEndOfFile();

    std::shared_ptr<const InputFile> m_file;
    std::vector<std::uint8_t> m_input;
    std::unique_ptr<Inflater> m_inflater;
    InflateSpans m_spans;
    bool m_memberEnded = false;
    std::uint64_t m_filePosition = 0;  // behind the input read so far
    std::uint64_t m_textPosition = 0;
    std::uint64_t m_nextCheckpoint = 0;
    std::shared_ptr<GzipCheckpoints> m_checkpoints;
    bool m_ended = false;
};

}  // namespace kinetoscope::import::source
