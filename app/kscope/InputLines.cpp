// SPDX-License-Identifier: Apache-2.0
#include "app/kscope/InputLines.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

namespace kinetoscope::app {

namespace {

constexpr std::size_t kPiece = 65'536;

}  // namespace

InputLines::InputLines(std::stop_token stop) : m_stop(std::move(stop)) {
    if (pipe2(m_pipe.data(), O_CLOEXEC) != 0) {
        m_pipe = {-1, -1};  // poll() passes over it: a stop is seen with the next line
    }
    m_wakeUp.emplace(m_stop, [this] {
        const char wake = 0;
        [[maybe_unused]] const auto written = write(m_pipe[1], &wake, 1);
    });
}

InputLines::~InputLines() {
    m_wakeUp.reset();
    for (const int end : m_pipe) {
        if (end >= 0) {
            close(end);
        }
    }
}

std::optional<std::string> InputLines::next() {
    std::size_t searched = m_begin;
    while (!m_stop.stop_requested()) {
        const auto end = m_text.find('\n', searched);
        if (end != std::string::npos) {
            std::string line = take(end - m_begin);
            ++m_begin;
            return line;
        }
        m_text.erase(0, std::exchange(m_begin, 0));
        searched = m_text.size();
        if (m_ended || !readMore()) {
            m_ended = true;
            return m_begin < m_text.size() ? std::optional(take(m_text.size() - m_begin))
                                           : std::nullopt;
        }
    }
    return std::nullopt;
}

// False at the end of the input and after a stop.
bool InputLines::readMore() {
    std::array<pollfd, 2> both{pollfd{STDIN_FILENO, POLLIN, 0}, pollfd{m_pipe[0], POLLIN, 0}};
    const std::size_t before = m_text.size();
    ssize_t count = -1;
    while (count < 0 && !m_stop.stop_requested()) {
        if (poll(both.data(), both.size(), -1) < 0 || both[0].revents == 0) {
            continue;
        }
        m_text.resize(before + kPiece);
        count = read(STDIN_FILENO, m_text.data() + before, kPiece);
        m_text.resize(before + static_cast<std::size_t>(count > 0 ? count : 0));
        if (count < 0 && errno != EINTR && errno != EAGAIN) {
            return false;
        }
    }
    return count > 0;
}

std::string InputLines::take(std::size_t length) {
    std::string line = m_text.substr(m_begin, length);
    m_begin += length;
    return line;
}

}  // namespace kinetoscope::app
