// SPDX-License-Identifier: Apache-2.0
#include "core/capture/LocalSocket.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace kinetoscope::capture {

namespace {

constexpr int kWaiting = 64;
// A listener that does not answer (a stopped one, say) does not delay a recorded program.
constexpr timeval kPatience{2, 0};

// Addresses hold 107 characters; through a descriptor of the folder any path fits.
class Address {
public:
    explicit Address(const std::string& path) {
        const std::size_t slash = path.rfind('/');
        const std::string folder = slash == std::string::npos ? "." : path.substr(0, slash + 1);
        m_folder = ::open(folder.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC);
        const std::string name =
            "/proc/self/fd/" + std::to_string(m_folder) + "/" + path.substr(slash + 1);
        m_address.sun_family = AF_UNIX;
        m_fits = m_folder >= 0 && name.size() < sizeof m_address.sun_path;
        if (m_fits) {
            std::memcpy(m_address.sun_path, name.c_str(), name.size() + 1);
        }
    }
    Address(const Address&) = delete;
    Address& operator=(const Address&) = delete;
    ~Address() {
        if (m_folder >= 0) {
            ::close(m_folder);
        }
    }
    [[nodiscard]] bool fits() const { return m_fits; }
    [[nodiscard]] const sockaddr* get() const {
        return reinterpret_cast<const sockaddr*>(&m_address);
    }

private:
    sockaddr_un m_address{};
    int m_folder = -1;
    bool m_fits = false;
};

int closed(int socket) {
    const int error = errno;
    ::close(socket);
    errno = error;
    return -1;
}

}  // namespace

int listenLocally(const std::string& path) {
    const Address address(path);
    const int socket = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (socket < 0 || !address.fits()) {
        return socket < 0 ? -1 : closed(socket);
    }
    // The mode holds from the first moment: the mask applies to the socket's file.
    const mode_t mask = ::umask(0177);
    const int bound = ::bind(socket, address.get(), sizeof(sockaddr_un));
    ::umask(mask);
    return bound == 0 && ::listen(socket, kWaiting) == 0 ? socket : closed(socket);
}

int connectLocally(const std::string& path) {
    const Address address(path);
    const int socket = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (socket < 0 || !address.fits()) {
        return socket < 0 ? -1 : closed(socket);
    }
    ::setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &kPatience, sizeof kPatience);
    return ::connect(socket, address.get(), sizeof(sockaddr_un)) == 0 ? socket : closed(socket);
}

bool peerIsSameUser(int socket) {
    ucred peer{};
    socklen_t size = sizeof peer;
    return ::getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 &&
           peer.uid == ::geteuid();
}

}  // namespace kinetoscope::capture
