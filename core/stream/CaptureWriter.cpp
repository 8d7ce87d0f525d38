// SPDX-License-Identifier: Apache-2.0
#include "core/stream/CaptureWriter.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstring>
#include <utility>

#include "core/stream/Checksum.h"

namespace kinetoscope {

using namespace capture;

CaptureWriter::~CaptureWriter() {
    if (m_descriptor >= 0) {
        ::close(m_descriptor);
    }
}

bool CaptureWriter::failed(int error) {
    m_error = error;
    return false;
}

bool CaptureWriter::create(const std::string& path, std::string_view header) {
    m_path = path;
    m_descriptor = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (m_descriptor < 0) {
        return failed(errno);
    }
    if (!writeAll(kMagic)) {
        return false;
    }
    m_bytes = kMagic.size();
    return append(ChunkType::Header, header);
}

bool CaptureWriter::writeAll(std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t done = ::write(m_descriptor, bytes.data(), bytes.size());
        if (done < 0 && errno != EINTR) {
            return failed(errno);
        }
        if (done > 0) {
            bytes.remove_prefix(static_cast<std::size_t>(done));
        }
    }
    return true;
}

bool CaptureWriter::append(ChunkType type, std::string_view payload) {
    if (!usable()) {
        return false;
    }
    if (payload.size() > kLargestPayload) {
        return failed(EFBIG);
    }
    ChunkHeader header;
    header.type = static_cast<std::uint32_t>(type);
    header.size = static_cast<std::uint32_t>(payload.size());
    header.sequence = m_sequence;
    const std::string_view fields(reinterpret_cast<const char*>(&header),
                                  offsetof(ChunkHeader, checksum));
    header.checksum = crc32c(payload, crc32c(fields));
    // One write for the whole chunk: what a killed process leaves is then rarely cut at all.
    m_chunk.assign(reinterpret_cast<const char*>(&header), sizeof header);
    m_chunk.append(payload);
    m_chunk.resize(sizeof header + padded(payload.size()));
    if (!writeAll(m_chunk)) {
        // The disk is full, mostly; the part of this chunk that got through is of no use.
        const int cut = ::ftruncate(m_descriptor, static_cast<off_t>(m_bytes));
        static_cast<void>(cut);
        return false;
    }
    m_bytes += m_chunk.size();
    ++m_sequence;
    return true;
}

bool CaptureWriter::finish(std::string_view footer) {
    if (!append(ChunkType::Footer, footer)) {
        return false;
    }
    if (::fsync(m_descriptor) != 0 && errno != EINVAL && errno != EROFS) {
        return failed(errno);
    }
    return ::close(std::exchange(m_descriptor, -1)) == 0 || failed(errno);
}

void CaptureWriter::abandon() {
    if (m_descriptor >= 0) {
        ::close(std::exchange(m_descriptor, -1));
    }
}

}  // namespace kinetoscope
