// SPDX-License-Identifier: Apache-2.0
#include "core/import/nsys/ReportExport.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <functional>
#include <vector>

#include "core/base/TemporaryFiles.h"
#include "core/base/UserFolders.h"
#include "core/capture/ChildProcess.h"
#include "core/import/source/InputFile.h"
#include "core/sqlite/Database.h"

namespace kinetoscope::import::nsys {

namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr std::array<std::string_view, 2> kEndings{".nsys-rep", ".qdrep"};
constexpr std::size_t kMaxKept = 16;  // databases in the cache
constexpr std::size_t kMaxNameBytes = 150;
constexpr std::size_t kMaxSaidBytes = 4096;
constexpr std::uint64_t kPercent = 100;
constexpr auto kLookAgainMs = 20;
constexpr auto kGrace = std::chrono::seconds(2);
constexpr auto kAbandoned = std::chrono::hours(24);

bool isDatabaseFile(const std::string& path) {
    const auto file = source::InputFile::open(path);
    std::array<char, 16> head{};
    return file && (*file)->read(head.data(), head.size(), 0) == std::ssize(head) &&
           sqlite::isDatabase({head.data(), head.size()});
}

Result<fs::path> cacheFolder() {
    const fs::path folder = userCacheFolder() + "/nsys";
    std::error_code error;
    fs::create_directories(folder, error);
    if (error) {
        return fail(
            fmt::format("'{}': cannot create this folder: {}; set XDG_CACHE_HOME to another folder",
                        folder.string(), error.message()),
            ErrorKind::Output);
    }
    return folder;
}

// Keeps the databases that were made last; removes what an ended program has left behind.
void tidy(const fs::path& folder) {
    std::vector<std::pair<fs::file_time_type, fs::path>> databases;
    std::error_code error;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
        const fs::file_time_type made = entry.last_write_time(error);
        if (entry.is_directory(error)) {
            if (fs::file_time_type::clock::now() - made > kAbandoned) {
                fs::remove_all(entry.path(), error);
            }
        } else {
            databases.emplace_back(made, entry.path());
        }
    }
    std::ranges::sort(databases, std::greater());
    for (std::size_t i = kMaxKept; i < databases.size(); ++i) {
        fs::remove(databases[i].second, error);
    }
}

// nsys while it runs. Its output is searched for "45%" and used in messages.
class Export {
public:
    explicit Export(const LoadOptions& options) : m_options(options) {}
    Export(const Export&) = delete;
    Export& operator=(const Export&) = delete;
    ~Export() { ::close(m_output); }

    /// errno where it cannot be started.
    [[nodiscard]] int start(const std::string& program, const std::string& report,
                            const std::string& database) {
        std::array<int, 2> pipe{};
        if (::pipe2(pipe.data(), O_CLOEXEC) != 0) {
            return errno;
        }
        m_output = pipe[0];
        ::fcntl(m_output, F_SETFL, O_NONBLOCK);
        kinetoscope::capture::ChildStart start;
        start.program = program;
        start.words = {
            program, "export", "--type=sqlite", "--force-overwrite=true", "--output=" + database,
            report};
        start.output = pipe[1];
        start.prepare = [] { ::dup2(STDOUT_FILENO, STDERR_FILENO); };
        const int error = kinetoscope::capture::startChild(start, m_child);
        ::close(pipe[1]);
        return error;
    }

    /// Its wait status; after a stop it is ended.
    [[nodiscard]] int wait() {
        std::optional<Clock::time_point> stopRequested;
        int status = 0;
        while (::waitpid(m_child, &status, WNOHANG) == 0) {
            if (!stopRequested && m_options.stop.stop_requested()) {
                stopRequested = Clock::now();
                kinetoscope::capture::endGroup(m_child, SIGTERM);
            } else if (stopRequested && Clock::now() - *stopRequested > kGrace) {
                kinetoscope::capture::endGroup(m_child, SIGKILL);
            }
            pollfd output{m_open ? m_output : -1, POLLIN, 0};
            ::poll(&output, 1, kLookAgainMs);
            read();
        }
        read();
        return status;
    }

