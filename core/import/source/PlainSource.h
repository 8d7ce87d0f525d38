// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/import/source/TextSource.h"

namespace kinetoscope::import::source {

/// A file that is the text itself.
class PlainSource final : public TextSource {
public:
    explicit PlainSource(std::shared_ptr<const InputFile> file, std::uint64_t offset = 0)
        : m_file(std::move(file)), m_position(offset) {}

    [[nodiscard]] std::size_t read(char* to, std::size_t capacity) override;
    [[nodiscard]] std::uint64_t filePosition() const override { return m_position; }
    [[nodiscard]] std::uint64_t fileBytes() const override { return m_file->identity().bytes; }
    [[nodiscard]] std::string_view compression() const override { return {}; }
    [[nodiscard]] const InputFile* file() const override { return m_file.get(); }
    [[nodiscard]] std::unique_ptr<const RestartPoints> restartPoints() const override;
    [[nodiscard]] std::unique_ptr<TextSource> again() const override {
        return std::make_unique<PlainSource>(m_file);
    }
    bool seek(std::uint64_t offset) override {
        m_position = offset;
        return true;
    }
    [[nodiscard]] bool changed() const override { return m_file->changed(); }

private:
    std::shared_ptr<const InputFile> m_file;
    std::uint64_t m_position;
};

}  // namespace kinetoscope::import::source
