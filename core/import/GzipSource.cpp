// SPDX-License-Identifier: Apache-2.0
#include "core/import/GzipSource.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <limits>

#include "core/import/StoredEvents.h"

namespace kinetoscope {

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

GzipSource::GzipSource(std::shared_ptr<const InputFile> file)
    : m_file(std::move(file)),
      m_input(kInputBytes),
      m_state(std::make_unique<inflate_state>()),
      m_nextCheckpoint(kCheckpointDistance),
      m_checkpoints(std::make_shared<GzipCheckpoints>()) {
    isal_inflate_init(m_state.get());
    m_state->crc_flag = ISAL_GZIP;
}

GzipSource::GzipSource(std::shared_ptr<const InputFile> file, const GzipCheckpoint& checkpoint)
    : m_file(std::move(file)),
      m_input(kInputBytes),
      m_state(std::make_unique<inflate_state>(checkpoint.state)),
      m_filePosition(checkpoint.filePosition),
      m_textPosition(checkpoint.textPosition),
      m_nextCheckpoint(std::numeric_limits<std::uint64_t>::max()),
      m_checkpoints(std::make_shared<GzipCheckpoints>()) {
    m_state->next_in = m_input.data();
    m_state->avail_in = 0;
}

bool GzipSource::fillInput() {
    const std::int64_t count =
        m_file->read(reinterpret_cast<char*>(m_input.data()), m_input.size(), m_filePosition);
    if (count < 0) {
        setIssue(Issue::ReadError, std::strerror(errno));
        m_ended = true;
    }
    if (count <= 0) {
        return false;
    }
    m_filePosition += static_cast<std::uint64_t>(count);
    m_state->next_in = m_input.data();
    m_state->avail_in = static_cast<std::uint32_t>(count);
    return true;
}

// After a member: true when another one follows; what else follows is no part of the text.
bool GzipSource::nextMember() {
    if (m_state->avail_in == 0 && !fillInput()) {
        return false;
    }
    if (m_state->next_in[0] != 0x1f) {
        const std::uint64_t rest = m_file->identity().bytes - (m_filePosition - m_state->avail_in);
        setIssue(Issue::TrailingGarbage, fmt::format("{} bytes after the gzip data", rest));
        return false;
    }
    isal_inflate_reset(m_state.get());
    m_state->crc_flag = ISAL_GZIP;
    return true;
}

void GzipSource::stopAtEndOfFile() {
    if (!m_ended) {
        m_ended = true;
        setIssue(Issue::TruncatedGzip, fmt::format("ends after {} bytes of the file, {} of text",
                                                   m_filePosition, m_textPosition));
    }
}

void GzipSource::inflateSome() {
    const int status = isal_inflate(m_state.get());
    if (status < 0) {
        m_ended = true;
        setIssue(Issue::DamagedGzip, fmt::format("damaged near byte {} of the file",
                                                 m_filePosition - m_state->avail_in));
    }
}

std::size_t GzipSource::read(char* to, std::size_t capacity) {
    m_state->next_out = reinterpret_cast<std::uint8_t*>(to);
    m_state->avail_out = static_cast<std::uint32_t>(
        std::min<std::size_t>(capacity, std::numeric_limits<std::uint32_t>::max()));
    const std::uint32_t room = m_state->avail_out;
    while (!m_ended && m_state->avail_out > 0) {
        const std::uint32_t before = m_state->avail_out;
        if (m_state->block_state == ISAL_BLOCK_FINISH) {
            m_ended = !nextMember();
            continue;
        }
        const bool dry = m_state->avail_in == 0 && !fillInput();
        if (!m_ended) {
            inflateSome();
            m_textPosition += before - m_state->avail_out;
            if (dry && before == m_state->avail_out && m_state->block_state != ISAL_BLOCK_FINISH) {
                stopAtEndOfFile();
            }
        }
    }
    const std::size_t got = room - m_state->avail_out;
    if (m_textPosition >= m_nextCheckpoint && !m_ended) {
        keepCheckpoint();
    }
    return got;
}

void GzipSource::keepCheckpoint() {
    auto point = std::make_shared<GzipCheckpoint>();
    point->textPosition = m_textPosition;
    point->filePosition = m_filePosition - m_state->avail_in;
    point->state = *m_state;
    point->state.next_in = nullptr;
    point->state.next_out = nullptr;
    m_checkpoints->push_back(std::move(point));
    m_nextCheckpoint = m_textPosition + kCheckpointDistance;
}

std::shared_ptr<const EventText> GzipSource::eventText() const {
    return std::make_shared<StoredEvents>(*m_file, std::make_unique<GzipRestart>(m_checkpoints));
}

}  // namespace kinetoscope
