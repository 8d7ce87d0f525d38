// SPDX-License-Identifier: Apache-2.0
#include "core/capture/inject/ControlLink.h"

#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "core/capture/LocalSocket.h"

namespace kinetoscope::capture::inject {

namespace {

// On the stack: the last message may be about a lack of memory.
class Line {
public:
    Line(std::string_view begin, std::string_view text) {
        add(begin);
        add(text);
        std::replace(m_bytes.begin(), m_bytes.begin() + m_size, '\n', ' ');
        m_bytes[static_cast<std::size_t>(m_size++)] = '\n';
    }
    [[nodiscard]] std::string_view text() const {
        return {m_bytes.data(), static_cast<std::size_t>(m_size)};
    }

private:
    void add(std::string_view text) {
        const auto room = static_cast<std::ptrdiff_t>(m_bytes.size()) - 1 - m_size;
        const auto size = std::min(static_cast<std::ptrdiff_t>(text.size()), room);
        std::copy_n(text.begin(), size, m_bytes.begin() + m_size);
        m_size += size;
    }

    std::array<char, 4608> m_bytes;  // a path and some words
    std::ptrdiff_t m_size = 0;
};

}  // namespace

void ControlLink::open(const std::string& path) {
    struct stat status {};
    m_hasErrors = ::fstat(STDERR_FILENO, &status) == 0;
    m_errorsDevice = status.st_dev;
    m_errorsInode = status.st_ino;
    if (!path.empty()) {
        m_path = path;
        m_socket = stream::OwnDescriptor(connectLocally(path));
    }
}

bool ControlLink::reachSocket() {
    if (m_socket.isOpen() && !m_socket.isOurs()) {
        m_socket = stream::OwnDescriptor(connectLocally(m_path));
    }
    return m_socket.isOpen();
}

bool ControlLink::send(std::string_view line) {
    const std::lock_guard lock(m_mutex);
    if (!reachSocket()) {
        return false;
    }
    if (::send(m_socket.get(), line.data(), line.size(), MSG_NOSIGNAL) < 0) {
        m_socket.close();
        return false;
    }
    return true;
}

void ControlLink::tellFile(const std::string& path) {
    static_cast<void>(send(Line("file ", path).text()));
}

void ControlLink::tell(std::string_view text) {
    struct stat status {};
    if (send(Line("note ", text).text()) || !m_hasErrors || ::fstat(STDERR_FILENO, &status) != 0 ||
        status.st_dev != m_errorsDevice || status.st_ino != m_errorsInode) {
        return;
    }
    const Line line("kinetoscope: ", text);
    const ssize_t written = ::write(STDERR_FILENO, line.text().data(), line.text().size());
    static_cast<void>(written);
}

void ControlLink::receive() {
    const std::lock_guard lock(m_mutex);
    // The number may have become the program's while we waited.
    if (!m_socket.isOurs()) {
        return;
    }
    char bytes[256];
    const ssize_t count = ::recv(m_socket.get(), bytes, sizeof bytes, MSG_DONTWAIT);
    if (count > 0) {
        m_received.append(bytes, static_cast<std::size_t>(count));
    } else if (count == 0 || (errno != EAGAIN && errno != EINTR)) {
        m_socket.close();
    }
}

std::string ControlLink::next(int timeoutMs) {
    if (m_received.find('\n') == std::string::npos) {
        pollfd waiting{-1, POLLIN, 0};
        {
            const std::lock_guard lock(m_mutex);
            waiting.fd = reachSocket() ? m_socket.get() : -1;
        }
        if (::poll(&waiting, 1, timeoutMs) > 0) {
            receive();
        }
    }
    const std::size_t end = m_received.find('\n');
    if (end == std::string::npos) {
        return {};
    }
    std::string line = m_received.substr(0, end);
    m_received.erase(0, end + 1);
    return line;
}

}  // namespace kinetoscope::capture::inject
