// SPDX-License-Identifier: Apache-2.0
#include "core/import/source/SharedText.h"

#include <algorithm>

namespace kinetoscope::import::source {

namespace {

class SharedRestart final : public RestartPoints {
public:
    explicit SharedRestart(std::shared_ptr<const std::string> text) : m_text(std::move(text)) {}

    [[nodiscard]] Restart before(std::uint64_t offset,
                                 std::shared_ptr<const InputFile> /*file*/) const override {
        return {std::make_unique<SharedText>(m_text, offset), offset};
    }

private:
    std::shared_ptr<const std::string> m_text;
};

}  // namespace

SharedText::SharedText(std::shared_ptr<const std::string> text, std::uint64_t offset)
    : m_text(std::move(text)) {
    seek(offset);
}

std::size_t SharedText::read(char* to, std::size_t capacity) {
    const std::size_t count = m_text->copy(to, capacity, m_position);
    m_position += count;
    return count;
}

bool SharedText::seek(std::uint64_t offset) {
    m_position = std::min(static_cast<std::size_t>(offset), m_text->size());
    return true;
}

std::unique_ptr<const RestartPoints> SharedText::restartPoints() const {
    return std::make_unique<SharedRestart>(m_text);
}

}  // namespace kinetoscope::import::source
