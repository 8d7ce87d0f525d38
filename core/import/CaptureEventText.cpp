// SPDX-License-Identifier: Apache-2.0
#include "core/import/CaptureEventText.h"

#include <fmt/format.h>

#include <array>

#include "core/import/InputFile.h"
#include "core/stream/EventJson.h"

namespace kinetoscope {

using namespace capture;

namespace {

class JsonOfOne final : public CaptureSink {
public:
    explicit JsonOfOne(const CaptureDecoder& decoder) : m_json(decoder) {}
    void row(const CaptureRow&) override {}
    void event(const CaptureEvent& event) override {
        CaptureEvent known = event;
        // The end of a range is another record, and only the beginning is looked at here.
        known.instant |=
            event.category == Category::UserAnnotation || event.category == Category::CpuOp;
        m_json.append(m_text, known);
    }
    [[nodiscard]] const std::string& text() const { return m_text; }

private:
    EventJson m_json;
    std::string m_text;
};

class CaptureEventText final : public EventText {
public:
    /// `file` null: opened by its path whenever it is needed.
    CaptureEventText(std::string path, std::shared_ptr<const InputFile> file,
                     const CaptureDecoder& decoder)
        : m_path(std::move(path)), m_file(std::move(file)), m_state(decoder.state()) {}

    [[nodiscard]] Result<std::string> event(std::uint64_t offset) const override {
        const auto file =
            m_file ? Result<std::shared_ptr<const InputFile>>(m_file) : InputFile::open(m_path);
        if (!file) {
            return tl::unexpected(file.error());
        }
        std::array<char, kLargestRecord> bytes{};
        const std::int64_t count = (*file)->read(bytes.data(), bytes.size(), offset);
        if (count < static_cast<std::int64_t>(sizeof(RecordHeader))) {
            return changed();
        }
        const auto header = recordOf<RecordHeader>({bytes.data(), bytes.size()});
        const std::string_view record(bytes.data(),
                                      std::min<std::size_t>(header.size, bytes.size()));
        if (header.size < sizeof header || count < header.size) {
            return changed();
        }
        return worded(record, offset);
    }

private:
    static constexpr std::size_t kLargestRecord = 512;

    [[nodiscard]] tl::unexpected<Error> changed() const {
        return fail(fmt::format("'{}' is no longer the file that was opened", m_path));
    }

    [[nodiscard]] Result<std::string> worded(std::string_view record, std::uint64_t offset) const {
        // The decoder refers to its sink and the sink to the decoder's names.
        struct Forward final : CaptureSink {
            CaptureSink* to = nullptr;
            void row(const CaptureRow&) override {}
            void event(const CaptureEvent& event) override { to->event(event); }
        } forward;
        CaptureDecoder decoder(forward);
        decoder.restore(*m_state);
        JsonOfOne json(decoder);
        forward.to = &json;
        Chunk chunk;
        chunk.type = ChunkType::Records;
        chunk.payload = record;
        if (auto accepted = decoder.accept(chunk, offset); !accepted) {
            return tl::unexpected(accepted.error());
        }
        decoder.finish();  // words a range from its beginning alone
        return json.text().empty() ? Result<std::string>(changed()) : json.text();
    }

    std::string m_path;
    std::shared_ptr<const InputFile> m_file;
    std::shared_ptr<const CaptureState> m_state;
};

}  // namespace

std::shared_ptr<const EventText> makeCaptureEventText(const std::string& path,
                                                      const CaptureDecoder& decoder) {
    return std::make_shared<CaptureEventText>(path, nullptr, decoder);
}

std::shared_ptr<const EventText> makeCaptureEventText(std::shared_ptr<const InputFile> file,
                                                      const CaptureDecoder& decoder) {
    std::string path = file->path();
    return std::make_shared<CaptureEventText>(std::move(path), std::move(file), decoder);
}

}  // namespace kinetoscope
