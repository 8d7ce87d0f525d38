// SPDX-License-Identifier: Apache-2.0
#include "core/stream/OwnDescriptor.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

namespace kinetoscope::stream {

namespace {

constexpr rlim_t kOutOfTheWay = 512;
constexpr int kBehindStandardStreams = 3;

// The same under a number that the program's own next descriptors do not have. A program that was
// started without standard streams would otherwise find ours in their place.
int moved(int opened) {
    rlimit limit{};
    rlim_t least = kOutOfTheWay;
    if (::getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur <= kOutOfTheWay) {
        least = limit.rlim_cur - limit.rlim_cur / 4;
    }
    for (const int from : {static_cast<int>(least), kBehindStandardStreams}) {
        if (const int number = ::fcntl(opened, F_DUPFD_CLOEXEC, from); number >= 0) {
            ::close(opened);
            return number;
        }
    }
    return opened;
}

}  // namespace

OwnDescriptor::OwnDescriptor(int opened) {
    if (opened < 0) {
        return;
    }
    m_number = moved(opened);
    struct stat status {};
    if (::fstat(m_number, &status) == 0) {
        m_device = status.st_dev;
        m_inode = status.st_ino;
    }
}

OwnDescriptor::OwnDescriptor(OwnDescriptor&& other) noexcept
    : m_number(std::exchange(other.m_number, -1)),
      m_device(other.m_device),
      m_inode(other.m_inode) {}

OwnDescriptor& OwnDescriptor::operator=(OwnDescriptor&& other) noexcept {
    if (this != &other) {
        close();
        m_number = std::exchange(other.m_number, -1);
        m_device = other.m_device;
        m_inode = other.m_inode;
    }
    return *this;
}

bool OwnDescriptor::isOurs() const {
    const int error = errno;
    struct stat status {};
    const bool ours = m_number >= 0 && ::fstat(m_number, &status) == 0 &&
                      status.st_dev == m_device && status.st_ino == m_inode;
    errno = error;
    return ours;
}

bool OwnDescriptor::isSameFileAs(const OwnDescriptor& other) const {
    return m_device == other.m_device && m_inode == other.m_inode;
}

bool OwnDescriptor::close() {
    const bool ours = isOurs();
    const int number = std::exchange(m_number, -1);
    return !ours || ::close(number) == 0;
}

}  // namespace kinetoscope::stream
