// SPDX-License-Identifier: Apache-2.0
#include "core/import/capture/FolderEventText.h"

#include <span>
#include <utility>

#include "core/import/event/WordedEvents.h"

namespace kinetoscope::import::capture {

namespace {

constexpr int kOffsetBits = 44;
constexpr std::uint64_t kOffsetMask = (std::uint64_t{1} << kOffsetBits) - 1;

class FolderEventText final : public event::WordedEvents {
public:
    explicit FolderEventText(std::vector<std::shared_ptr<const trace::EventText>> texts)
        : m_texts(std::move(texts)) {}
    // Each file is asked once for all of its own: offsets ascend, so they stand together.
    [[nodiscard]] Result<void> events(std::span<const std::uint64_t> offsets,
                                      const Take& take) const override {
        std::vector<std::uint64_t> own;
        for (std::size_t begin = 0; begin < offsets.size(); begin += own.size()) {
            const std::uint64_t part = offsets[begin] >> kOffsetBits;
            if (part >= m_texts.size()) {
                return fail("there is no such event");
            }
            own.clear();
            for (std::size_t i = begin; i < offsets.size() && offsets[i] >> kOffsetBits == part;
                 ++i) {
                own.push_back(offsets[i] & kOffsetMask);
            }
            auto read = m_texts[part]->events(
                own, [&](std::size_t i, const std::string& text) { take(begin + i, text); });
            if (!read) {
                return read;
            }
        }
        return {};
    }

private:
    std::vector<std::shared_ptr<const trace::EventText>> m_texts;
};

}  // namespace

std::uint64_t offsetBaseOfPart(std::size_t part) {
    return static_cast<std::uint64_t>(part) << kOffsetBits;
}

std::shared_ptr<const trace::EventText> makeFolderEventText(
    std::vector<std::shared_ptr<const trace::EventText>> texts) {
    return std::make_shared<FolderEventText>(std::move(texts));
}

}  // namespace kinetoscope::import::capture