    [[nodiscard]] std::string lastLine() const {
        const std::size_t end = m_said.find_last_not_of(" \t\r\n");
        if (end == std::string::npos) {
            return "it said nothing";
        }
        const std::size_t begin = m_said.find_last_of("\r\n", end);
        return m_said.substr(begin + 1, end - begin);
    }

private:
    void read() {
        std::array<char, 1024> bytes{};
        ssize_t count = 0;
        while ((count = ::read(m_output, bytes.data(), bytes.size())) > 0) {
            m_said.append(bytes.data(), static_cast<std::size_t>(count));
            m_said.erase(0, m_said.size() - std::min(m_said.size(), kMaxSaidBytes));
        }
        m_open = m_open && count != 0;
        const std::size_t sign = m_said.rfind('%');
        std::size_t begin = sign == std::string::npos ? 0 : sign;
        while (begin > 0 && m_said[begin - 1] >= '0' && m_said[begin - 1] <= '9') {
            --begin;
        }
        if (m_options.progress != nullptr && begin < sign && sign - begin <= 3) {
            m_options.progress->set(std::stoul(m_said.substr(begin, sign - begin)));
        }
    }

    const LoadOptions& m_options;
    int m_output = -1;
    bool m_open = true;
    pid_t m_child = -1;
    std::string m_said;
};

std::string nsysProgram() {
    const char* own = std::getenv("KINETOSCOPE_NSYS");
    return own == nullptr || *own == '\0' ? "nsys" : own;
}

std::string onlyForNsys(const std::string& path, const std::string& problem) {
    const fs::path name = fs::path(path).filename();
    return fmt::format(
        "'{}': is a report of Nsight Systems, which only its own program reads, and {}; run: nsys "
        "export --type=sqlite '{}', and open '{}'",
        path, problem, name.string(), fs::path(name).replace_extension(".sqlite").string());
}

Result<void> runNsys(const std::string& path, const std::string& database,
                     const LoadOptions& options) {
    const std::string program = nsysProgram();
    if (options.progress != nullptr) {
        options.progress->start(kPercent);
    }
    Export run(options);
    if (const int error = run.start(program, path, database); error != 0) {
        return fail(onlyForNsys(
            path, fmt::format("{} cannot be started ({})", program, std::strerror(error))));
    }
    const int status = run.wait();
    if (options.stop.stop_requested()) {
        return fail("loading was cancelled", ErrorKind::Cancelled);
    }
    const int code = kinetoscope::capture::exitCodeOf(status);
    if (code != 0 || !isDatabaseFile(database)) {
        return fail(fmt::format(
            "'{}': cannot be exported: {} {}: {}", path, program,
            code != 0 ? fmt::format("ended with {}", code) : std::string("wrote no database"),
            run.lastLine()));
    }
    return {};
}

}  // namespace

bool isReport(const std::string& path) {
    const bool isNamed = std::ranges::any_of(
        kEndings, [&](std::string_view ending) { return path.ends_with(ending); });
    return isNamed && !isDatabaseFile(path);
}

Result<std::string> exportedReport(const std::string& path, const LoadOptions& options) {
    if (!options.startsPrograms) {
        return fail(onlyForNsys(path, "no program is started here"));
    }
    const auto file = source::InputFile::open(path);
    if (!file) {
        return tl::unexpected(file.error());
    }
    const auto folder = cacheFolder();
    if (!folder) {
        return tl::unexpected(folder.error());
    }
    const source::FileIdentity& identity = (*file)->identity();
    const fs::path kept =
        *folder / fmt::format("{}-{}-{}.sqlite",
                              fs::path(path).stem().string().substr(0, kMaxNameBytes),
                              identity.bytes, identity.modifiedNs);
    if (isDatabaseFile(kept)) {
        return kept.string();
    }
    std::error_code error;
    // Made beside it, so that no other process sees half of it.
    const std::string making = makeUniqueFolder(*folder / "export-");
    const std::string database = making + "/report.sqlite";
    auto done = making.empty() ? fail(fmt::format("'{}': cannot be written: {}", folder->string(),
                                                  std::strerror(errno)),
                                      ErrorKind::Output)
                               : runNsys(path, database, options);
    if (done) {
        fs::rename(database, kept, error);
        if (error) {
            done = fail(fmt::format("'{}': cannot be written: {}", kept.string(), error.message()),
                        ErrorKind::Output);
        }
    }
    if (!making.empty()) {
        fs::remove_all(making, error);
    }
    tidy(*folder);
    return done ? Result<std::string>(kept.string()) : tl::unexpected(done.error());
}

}  // namespace kinetoscope::import::nsys
