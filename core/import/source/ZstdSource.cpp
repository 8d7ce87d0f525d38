// SPDX-License-Identifier: Apache-2.0
#include "core/import/source/ZstdSource.h"

#include <fmt/format.h>
#include <zstd_errors.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace kinetoscope::import::source {

namespace {

class ZstdRestart final : public RestartPoints {
public:
    explicit ZstdRestart(std::vector<ZstdFrame> frames) : m_frames(std::move(frames)) {}

    [[nodiscard]] Restart before(std::uint64_t offset,
                                 std::shared_ptr<const InputFile> file) const override {
        const auto after = std::ranges::upper_bound(m_frames, offset, {}, &ZstdFrame::textPosition);
        const ZstdFrame frame = after == m_frames.begin() ? ZstdFrame{} : *std::prev(after);
        return {std::make_unique<ZstdSource>(std::move(file), frame), frame.textPosition};
    }
    [[nodiscard]] bool everywhere() const override {
        constexpr std::size_t kMany = 64;
        return m_frames.size() >= kMany;
    }

private:
    std::vector<ZstdFrame> m_frames;
};

// What the decoder of a frame keeps of its text, in MiB; 0 if its header is not whole.
std::uint64_t windowMiB(std::string_view frame) {
    constexpr std::size_t kDescriptor = 4;
    constexpr unsigned kSingleSegment = 0x20;
    constexpr std::uint64_t kMiB = 1 << 20;
    if (frame.size() <= kDescriptor + 1) {
        return 0;
    }
    if ((static_cast<unsigned char>(frame[kDescriptor]) & kSingleSegment) != 0) {
        const auto size = ZSTD_getFrameContentSize(frame.data(), frame.size());
        return size >= ZSTD_CONTENTSIZE_ERROR ? 0 : size / kMiB;
    }
    const unsigned window = static_cast<unsigned char>(frame[kDescriptor + 1]);
    const std::uint64_t base = std::uint64_t{1} << (10 + (window >> 3));
    return (base + base / 8 * (window & 7)) / kMiB;
}

}  // namespace

ZstdSource::ZstdSource(std::shared_ptr<const InputFile> file, ZstdFrame start)
    : m_file(std::move(file)),
      m_input(ZSTD_DStreamInSize()),
      m_stream(ZSTD_createDStream()),
      m_filePosition(start.filePosition),
      m_textPosition(start.textPosition),
      m_frames{start} {
    m_in = {m_input.data(), 0, 0};
}

bool ZstdSource::fillInput() {
    const std::int64_t count = m_file->read(m_input.data(), m_input.size(), m_filePosition);
    if (count < 0) {
        setIssue(trace::Issue::ReadError, std::strerror(errno));
        m_ended = true;
    }
    if (count <= 0) {
        return false;
    }
    m_filePosition += static_cast<std::uint64_t>(count);
    m_in = {m_input.data(), static_cast<std::size_t>(count), 0};
    return true;
}

void ZstdSource::endOfFile() {
    if (!m_ended && !m_betweenFrames) {
        setIssue(trace::Issue::TruncatedZstd,
                 fmt::format("ends after {} bytes of the file, {} of text", m_filePosition,
                             m_textPosition));
    }
    m_ended = true;
}

// A header at the end of the input may be known in part only: then the library checks alone.
void ZstdSource::noteDeclaredEnd() {
    const unsigned long long size =
        ZSTD_getFrameContentSize(m_input.data() + m_in.pos, m_in.size - m_in.pos);
    m_declaredEnd.reset();
    if (size != ZSTD_CONTENTSIZE_UNKNOWN && size != ZSTD_CONTENTSIZE_ERROR) {
        m_declaredEnd = m_textPosition + size;
    }
}

// The library lets an empty last block end a frame early when it is read in small pieces.
bool ZstdSource::endsAsDeclared() const {
    return !m_declaredEnd || *m_declaredEnd == m_textPosition;
}

void ZstdSource::badData(std::string_view reason, std::uint64_t textPosition) {
    m_ended = true;
    const std::uint64_t position = m_filePosition - (m_in.size - m_in.pos);
    if (m_betweenFrames) {
        setIssue(trace::Issue::TrailingGarbage,
                 fmt::format("{} bytes after the zstd data", m_file->identity().bytes - position));
    } else {
        setIssue(trace::Issue::DamagedZstd,
                 fmt::format("damaged near byte {} of the file, {} of text: {}", position,
                             textPosition, reason));
    }
}

void ZstdSource::largeWindow() {
    m_ended = true;
    const std::uint64_t mib = windowMiB({m_input.data() + m_in.pos, m_in.size - m_in.pos});
    setIssue(trace::Issue::DamagedZstd,
             fmt::format("needs a window of {} behind {} bytes of text, and at most 128 MiB are "
                         "given to it; compress it again without --long",
                         mib == 0 ? "more" : fmt::format("{} MiB", mib), m_textPosition));
}

// Of frames without text, such as those to be skipped, only the last counts.
void ZstdSource::noteFrame(std::uint64_t filePosition) {
    if (m_frames.back().textPosition == m_textPosition) {
        m_frames.back().filePosition = filePosition;
    } else {
        m_frames.push_back({m_textPosition, filePosition});
    }
}

std::size_t ZstdSource::read(char* to, std::size_t capacity) {
    ZSTD_outBuffer out{to, capacity, 0};
    while (!m_ended && out.pos < capacity) {
        const std::size_t before = out.pos;
        const bool dry = m_in.pos == m_in.size && !fillInput();
        if (m_ended || (dry && m_betweenFrames)) {
            endOfFile();
            break;
        }
        const std::uint64_t position = m_filePosition - (m_in.size - m_in.pos);
        if (m_atFrame) {
            noteDeclaredEnd();
        }
        const std::size_t hint = ZSTD_decompressStream(m_stream.get(), &out, &m_in);
        if (ZSTD_isError(hint) != 0) {
            // Those of old frames claim text that they have not written.
            out.pos = before;
            m_in.pos = m_in.size - (m_filePosition - position);
            if (ZSTD_getErrorCode(hint) == ZSTD_error_frameParameter_windowTooLarge) {
                largeWindow();
            } else {
                badData(ZSTD_getErrorName(hint), m_textPosition);
            }
            break;
        }
        if (m_betweenFrames) {
            noteFrame(position);
        }
        m_textPosition += out.pos - before;
        m_ended = expandsTooFar(m_textPosition);
        m_atFrame = hint == 0;
        if (m_atFrame && !endsAsDeclared()) {
            m_betweenFrames = false;
            badData("a frame ends before its declared size", m_textPosition);
            break;
        }
        m_betweenFrames = m_atFrame;
        if (!m_ended && dry && out.pos == before && hint != 0) {
            endOfFile();
        }
    }
    return out.pos;
}

std::unique_ptr<const RestartPoints> ZstdSource::restartPoints() const {
    return std::make_unique<ZstdRestart>(m_frames);
}

}  // namespace kinetoscope::import::source
