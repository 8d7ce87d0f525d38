// SPDX-License-Identifier: Apache-2.0
#include "core/export/CaptureFile.h"

#include <fmt/format.h>

#include "core/stream/CaptureEvent.h"

namespace kinetoscope {

using namespace capture;

namespace {

constexpr std::size_t kReadBytes = 4U << 20;

std::string bytesAt(const InputFile& file, std::uint64_t offset, std::size_t count) {
    std::string bytes(count, '\0');
    std::size_t have = 0;
    while (have < count) {
        const std::int64_t got = file.read(bytes.data() + have, count - have, offset + have);
        if (got <= 0) {
            break;
        }
        have += static_cast<std::size_t>(got);
    }
    bytes.resize(have);
    return bytes;
}

}  // namespace

Result<CaptureFile> CaptureFile::open(const std::string& path) {
    auto file = InputFile::open(path);
    if (!file) {
        return tl::unexpected(file.error());
    }
    if (!ChunkReader::isCapture(bytesAt(**file, 0, kMagic.size()))) {
        return fail(fmt::format("'{}' is no capture of kscope record", path));
    }
    return CaptureFile(std::move(*file));
}

bool CaptureFile::more() {
    m_bytes.erase(0, m_at);
    m_at = 0;
    const std::size_t have = m_bytes.size();
    m_bytes.resize(have + kReadBytes);
    const std::int64_t got = m_file->read(m_bytes.data() + have, kReadBytes, m_position + have);
    m_bytes.resize(have + (got > 0 ? static_cast<std::size_t>(got) : 0));
    return got > 0;
}

bool CaptureFile::next(Chunk& chunk) {
    for (;;) {
        const std::string_view rest = std::string_view(m_bytes).substr(m_at);
        switch (m_reader.next(rest, chunk)) {
            case ChunkStatus::Chunk:
                m_payloadOffset = m_position + chunk.payloadOffset;
                m_position += m_reader.consumed();
                m_at += m_reader.consumed();
                return true;
            case ChunkStatus::Damaged:
                m_problem = fmt::format("{}; everything before byte {} was read", m_reader.reason(),
                                        m_position);
                return false;
            case ChunkStatus::NeedMore:
                if (!more()) {
                    m_problem =
                        m_bytes.empty() ? std::string() : "the file ends in the middle of a chunk";
                    return false;
                }
        }
    }
}

Result<CaptureSummary> summarizeCapture(const std::string& path) {
    auto input = InputFile::open(path);
    if (!input) {
        return tl::unexpected(input.error());
    }
    auto file = CaptureFile::open(path);
    if (!file) {
        return tl::unexpected(file.error());
    }
    Chunk first;
    if (!file->next(first) || first.type != ChunkType::Header) {
        return fail(fmt::format("'{}' is a capture without a whole beginning", path));
    }
    CaptureSummary summary;
    auto info = parseCaptureInfo(first.payload);
    if (!info) {
        return fail(fmt::format("'{}' cannot be read: {}", path, info.error().message));
    }
    summary.info = std::move(*info);
    summary.headerJson = std::string(first.payload);
    summary.bytes = (*input)->identity().bytes;
    std::uint64_t at = file->position();
    for (;;) {
        const std::string bytes = bytesAt(**input, at, sizeof(ChunkHeader));
        if (bytes.size() < sizeof(ChunkHeader)) {
            return summary;
        }
        const auto header = recordOf<ChunkHeader>(bytes);
        if (header.size > kLargestPayload) {
            return summary;
        }
        if (header.type == static_cast<std::uint32_t>(ChunkType::Device)) {
            if (auto device =
                    parseCaptureDevice(bytesAt(**input, at + sizeof header, header.size))) {
                summary.devices.push_back(std::move(*device));
            }
        }
        at += sizeof header + padded(header.size);
    }
}

}  // namespace kinetoscope
