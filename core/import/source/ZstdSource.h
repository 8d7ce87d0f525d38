// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <zstd.h>

#include <optional>
#include <vector>

#include "core/import/source/TextSource.h"

namespace kinetoscope::import::source {

/// The beginning of one frame of a zstd file.
struct ZstdFrame {
    std::uint64_t textPosition = 0;
    std::uint64_t filePosition = 0;
};

/// A zstd file of one or more frames. Its decompressor's state cannot be copied, so looking at one
/// event later reads from the beginning of its frame.
class ZstdSource final : public TextSource {
public:
    explicit ZstdSource(std::shared_ptr<const InputFile> file, ZstdFrame start = {});

    [[nodiscard]] std::size_t read(char* to, std::size_t capacity) override;
    [[nodiscard]] std::uint64_t filePosition() const override { return m_filePosition; }
    [[nodiscard]] std::uint64_t fileBytes() const override { return m_file->identity().bytes; }
    [[nodiscard]] std::string_view compression() const override { return "zstd"; }
    [[nodiscard]] const InputFile* file() const override { return m_file.get(); }
    [[nodiscard]] std::unique_ptr<const RestartPoints> restartPoints() const override;
    [[nodiscard]] bool changed() const override { return m_file->changed(); }

private:
    struct Free {
        void operator()(ZSTD_DStream* stream) const { ZSTD_freeDStream(stream); }
    };
    [[nodiscard]] bool fillInput();
    void noteFrame(std::uint64_t filePosition);
    void endOfFile();
    void noteDeclaredEnd();
    [[nodiscard]] bool endsAsDeclared() const;
    void badData(std::string_view reason, std::uint64_t textPosition);
    void largeWindow();

    std::shared_ptr<const InputFile> m_file;
    std::vector<char> m_input;
    ZSTD_inBuffer m_in{};
    std::unique_ptr<ZSTD_DStream, Free> m_stream;
    std::uint64_t m_filePosition;  // behind the input read so far
    std::uint64_t m_textPosition;
    std::vector<ZstdFrame> m_frames;
    std::optional<std::uint64_t> m_declaredEnd;  // in the text, of the frame that is read
    bool m_atFrame = true;                       // in front of one, maybe behind another
    bool m_betweenFrames = false;
    bool m_ended = false;
};

}  // namespace kinetoscope::import::source
