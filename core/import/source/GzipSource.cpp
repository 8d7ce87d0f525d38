// SPDX-License-Identifier: Apache-2.0
#include "core/import/source/GzipSource.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <limits>

namespace kinetoscope::import::source {

namespace {

constexpr std::size_t kInputBytes = 256 * 1024;
constexpr std::uint64_t kCheckpointDistance = 16 * 1024 * 1024;

class GzipRestart final : public RestartPoints {
public:
    explicit GzipRestart(std::shared_ptr<const GzipCheckpoints> checkpoints)
        : m_checkpoints(std::move(checkpoints)) {}

    [[nodiscard]] Restart before(std::uint64_t offset,
                                 std::shared_ptr<const InputFile> file) const override {
        const auto after = std::ranges::upper_bound(
            *m_checkpoints, offset, {}, [](const auto& point) { return point->textPosition; });
        if (after == m_checkpoints->begin()) {
            return {std::make_unique<GzipSource>(std::move(file)), 0};
        }
        const GzipCheckpoint& point = **std::prev(after);
        return {std::make_unique<GzipSource>(std::move(file), point), point.textPosition};
    }

private:
    std::shared_ptr<const GzipCheckpoints> m_checkpoints;
};

}  // namespace

GzipSource::GzipSource(std::shared_ptr<const InputFile> file, GzipLibrary library)
    : m_file(std::move(file)),
      m_input(kInputBytes),
      m_inflater(makeInflater(library)),
      m_nextCheckpoint(kCheckpointDistance),
      m_checkpoints(std::make_shared<GzipCheckpoints>()) {}

GzipSource::GzipSource(std::shared_ptr<const InputFile> file, const GzipCheckpoint& checkpoint)
    : m_file(std::move(file)),
      m_input(kInputBytes),
      m_inflater(checkpoint.inflater->copy()),
      m_filePosition(checkpoint.filePosition),
      m_textPosition(checkpoint.textPosition),
      m_nextCheckpoint(std::numeric_limits<std::uint64_t>::max()),
      m_checkpoints(std::make_shared<GzipCheckpoints>()),
      m_ended(m_inflater == nullptr) {}

bool GzipSource::fillInput() {
    const std::int64_t count =
        m_file->read(reinterpret_cast<char*>(m_input.data()), m_input.size(), m_filePosition);
    if (count < 0) {
        setIssue(trace::Issue::ReadError, std::strerror(errno));
        m_ended = true;
    }
    if (count <= 0) {
        return false;
    }
    m_filePosition += static_cast<std::uint64_t>(count);
    m_spans.in = m_input.data();
    m_spans.inBytes = static_cast<std::size_t>(count);
    return true;
}

// After a member: true when another one follows; what else follows is not part of the text.
bool GzipSource::nextMember() {
    if (m_spans.inBytes == 0 && !fillInput()) {
        return false;
    }
    if (m_spans.in[0] != 0x1f) {
        const std::uint64_t rest = m_file->identity().bytes - positionInFile();
        setIssue(trace::Issue::TrailingGarbage, fmt::format("{} bytes after the gzip data", rest));
        return false;
    }
    m_inflater->startMember();
    m_memberEnded = false;
    return true;
}

void GzipSource::stopAtEndOfFile() {
    if (!m_ended) {
        m_ended = true;
        setIssue(trace::Issue::TruncatedGzip,
                 fmt::format("ends after {} bytes of the file, {} of text", m_filePosition,
                             m_textPosition));
    }
}

void GzipSource::inflateSome() {
    const InflateState state = m_inflater->inflate(m_spans);
    m_memberEnded = state == InflateState::MemberEnd;
    if (state == InflateState::Damaged) {
        m_ended = true;
        setIssue(trace::Issue::DamagedGzip,
                 fmt::format("damaged near byte {} of the file", positionInFile()));
    }
}

std::size_t GzipSource::read(char* to, std::size_t capacity) {
    m_spans.out = reinterpret_cast<std::uint8_t*>(to);
    m_spans.outBytes = capacity;
    while (!m_ended && m_spans.outBytes > 0) {
        if (m_memberEnded) {
            m_ended = !nextMember();
            continue;
        }
        const std::size_t before = m_spans.outBytes;
        const bool dry = m_spans.inBytes == 0 && !fillInput();
        if (!m_ended) {
            inflateSome();
            m_textPosition += before - m_spans.outBytes;
            m_ended = m_ended || expandsTooFar(m_textPosition);
            if (dry && before == m_spans.outBytes && !m_memberEnded) {
                stopAtEndOfFile();
            }
        }
    }
    if (m_textPosition >= m_nextCheckpoint && !m_ended) {
        keepCheckpoint();
    }
    return capacity - m_spans.outBytes;
}

void GzipSource::keepCheckpoint() {
    auto point = std::make_shared<GzipCheckpoint>();
    point->textPosition = m_textPosition;
    point->filePosition = positionInFile();
    point->inflater = m_inflater->copy();
    m_nextCheckpoint = m_textPosition + kCheckpointDistance;
    if (point->inflater) {
        m_checkpoints->push_back(std::move(point));
    }
}

std::unique_ptr<const RestartPoints> GzipSource::restartPoints() const {
    return std::make_unique<GzipRestart>(m_checkpoints);
}

}  // namespace kinetoscope::import::source
