// SPDX-License-Identifier: Apache-2.0
#include "core/text/OutputFile.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <utility>

#include "core/base/TemporaryFiles.h"

namespace kinetoscope::text {

namespace {

tl::unexpected<Error> outputError(const std::string& path, int code) {
    return fail(fmt::format("'{}': cannot be written: {}", path, std::strerror(code)),
                ErrorKind::Output);
}

// Fails with EEXIST when `to` is there. Not every file system can rename so, nor link.
bool renameNew(const std::string& from, const std::string& to) {
    if (::renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE) == 0) {
        return true;
    }
    if (errno != EINVAL && errno != ENOSYS) {
        return false;
    }
    if (::link(from.c_str(), to.c_str()) == 0) {
        ::unlink(from.c_str());
        return true;
    }
    if (errno != EPERM && errno != EOPNOTSUPP && errno != ENOSYS) {
        return false;
    }
    const int reserved = ::open(to.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    return reserved >= 0 && ::close(reserved) == 0 && std::rename(from.c_str(), to.c_str()) == 0;
}

// A new file gets what the process's mask leaves; one that is replaced keeps its rights.
mode_t rightsFor(const std::string& path) {
    struct stat known {};
    if (::stat(path.c_str(), &known) == 0) {
        return known.st_mode & 07777U;
    }
    const mode_t mask = ::umask(0);
    ::umask(mask);
    return 0666U & ~mask;
}

// A link is followed, so that the file it points to is the one replaced.
std::string targetOf(const std::string& path) {
    std::error_code error;
    const auto target = std::filesystem::canonical(path, error);
    return error ? path : target.string();
}

}  // namespace

Result<OutputFile> OutputFile::create(const std::string& path) {
    struct stat known {};
    const bool exists = ::stat(path.c_str(), &known) == 0;
    if (exists && S_ISDIR(known.st_mode)) {
        return outputError(path, EISDIR);
    }
    if (exists && !S_ISREG(known.st_mode)) {
        const int descriptor = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
        if (descriptor < 0) {
            return outputError(path, errno);
        }
        return OutputFile(path, {}, descriptor);
    }
    if (exists && ::access(path.c_str(), W_OK) != 0) {
        return outputError(path, errno);
    }
    const std::string target = targetOf(path);
    std::string temporary;
    const int descriptor = openUniqueFile(target + ".", temporary);
    if (descriptor < 0) {
        return outputError(path, errno);
    }
    if (::fchmod(descriptor, rightsFor(target)) != 0) {
        const int code = errno;
        ::close(descriptor);
        ::unlink(temporary.c_str());
        releaseTemporaryFile(temporary);
        return outputError(path, code);
    }
    return OutputFile(target, std::move(temporary), descriptor);
}

OutputFile::OutputFile(std::string path, std::string temporary, int descriptor)
    : m_path(std::move(path)), m_temporary(std::move(temporary)), m_descriptor(descriptor) {}

OutputFile::OutputFile(OutputFile&& other) noexcept
    : m_path(std::move(other.m_path)),
      m_temporary(std::exchange(other.m_temporary, {})),
      m_descriptor(std::exchange(other.m_descriptor, -1)),
      m_written(other.m_written) {}

OutputFile::~OutputFile() {
    if (m_descriptor >= 0) {
        ::close(m_descriptor);
    }
    if (!m_temporary.empty()) {
        ::unlink(m_temporary.c_str());
        releaseTemporaryFile(m_temporary);
    }
}

Result<void> OutputFile::failed(int code) const {
    return outputError(m_path, code);
}

Result<void> OutputFile::write(std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t done = ::write(m_descriptor, bytes.data(), bytes.size());
        if (done < 0 && errno != EINTR) {
            return failed(errno);
        }
        if (done > 0) {
            bytes.remove_prefix(static_cast<std::size_t>(done));
            m_written += static_cast<std::uint64_t>(done);
        }
    }
    return {};
}

// Puts everything on the disk and closes the file.
Result<void> OutputFile::store() {
    if (!m_temporary.empty() && ::fsync(m_descriptor) != 0) {
        return failed(errno);
    }
    return ::close(std::exchange(m_descriptor, -1)) == 0 ? Result<void>{} : failed(errno);
}

Result<bool> OutputFile::commitNew(const std::string& path) {
    if (auto stored = m_descriptor >= 0 ? store() : Result<void>{}; !stored) {
        return tl::unexpected(stored.error());
    }
    if (!renameNew(m_temporary, path)) {
        return errno == EEXIST ? Result<bool>(false) : outputError(path, errno);
    }
    releaseTemporaryFile(std::exchange(m_temporary, {}));
    return true;
}

Result<void> OutputFile::commit() {
    if (auto stored = store(); !stored) {
        return stored;
    }
    if (!m_temporary.empty() && std::rename(m_temporary.c_str(), m_path.c_str()) != 0) {
        return failed(errno);
    }
    releaseTemporaryFile(std::exchange(m_temporary, {}));
    return {};
}

Result<void> writeFile(const std::string& path, std::string_view text) {
    auto file = OutputFile::create(path);
    if (!file) {
        return tl::unexpected(file.error());
    }
    if (auto written = file->write(text); !written) {
        return written;
    }
    return file->commit();
}

}  // namespace kinetoscope::text
