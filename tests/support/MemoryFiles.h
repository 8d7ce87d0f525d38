// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <thread>

namespace kinetoscope::test {

/// A file that is only in memory and yet has a path.
class MemoryFile {
public:
    explicit MemoryFile(std::string_view text) : m_file(::memfd_create("trace", MFD_CLOEXEC)) {
        while (!text.empty()) {
            const ssize_t written = ::write(m_file, text.data(), text.size());
            text.remove_prefix(static_cast<std::size_t>(std::max<ssize_t>(written, 0)));
        }
    }
    MemoryFile(const MemoryFile&) = delete;
    MemoryFile& operator=(const MemoryFile&) = delete;
    ~MemoryFile() { ::close(m_file); }
    [[nodiscard]] std::string path() const { return fmt::format("/proc/self/fd/{}", m_file); }

private:
    int m_file;
};

/// Takes what is written to its path.
class Pipe {
public:
    Pipe() {
        (void)::pipe2(m_ends.data(), O_CLOEXEC);
        m_reader = std::jthread([this] { read(); });
    }
    Pipe(const Pipe&) = delete;
    Pipe& operator=(const Pipe&) = delete;
    ~Pipe() {
        close();
        ::close(m_ends[0]);
    }
    [[nodiscard]] std::string path() const { return fmt::format("/proc/self/fd/{}", m_ends[1]); }
    /// All of it. Nothing can be written then.
    [[nodiscard]] std::string content() {
        close();
        return m_text;
    }

private:
    void close() {
        if (m_reader.joinable()) {
            ::close(m_ends[1]);
            m_reader.join();
        }
    }

    void read() {
        std::array<char, 65536> piece{};
        for (;;) {
            const ssize_t count = ::read(m_ends[0], piece.data(), piece.size());
            if (count <= 0) {
                return;
            }
            m_text.append(piece.data(), static_cast<std::size_t>(count));
        }
    }

    std::array<int, 2> m_ends{};
    std::string m_text;
    std::jthread m_reader;
};

}  // namespace kinetoscope::test
