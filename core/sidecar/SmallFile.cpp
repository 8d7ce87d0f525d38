// SPDX-License-Identifier: Apache-2.0
#include "core/sidecar/SmallFile.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace kinetoscope::sidecar {

namespace {

tl::unexpected<Error> unreadable(int code) {
    return fail(fmt::format("cannot be read: {}", std::strerror(code)));
}

Result<std::string> readAll(int descriptor, std::size_t bytes, std::size_t maxBytes) {
    if (bytes > maxBytes) {
        return fail(fmt::format("has more than {} KiB", maxBytes >> 10U));
    }
    std::string text(bytes, '\0');
    std::size_t size = 0;
    while (size < text.size()) {
        const ssize_t count = ::read(descriptor, text.data() + size, text.size() - size);
        if (count < 0 && errno != EINTR) {
            return unreadable(errno);
        }
        if (count == 0) {
            break;
        }
        size += count > 0 ? static_cast<std::size_t>(count) : 0;
    }
    text.resize(size);
    return text;
}

}  // namespace

Result<std::optional<std::string>> readSmallFile(const std::string& path, std::size_t maxBytes) {
    // A pipe without a writer must not make the call wait.
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (descriptor < 0) {
        return errno == ENOENT || errno == ENOTDIR ? Result<std::optional<std::string>>()
                                                   : unreadable(errno);
    }
    struct stat status {};
    const bool regular = ::fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode);
    Result<std::string> text =
        regular ? readAll(descriptor, static_cast<std::size_t>(status.st_size), maxBytes)
                : fail("is not a regular file");
    ::close(descriptor);
    return text.map([](std::string all) { return std::optional(std::move(all)); });
}

}  // namespace kinetoscope::sidecar
