// SPDX-License-Identifier: Apache-2.0
#include "core/import/source/StandardInput.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "core/base/TemporaryFiles.h"

namespace kinetoscope::import::source {

namespace {

constexpr std::size_t kPiece = 1024 * 1024;
constexpr int kStopCheckMs = 20;

// A nameless file: it disappears with the process, however that ends.
int openNameless(const std::string& folder) {
    const int file = ::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, S_IRUSR | S_IWUSR);
    if (file >= 0 || (errno != EOPNOTSUPP && errno != EISDIR)) {
        return file;
    }
    std::string name;
    const int named = openUniqueFile(folder + "/kscope-", name);
    if (named >= 0) {
        ::unlink(name.c_str());
        releaseTemporaryFile(name);
    }
    return named;
}

bool writeAll(int file, const char* from, std::size_t count) {
    while (count > 0) {
        const ssize_t written = ::write(file, from, count);
        if (written < 0 && errno == EINTR) {
            continue;
        }
        if (written <= 0) {
            return false;
        }
        from += written;
        count -= static_cast<std::size_t>(written);
    }
    return true;
}

// Bytes read, 0 at the end, -1 on errors, -2 when a stop was requested.
ssize_t readSome(std::vector<char>& to, const std::stop_token& stop) {
    for (;;) {
        if (stop.stop_requested()) {
            return -2;
        }
        pollfd wait{STDIN_FILENO, POLLIN, 0};
        const int ready = ::poll(&wait, 1, kStopCheckMs);
        if (ready <= 0) {
            if (ready < 0 && errno != EINTR) {
                return -1;
            }
            continue;
        }
        const ssize_t count = ::read(STDIN_FILENO, to.data(), to.size());
        if (count >= 0 || (errno != EINTR && errno != EAGAIN)) {
            return count;
        }
    }
}

// All of the input is stored before the first byte is parsed. Reading cuts the text into units
// that several threads fetch at any place; cutting a trace passes over it twice; and the importer
// needs a size. Parsing while the input arrives would save a quarter of a second a gigabyte, where
// what writes into a pipe takes seconds for one. A memory file would do as well until the trace is
// larger than the memory; a file is written back by the system when it must be.
Result<int> store(const std::stop_token& stop) {
    const std::string folder = temporaryFolder();
    const auto noRoom = [&folder](int error) {
        return fail(
            fmt::format("standard input cannot be buffered in '{}': {}; set TMPDIR to another "
                        "folder, or save the input to a file first",
                        folder, std::strerror(error)));
    };
    const int file = openNameless(folder);
    if (file < 0) {
        return noRoom(errno);
    }
    ::fcntl(STDIN_FILENO, F_SETPIPE_SZ, kPiece);  // fewer turns; no matter if it is not a pipe
    std::vector<char> piece(kPiece);
    for (;;) {
        const ssize_t count = readSome(piece, stop);
        if (count == 0) {
            return file;
        }
        const bool stored =
            count > 0 && writeAll(file, piece.data(), static_cast<std::size_t>(count));
        if (!stored) {
            const int error = errno;
            ::close(file);
            return count == -2 ? fail("loading was cancelled", ErrorKind::Cancelled)
                   : count < 0 ? fail(fmt::format("standard input cannot be read: {}",
                                                  std::strerror(error)))
                               : noRoom(error);
        }
    }
}

Result<int> openStandardInput(const std::stop_token& stop) {
    struct stat status {};
    // A closed one is held by a file that cannot be read, so that nothing else takes its number.
    const int mode = ::fcntl(STDIN_FILENO, F_GETFL);
    if (mode < 0 || (mode & O_ACCMODE) == O_WRONLY || ::fstat(STDIN_FILENO, &status) != 0) {
        return fail("standard input is closed; pipe a trace into it");
    }
    if (::isatty(STDIN_FILENO) != 0) {
        return fail("standard input is a terminal; pipe a trace into it");
    }
    // Input redirected from a file is that file, unless a part of it has been read already.
    const bool file = S_ISREG(status.st_mode) && ::lseek(STDIN_FILENO, 0, SEEK_CUR) == 0;
    return file || S_ISDIR(status.st_mode) ? Result<int>(STDIN_FILENO) : store(stop);
}

}  // namespace

Result<int> standardInput(const std::stop_token& stop) {
    static std::mutex mutex;
    static std::optional<Result<int>> input;
    const std::lock_guard lock(mutex);
    if (!input) {
        input = openStandardInput(stop);
    }
    return *input;
}

}  // namespace kinetoscope::import::source
