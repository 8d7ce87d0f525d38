// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/import/source/AheadText.h"

namespace kinetoscope::import::source {

/// Another source, read (and decompressed) by a thread of its own ahead of those that call read().
/// What along() gives finds the text from where this one is to some megabytes behind.
class ReadAhead final : public TextSource {
public:
    /// `source` must outlive this and must not be used by anything else meanwhile. Up to `readers`
    /// threads will read from this and from the texts of along(), at most two stretches of
    /// `blockBytes` each at a time. Text ends when a stop is requested.
    ReadAhead(TextSource& source, unsigned readers, std::size_t blockBytes, std::stop_token stop);

    /// False where the system starts no thread for it: then `source` is still as it was.
    [[nodiscard]] bool isReading() const { return m_text->isReading(); }

    [[nodiscard]] std::size_t read(char* to, std::size_t capacity) override;
    [[nodiscard]] std::uint64_t filePosition() const override {
        return m_text->filePosition(m_offset);
    }
    [[nodiscard]] std::uint64_t fileBytes() const override { return m_source.fileBytes(); }
    [[nodiscard]] std::string_view compression() const override { return m_source.compression(); }
    /// Also ends the reading: nothing more comes after what is ahead already.
    [[nodiscard]] std::unique_ptr<const RestartPoints> restartPoints() const override;
    [[nodiscard]] const InputFile* file() const override { return m_source.file(); }
    [[nodiscard]] std::unique_ptr<TextSource> along() const override;
    /// Only forward.
    bool seek(std::uint64_t offset) override;
    [[nodiscard]] bool changed() const override { return m_source.changed(); }

private:
    ReadAhead(TextSource& source, std::shared_ptr<AheadText> text);

    TextSource& m_source;
    std::shared_ptr<AheadText> m_text;
    bool m_leads;  // what is before this one is given up
    std::uint64_t m_offset = 0;
};

}  // namespace kinetoscope::import::source
