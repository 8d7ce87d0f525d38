// SPDX-License-Identifier: Apache-2.0
#include "core/convert/CaptureFile.h"

#include <fmt/format.h>

#include <optional>

#include "core/import/capture/CaptureTrace.h"
#include "core/import/source/OpenTextSource.h"
#include "core/import/source/TextBytes.h"
#include "core/stream/CaptureEvent.h"

namespace kinetoscope::convert {

using namespace stream::format;

namespace {

constexpr std::size_t kReadBytes = 4U << 20;

tl::unexpected<Error> noCapture(const std::string& path) {
    return fail(fmt::format("'{}': is not a capture of kscope record", path));
}

// A chunk at the bytes' position; nothing if there is none, or it is cut. The payload is read only
// for the `wanted` types and skipped for others.
struct FoundChunk {
    stream::format::ChunkType type{};
    std::string payload;
};

template <class Wanted>
std::optional<FoundChunk> nextChunk(import::source::TextBytes& bytes, std::uint32_t sequence,
                                    const Wanted& wanted) {
    const std::string head = bytes.take(sizeof(stream::format::ChunkHeader));
    if (head.size() < sizeof(stream::format::ChunkHeader)) {
        return std::nullopt;
    }
    const auto header = stream::recordOf<stream::format::ChunkHeader>(head);
    if (header.sequence != sequence || header.size > stream::format::kMaxPayloadBytes) {
        return std::nullopt;
    }
    FoundChunk chunk{static_cast<stream::format::ChunkType>(header.type), {}};
    const std::uint64_t end = bytes.position() + stream::format::padded(header.size);
    if (wanted(chunk.type)) {
        chunk.payload = bytes.take(header.size);
        if (chunk.payload.size() < header.size ||
            !stream::hasRightChecksum(header, chunk.payload)) {
            return std::nullopt;
        }
    }
    return bytes.goTo(end) ? std::optional(std::move(chunk)) : std::nullopt;
}

}  // namespace

Result<CaptureFile> CaptureFile::open(const std::string& path) {
    auto source = import::source::openTextSource(path);
    if (!source) {
        return tl::unexpected(source.error());
    }
    CaptureFile file(std::move(*source));
    while (file.m_bytes.size() < stream::format::kMagic.size() && file.more()) {
    }
    return stream::ChunkReader::isCapture(file.m_bytes) ? Result<CaptureFile>(std::move(file))
                                                        : noCapture(path);
}

bool CaptureFile::more() {
    m_bytes.erase(0, m_at);
    m_at = 0;
    const std::size_t have = m_bytes.size();
    m_bytes.resize(have + kReadBytes);
    const std::size_t got = m_source->read(m_bytes.data() + have, kReadBytes);
    m_bytes.resize(have + got);
    return got > 0;
}

bool CaptureFile::next(stream::Chunk& chunk) {
    for (;;) {
        const std::string_view rest = std::string_view(m_bytes).substr(m_at);
        switch (m_reader.next(rest, chunk)) {
            case stream::ChunkStatus::Chunk:
                m_payloadOffset = m_position + chunk.payloadOffset;
                m_position += m_reader.consumed();
                m_at += m_reader.consumed();
                return true;
            case stream::ChunkStatus::Damaged:
                m_problem = fmt::format("{}; everything before byte {} was read", m_reader.reason(),
                                        m_position);
                return false;
            case stream::ChunkStatus::NeedMore:
                if (!more()) {
                    m_problem = m_source->issue() ? m_source->issue()->example
                                : m_bytes.empty() ? std::string()
                                                  : "the file ends in the middle of a chunk";
                    return false;
                }
        }
    }
}

Result<CaptureSummary> summarizeCapture(const std::string& path) {
    auto source = import::source::openTextSource(path);
    if (!source) {
        return tl::unexpected(source.error());
    }
    import::source::TextBytes bytes(**source);
    if (bytes.take(stream::format::kMagic.size()) != stream::format::kMagic) {
        return noCapture(path);
    }
    std::uint32_t sequence = 0;
    const auto first = nextChunk(bytes, sequence++, [](stream::format::ChunkType) { return true; });
    if (!first) {
        return fail(import::capture::beginningMissing(path));
    }
    auto info = first->type == stream::format::ChunkType::Header
                    ? stream::parseCaptureInfo(first->payload)
                    : fail(std::string(stream::kNoHeader));
    if (!info) {
        return fail(fmt::format("'{}': cannot be read: {}", path, info.error().message));
    }
    CaptureSummary summary;
    summary.info = std::move(*info);
    summary.headerJson = first->payload;
    summary.bytes = (*source)->fileBytes();
    const auto isDevice = [](stream::format::ChunkType type) {
        return type == stream::format::ChunkType::Device;
    };
    while (const auto chunk = nextChunk(bytes, sequence++, isDevice)) {
        if (auto device = isDevice(chunk->type) ? stream::parseCaptureDevice(chunk->payload)
                                                : std::optional<stream::CaptureDevice>()) {
            stream::addDevice(summary.devices, std::move(*device));
        }
    }
    if (const auto& issue = (*source)->issue()) {
        summary.problem = issue->example;
    }
    return summary;
}

}  // namespace kinetoscope::convert
