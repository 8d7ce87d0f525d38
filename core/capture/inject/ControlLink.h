// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <mutex>
#include <string>
#include <string_view>

#include "core/stream/OwnDescriptor.h"

namespace kinetoscope::capture::inject {

/// The recorded process's end of the socket to `kscope record`: sends events as lines, and receives
/// "start" and "stop". A socket that the program has closed is opened again. If kscope is out of
/// reach, messages for the user go to standard error, as long as that is still the one from the
/// start. Any thread may send; one receives commands.
class ControlLink {
public:
    ControlLink() = default;
    ControlLink(const ControlLink&) = delete;
    ControlLink& operator=(const ControlLink&) = delete;
    ~ControlLink() = default;

    /// A socket that is not there (another host, kscope has ended) is not an error.
    void open(const std::string& path);
    /// "file PATH": this process writes there.
    void tellFile(const std::string& path);
    /// "note TEXT": one line for the user, cut after some thousand characters. Allocates nothing
    /// while the socket is still the same.
    void tell(std::string_view text);
    /// The next command, waiting for one up to `timeoutMs`; empty when none came.
    [[nodiscard]] std::string next(int timeoutMs);
    /// In the child of a fork, whose parent keeps the socket.
    void abandon() { m_socket.close(); }

private:
    [[nodiscard]] bool reachSocket();
    [[nodiscard]] bool send(std::string_view line);
    void receive();

    std::mutex m_mutex;  // of the socket and its path
    std::string m_path;  // empty: not to be opened again
    stream::OwnDescriptor m_socket;
    std::string m_received;
    bool m_hasErrors = false;  // a standard error, and which file that was
    dev_t m_errorsDevice = 0;
    ino_t m_errorsInode = 0;
};

}  // namespace kinetoscope::capture::inject
