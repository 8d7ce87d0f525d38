// SPDX-License-Identifier: Apache-2.0
#include "core/import/capture/CaptureEventText.h"

#include <fmt/format.h>

#include <span>

#include "core/import/capture/CaptureListing.h"
#include "core/import/event/WordedEvents.h"
#include "core/import/source/InputFile.h"
#include "core/import/source/OpenTextSource.h"
#include "core/import/source/PlainSource.h"
#include "core/import/source/TextBytes.h"
#include "core/stream/EventJson.h"

namespace kinetoscope::import::capture {

using namespace stream::format;

namespace {

constexpr std::size_t kMaxRecordBytes = 512;

tl::unexpected<Error> changed(const std::string& path) {
    return fail(fmt::format("'{}': is no longer the file that was opened", path));
}

// Words single records as the decoder would that gave `state`.
class Wording final : stream::CaptureSink {
public:
    explicit Wording(const stream::CaptureState& state) : m_decoder(*this), m_json(m_decoder) {
        m_decoder.restore(state);
    }

    // Empty when the bytes are not a record.
    [[nodiscard]] std::string text(std::string_view bytes, std::uint64_t offset) {
        if (bytes.size() < sizeof(stream::format::RecordHeader)) {
            return {};
        }
        const auto header = stream::recordOf<stream::format::RecordHeader>(bytes);
        if (header.size < sizeof header || header.size > bytes.size()) {
            return {};
        }
        stream::Chunk chunk;
        chunk.type = stream::format::ChunkType::Records;
        chunk.payload = bytes.substr(0, header.size);
        m_text.clear();
        if (!m_decoder.accept(chunk, offset)) {
            return {};
        }
        m_decoder.finish();  // words a range from its beginning alone
        return m_text;
    }

private:
    void row(const stream::CaptureRow&) override {}
    void event(const stream::CaptureEvent& event) override {
        stream::CaptureEvent known = event;
        // The end of a range is another record, and only the beginning is looked at here.
        known.instant |= event.category == trace::Category::UserAnnotation ||
                         event.category == trace::Category::CpuOp;
        m_json.append(m_text, known);
    }

    stream::CaptureDecoder m_decoder;
    stream::EventJson m_json;
    std::string m_text;
};

class CaptureEventText final : public event::WordedEvents {
public:
    /// `file` null: opened by its path whenever it is needed, and may be compressed.
    CaptureEventText(std::string path, std::shared_ptr<const source::InputFile> file,
                     std::shared_ptr<const stream::CaptureState> state)
        : m_path(std::move(path)), m_file(std::move(file)), m_state(std::move(state)) {}

    [[nodiscard]] Result<void> events(std::span<const std::uint64_t> offsets,
                                      const Take& take) const override {
        const auto source = open();
        if (!source) {
            return tl::unexpected(source.error());
        }
        source::TextBytes bytes(**source);
        Wording wording(*m_state);
        std::string record;  // the bytes up to bytes.position()
        for (std::size_t i = 0; i < offsets.size(); ++i) {
            const std::uint64_t begin = bytes.position() - record.size();
            const bool there = offsets[i] >= begin && offsets[i] < bytes.position();
            record.erase(0, there ? static_cast<std::size_t>(offsets[i] - begin) : record.size());
            if (!there && !bytes.goTo(offsets[i])) {
                return changed(m_path);
            }
            record += bytes.take(kMaxRecordBytes - record.size());
            const std::string text = wording.text(record, offsets[i]);
            if (text.empty()) {
                return changed(m_path);
            }
            take(i, text);
        }
        return {};
    }

    [[nodiscard]] Result<void> forEach(const TakeEvent& take, const std::stop_token& stop,
                                       Progress* progress) const override {
        const auto source = open();
        if (!source) {
            return tl::unexpected(source.error());
        }
        source::TextWindow window(**source, source::kTextChunk, stop);
        if (progress != nullptr) {
            window.whenAdvanced([&](std::uint64_t position) { progress->set(position); });
        }
        auto listed = listCapture(window, take, m_state->calls);
        if (listed && window.stopped()) {
            return fail("cancelled", ErrorKind::Cancelled);
        }
        return listed;
    }

private:
    [[nodiscard]] Result<std::unique_ptr<source::TextSource>> open() const {
        if (m_file) {
            return std::make_unique<source::PlainSource>(m_file);
        }
        return source::openTextSource(m_path);
    }

    std::string m_path;
    std::shared_ptr<const source::InputFile> m_file;
    std::shared_ptr<const stream::CaptureState> m_state;
};

}  // namespace

std::shared_ptr<const trace::EventText> makeCaptureEventText(
    const std::string& path, const stream::CaptureDecoder& decoder,
    std::shared_ptr<const stream::CallRanges> calls) {
    return std::make_shared<CaptureEventText>(path, nullptr, decoder.state(std::move(calls)));
}

std::shared_ptr<const trace::EventText> makeCaptureEventText(
    std::shared_ptr<const source::InputFile> file, const stream::CaptureDecoder& decoder,
    std::shared_ptr<const stream::CallRanges> calls) {
    std::string path = file->path();
    return std::make_shared<CaptureEventText>(std::move(path), std::move(file),
                                              decoder.state(std::move(calls)));
}

}  // namespace kinetoscope::import::capture
