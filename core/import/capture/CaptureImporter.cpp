// SPDX-License-Identifier: Apache-2.0
#include "core/import/capture/CaptureImporter.h"

#include <fmt/format.h>

#include "core/import/capture/CaptureEventText.h"
#include "core/import/capture/CaptureTrace.h"

namespace kinetoscope::import::capture {

using namespace stream::format;

namespace {

// Chunks out of the text window, which here holds bytes.
class ChunkSource {
public:
    explicit ChunkSource(source::TextWindow& window) : m_window(window), m_at(window.begin()) {}

    [[nodiscard]] stream::ChunkStatus next(stream::Chunk& chunk) {
        for (;;) {
            const std::string_view bytes(m_at, static_cast<std::size_t>(m_window.end() - m_at));
            const stream::ChunkStatus status = m_reader.next(bytes, chunk);
            if (status == stream::ChunkStatus::Chunk) {
                m_offset = m_window.offsetOf(m_at) + chunk.payloadOffset;
                m_at += m_reader.consumed();
            }
            if (status != stream::ChunkStatus::NeedMore || !m_window.more(m_at)) {
                return status;
            }
        }
    }
    [[nodiscard]] std::uint64_t payloadOffset() const { return m_offset; }
    /// Bytes behind the last whole chunk.
    [[nodiscard]] std::uint64_t rest() const {
        return static_cast<std::uint64_t>(m_window.end() - m_at);
    }
    [[nodiscard]] std::uint64_t position() const { return m_window.offsetOf(m_at); }
    [[nodiscard]] const stream::ChunkReader& reader() const { return m_reader; }

private:
    source::TextWindow& m_window;
    const char* m_at;
    stream::ChunkReader m_reader;
    std::uint64_t m_offset = 0;
};

}  // namespace

bool CaptureImporter::recognises(std::string_view head) const {
    return stream::ChunkReader::isCapture(head);
}

Result<std::shared_ptr<const trace::Trace>> CaptureImporter::read(ImportInput& input) const {
    trace::TraceBuilder builder;
    CaptureTrace sink(builder);
    auto decoder = std::make_shared<stream::CaptureDecoder>(sink);
    ChunkSource source(input.text);
    stream::Chunk chunk;
    stream::ChunkStatus status = stream::ChunkStatus::Chunk;
    while ((status = source.next(chunk)) == stream::ChunkStatus::Chunk) {
        if (auto accepted = decoder->accept(chunk, source.payloadOffset()); !accepted) {
            return fail(
                fmt::format("'{}' cannot be read: {}", input.path, accepted.error().message));
        }
    }
    if (input.text.stopped()) {
        return fail("loading was cancelled", ErrorKind::Cancelled);
    }
    if (source.reader().chunks() == 0) {
        return fail(beginningMissing(input.path));
    }
    decoder->finish();
    trace::RunInfo& info = builder.info();
    info.path = input.path;
    info.fileBytes = input.fileBytes;
    info.textBytes = input.text.offsetOf(input.text.end());
    info.format = "Kinetoscope capture";
    describeCapture(info, *decoder);
    CaptureEnd end{source.position(), source.reader().chunks(), {}, source.rest() > 0};
    if (status == stream::ChunkStatus::Damaged) {
        end.damage = source.reader().reason();
    }
    logCapture(builder.log(), *decoder, end, sink.earlyWork());
    builder.setEventText(makeCaptureEventText(input.path, *decoder));
    return builder.finish();
}

}  // namespace kinetoscope::import::capture
