// SPDX-License-Identifier: Apache-2.0
#include "core/capture/ControlLink.h"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <ctime>
#include <utility>

#include "core/capture/LocalSocket.h"

namespace kinetoscope {

ControlLink::~ControlLink() {
    abandon();
}

void ControlLink::abandon() {
    if (m_socket >= 0) {
        ::close(std::exchange(m_socket, -1));
    }
}

void ControlLink::open(const std::string& path) {
    if (!path.empty()) {
        m_socket = connectLocally(path);
    }
}

void ControlLink::send(std::string_view word, std::string_view text) {
    std::string line(word);
    line += ' ';
    line += text;
    std::ranges::replace(line, '\n', ' ');
    line += '\n';
    if (m_socket >= 0 && ::send(m_socket, line.data(), line.size(), MSG_NOSIGNAL) < 0) {
        abandon();
    }
}

void ControlLink::tellFile(const std::string& path) {
    send("file", path);
}

void ControlLink::tell(std::string_view text) {
    if (m_socket >= 0) {
        return send("note", text);
    }
    std::string line = "kinetoscope: ";
    line += text;
    line += '\n';
    const ssize_t written = ::write(STDERR_FILENO, line.data(), line.size());
    static_cast<void>(written);
}

std::string ControlLink::next(int timeoutMs) {
    pollfd waiting{m_socket, POLLIN, 0};
    if (m_received.find('\n') == std::string::npos && ::poll(&waiting, 1, timeoutMs) > 0) {
        char bytes[256];
        const ssize_t count = ::recv(m_socket, bytes, sizeof bytes, MSG_DONTWAIT);
        if (count > 0) {
            m_received.append(bytes, static_cast<std::size_t>(count));
        } else if (count == 0) {
            abandon();
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

}  // namespace kinetoscope
