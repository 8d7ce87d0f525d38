// SPDX-License-Identifier: Apache-2.0
#include "core/import/source/InputFile.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "core/import/source/StandardInput.h"

namespace kinetoscope::import::source {

namespace {

std::string reason(const std::string& path, int error) {
    switch (error) {
        case ENOENT:
        case ENOTDIR:
            return fmt::format("'{}': does not exist", path);
        case EACCES:
        case EPERM:
            return fmt::format("'{}': cannot be opened: permission denied", path);
        default:
            return fmt::format("'{}': cannot be opened: {}", path, std::strerror(error));
    }
}

FileIdentity identityOf(const struct stat& status) {
    return {static_cast<std::uint64_t>(status.st_size),
            status.st_mtim.tv_sec * 1'000'000'000 + status.st_mtim.tv_nsec};
}

Result<int> openDescriptor(const std::string& path) {
    if (path == kStandardInput) {
        const auto input = standardInput();
        return input ? Result<int>(::fcntl(*input, F_DUPFD_CLOEXEC, 0)) : input;
    }
    // A pipe without a writer must not make the call wait.
    return ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
}

}  // namespace

Result<std::shared_ptr<const InputFile>> InputFile::open(const std::string& path) {
    const auto opened = openDescriptor(path);
    if (!opened) {
        return tl::unexpected(opened.error());
    }
    const int descriptor = *opened;
    if (descriptor < 0) {
        return fail(reason(path, errno));
    }
    std::shared_ptr<InputFile> file(new InputFile(path, descriptor));
    struct stat status {};
    if (::fstat(descriptor, &status) != 0) {
        return fail(reason(path, errno));
    }
    if (S_ISDIR(status.st_mode)) {
        return fail(fmt::format("'{}': is a directory; give a trace file inside it", path));
    }
    if (!S_ISREG(status.st_mode)) {
        return fail(fmt::format(
            "'{}': is not a regular file; save its content to a file first, or pipe it into -",
            path));
    }
    file->m_identity = identityOf(status);
    return file;
}

Result<std::shared_ptr<const InputFile>> InputFile::reopen(const std::string& path,
                                                           const FileIdentity& identity) {
    auto file = open(path);
    if (file && (*file)->identity() != identity) {
        return fail(fmt::format("'{}': has changed since it was read; open it again", path));
    }
    return file;
}

InputFile::~InputFile() {
    ::close(m_file);
}

bool InputFile::changed() const {
    struct stat status {};
    return ::fstat(m_file, &status) != 0 || identityOf(status) != m_identity;
}

std::int64_t InputFile::read(char* to, std::size_t capacity, std::uint64_t offset) const {
    ssize_t count = 0;
    do {
        count = ::pread(m_file, to, capacity, static_cast<off_t>(offset));
    } while (count < 0 && errno == EINTR);
    return count;
}

}  // namespace kinetoscope::import::source
