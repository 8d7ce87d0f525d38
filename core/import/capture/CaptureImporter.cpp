// SPDX-License-Identifier: Apache-2.0
#include "core/import/capture/CaptureImporter.h"

#include <fmt/format.h>

#include "core/import/capture/CaptureEventText.h"
#include "core/import/capture/CaptureTrace.h"

namespace kinetoscope {

using namespace capture;

namespace {

// Chunks out of the text window, which here holds bytes.
class ChunkSource {
public:
    explicit ChunkSource(TextWindow& window) : m_window(window), m_at(window.begin()) {}

    [[nodiscard]] ChunkStatus next(Chunk& chunk) {
        for (;;) {
            const std::string_view bytes(m_at, static_cast<std::size_t>(m_window.end() - m_at));
            const ChunkStatus status = m_reader.next(bytes, chunk);
            if (status == ChunkStatus::Chunk) {
                m_offset = m_window.offsetOf(m_at) + chunk.payloadOffset;
                m_at += m_reader.consumed();
            }
            if (status != ChunkStatus::NeedMore || !m_window.more(m_at)) {
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
    [[nodiscard]] const ChunkReader& reader() const { return m_reader; }

private:
    TextWindow& m_window;
    const char* m_at;
    ChunkReader m_reader;
    std::uint64_t m_offset = 0;
};

}  // namespace

bool CaptureImporter::recognises(std::string_view head) const {
    return ChunkReader::isCapture(head);
}

Result<std::shared_ptr<const Trace>> CaptureImporter::read(ImportInput& input) const {
    TraceBuilder builder;
    CaptureTrace sink(builder);
    auto decoder = std::make_shared<CaptureDecoder>(sink);
    ChunkSource source(input.text);
    Chunk chunk;
    ChunkStatus status = ChunkStatus::Chunk;
    while ((status = source.next(chunk)) == ChunkStatus::Chunk) {
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
    RunInfo& info = builder.info();
    info.path = input.path;
    info.fileBytes = input.fileBytes;
    info.textBytes = input.text.offsetOf(input.text.end());
    info.format = "Kinetoscope capture";
    describeCapture(info, *decoder);
    CaptureEnd end{source.position(), source.reader().chunks(), {}, source.rest() > 0};
    if (status == ChunkStatus::Damaged) {
        end.damage = source.reader().reason();
    }
    logCapture(builder.log(), *decoder, end, sink.earlyWork());
    builder.setEventText(makeCaptureEventText(input.path, *decoder));
    return builder.finish();
}

}  // namespace kinetoscope
