// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "core/import/source/TextSource.h"

namespace kinetoscope::import::source {

/// A text in memory that lives as long as its readers.
class SharedText final : public TextSource {
public:
    explicit SharedText(std::shared_ptr<const std::string> text, std::uint64_t offset = 0);

    [[nodiscard]] std::size_t read(char* to, std::size_t capacity) override;
    [[nodiscard]] std::uint64_t filePosition() const override { return m_position; }
    [[nodiscard]] std::uint64_t fileBytes() const override { return m_text->size(); }
    [[nodiscard]] std::string_view compression() const override { return {}; }
    [[nodiscard]] std::unique_ptr<const RestartPoints> restartPoints() const override;
    [[nodiscard]] std::unique_ptr<TextSource> again() const override {
        return std::make_unique<SharedText>(m_text);
    }
    bool seek(std::uint64_t offset) override;

private:
    std::shared_ptr<const std::string> m_text;
    std::size_t m_position = 0;
};

}  // namespace kinetoscope::import::source
