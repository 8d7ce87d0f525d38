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

namespace kinetoscope::stream {

using namespace format;

bool CaptureWriter::failed(int error) {
    m_error = error;
    return false;
}

bool CaptureWriter::create(const std::string& path, std::string_view header) {
    m_path = path;
    m_file = OwnDescriptor(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
    if (!m_file.isOpen()) {
        return failed(errno);
    }
    if (!writeAll(format::kMagic)) {
        return false;
    }
    m_bytes = format::kMagic.size();
    return append(format::ChunkType::Header, header);
}

// The position in the file distinguishes it from one that has got the same inode since.
bool CaptureWriter::reachFile() {
    const auto end = static_cast<off_t>(m_bytes);
    if (m_file.isOurs() && ::lseek(m_file.get(), 0, SEEK_CUR) == end) {
        return true;
    }
    // Not to be closed if it is the program's own way to this file.
    m_file.forget();
    OwnDescriptor again(::open(m_path.c_str(), O_WRONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
    const int error = again.isOpen() ? ESTALE : errno;
    m_lost =
        !again.isOpen() || !again.isSameFileAs(m_file) || ::lseek(again.get(), 0, SEEK_END) != end;
    if (m_lost) {
        return failed(error);
    }
    ++m_reopened;
    m_file = std::move(again);
    return true;
}

bool CaptureWriter::writeAll(std::string_view bytes) {
    while (!bytes.empty()) {
        if (!m_file.isOurs()) {
            return failed(EBADF);
        }
        const ssize_t done = ::write(m_file.get(), bytes.data(), bytes.size());
        if (done < 0 && errno != EINTR) {
            return failed(errno);
        }
        if (done > 0) {
            bytes.remove_prefix(static_cast<std::size_t>(done));
        }
    }
    return true;
}

bool CaptureWriter::append(format::ChunkType type, std::string_view payload) {
    if (!usable() || !reachFile()) {
        return false;
    }
    if (payload.size() > format::kMaxPayloadBytes) {
        return failed(EFBIG);
    }
    format::ChunkHeader header;
    header.type = static_cast<std::uint32_t>(type);
    header.size = static_cast<std::uint32_t>(payload.size());
    header.sequence = m_sequence;
    const std::string_view fields(reinterpret_cast<const char*>(&header),
                                  offsetof(format::ChunkHeader, checksum));
    header.checksum = crc32c(payload, crc32c(fields));
    // One write for the whole chunk: what a killed process leaves is then rarely cut at all.
    m_chunk.assign(reinterpret_cast<const char*>(&header), sizeof header);
    m_chunk.append(payload);
    m_chunk.resize(sizeof header + format::padded(payload.size()));
    if (!writeAll(m_chunk)) {
        // The disk is full, mostly; the part of this chunk that got through is of no use.
        const int cut =
            m_file.isOurs() ? ::ftruncate(m_file.get(), static_cast<off_t>(m_bytes)) : -1;
        static_cast<void>(cut);
        return false;
    }
    m_bytes += m_chunk.size();
    ++m_sequence;
    return true;
}

bool CaptureWriter::finish(std::string_view footer) {
    if (!append(format::ChunkType::Footer, footer)) {
        return false;
    }
    if (m_file.isOurs() && ::fsync(m_file.get()) != 0 && errno != EINVAL && errno != EROFS) {
        return failed(errno);
    }
    return m_file.close() || failed(errno);
}

void CaptureWriter::abandon() {
    m_file.close();
}

}  // namespace kinetoscope::stream
