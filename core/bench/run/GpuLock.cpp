// SPDX-License-Identifier: Apache-2.0
#include "core/bench/run/GpuLock.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

namespace kinetoscope::bench::run {

Result<GpuLock> GpuLock::take(const std::string& uuid, const std::function<void()>& waiting) {
    // The same place for all users: a lock in a home folder would not exclude another user.
    std::error_code ignored;
    const auto folder = std::filesystem::temp_directory_path(ignored);
    const std::string path = (folder / fmt::format("kinetoscope-{}.lock", uuid)).string();
    int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    if (descriptor < 0) {
        descriptor = ::open(path.c_str(), O_RDONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0644);
    }
    if (descriptor < 0) {
        return fail(fmt::format("'{}': the lock of the GPU cannot be opened: {}", path,
                                std::strerror(errno)),
                    ErrorKind::Output);
    }
    if (::flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
        waiting();
        while (::flock(descriptor, LOCK_EX) != 0 && errno == EINTR) {
        }
    }
    return GpuLock(descriptor);
}

GpuLock::~GpuLock() {
    if (m_descriptor >= 0) {
        ::close(m_descriptor);
    }
}

}  // namespace kinetoscope::bench::run
