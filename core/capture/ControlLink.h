// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace kinetoscope {

/// The recorded process's end of the socket to `kscope record`: says what happens in lines, and
/// hears "start" and "stop". Without a socket, what a person should know goes to standard error.
class ControlLink {
public:
    ControlLink() = default;
    ControlLink(const ControlLink&) = delete;
    ControlLink& operator=(const ControlLink&) = delete;
    ~ControlLink();

    /// A socket that is not there (another host, kscope has ended) is no error.
    void open(const std::string& path);
    /// "file PATH": this process writes there.
    void tellFile(const std::string& path);
    /// "note TEXT": one line for a person.
    void tell(std::string_view text);
    /// The next command, waiting for one up to `timeoutMs`; empty when none came.
    [[nodiscard]] std::string next(int timeoutMs);
    void abandon();

private:
    void send(std::string_view word, std::string_view text);

    int m_socket = -1;
    std::string m_received;
};

}  // namespace kinetoscope
