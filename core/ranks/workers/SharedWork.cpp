// SPDX-License-Identifier: Apache-2.0
#include "core/ranks/workers/SharedWork.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>
#include <system_error>
#include <thread>

#include "core/base/ContentHash.h"
#include "core/base/Threads.h"
#include "core/text/OutputFile.h"

namespace kinetoscope::ranks::workers {

namespace {

namespace fs = std::filesystem;

constexpr auto kLooksEvery = std::chrono::milliseconds(50);
constexpr const char* kMark = "together";

// Nothing where it does not exist.
std::optional<fs::file_time_type> changed(const std::string& path) {
    std::error_code error;
    const auto time = fs::last_write_time(path, error);
    return error ? std::nullopt : std::optional(time);
}

// Another one for a file of that name elsewhere, and when it has changed.
std::string identityOf(const std::string& path) {
    std::error_code error;
    const auto size = fs::file_size(path, error);
    const auto time = changed(path);
    ContentHash hash;
    hash.add(fmt::format("{}\n{} {}", path, error ? 0 : size,
                         time ? time->time_since_epoch().count() : 0));
    return hash.text();
}

// A file that is a partial itself gives the ranks of other files.
bool isOf(const Partial& partial, const std::string& file) {
    return std::ranges::find(partial.records, file, &RankRecord::file) != partial.records.end() ||
           std::ranges::find(partial.lost, file, &LostFile::file) != partial.lost.end() ||
           isPartial(file);
}

int openLocked(const std::string& path, int operation) {
    const int descriptor = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (descriptor >= 0 && ::flock(descriptor, operation) != 0 && errno == EWOULDBLOCK) {
        ::close(descriptor);
        return -1;
    }
    return descriptor;  // in a folder without locks nothing waits
}

void closeLocked(int& descriptor) {
    if (descriptor >= 0) {
        ::close(descriptor);
        descriptor = -1;
    }
}

// Whether another process holds the lock.
bool isHeld(const std::string& path) {
    const int descriptor = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
    if (descriptor < 0) {
        return false;
    }
    const bool held = ::flock(descriptor, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    ::close(descriptor);
    return held;
}

std::string contentOf(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

}  // namespace

SharedWork::SharedWork(std::string output, std::vector<std::string> files, Place place)
    : m_output(std::move(output)),
      m_folder(m_output + ".parts"),
      m_files(std::move(files)),
      m_place(place) {
    for (const std::string& file : m_files) {
        m_parts.push_back(fmt::format("{}/{}.{}{}", m_folder, fs::path(file).filename().string(),
                                      identityOf(file), kPartialEnding));
    }
}

SharedWork::~SharedWork() {
    closeLocked(m_own);
    closeLocked(m_turn);
}

std::string SharedWork::workerFile(std::size_t number) const {
    return fmt::format("{}/worker-{}-of-{}", m_folder, number, m_place.count);
}

bool SharedWork::hasAll(std::size_t worker) const {
    for (std::size_t file = worker; file < m_files.size(); file += m_place.count) {
        if (!isThere(file)) {
            return false;
        }
    }
    return true;
}

// What is damaged is there: putting it together says what is wrong with it.
bool SharedWork::isThere(std::size_t file) const {
    if (!isPartial(m_parts[file])) {
        return false;
    }
    const auto partial = readPartial(m_parts[file]);
    return !partial || isOf(*partial, m_files[file]);
}

Result<void> SharedWork::readShare(const LoadRankTrace& load, const JobOptions& options) {
    std::error_code error;
    fs::create_directories(m_folder, error);
    if (error) {
        return fail("'" + m_folder + "': cannot create this folder: " + error.message(),
                    ErrorKind::Output);
    }
    m_own = openLocked(workerFile(m_place.number), LOCK_EX | LOCK_NB);
    if (m_own < 0 && errno != EWOULDBLOCK) {
        return fail("'" + m_folder + "': cannot be written", ErrorKind::Output);
    }
    if (m_own < 0) {
        return fail(fmt::format(
            "'{}': another process is already worker {} of {}; wait until it has finished",
            m_folder, m_place.number, m_place.count));
    }
    // Its time says that this run has started, by the folder's own clock.
    if (::futimens(m_own, nullptr) != 0) {
        return fail("'" + m_folder + "': cannot be written", ErrorKind::Output);
    }
    m_begin = changed(workerFile(m_place.number)).value_or(fs::file_time_type());
    std::vector<std::size_t> rows;
    std::vector<std::string> files;
    for (std::size_t file = m_place.number; file < m_files.size(); file += m_place.count) {
        // Files that could not be used before may have been repaired; names may be alike.
        const auto known = readPartial(m_parts[file]);
        if (!known || !known->lost.empty() || !isOf(*known, m_files[file])) {
            rows.push_back(file);
            files.push_back(m_files[file]);
        }
    }
    Result<void> written;
    const TakeRanks take = [&](std::size_t file, Result<Partial> ranks) {
        Partial partial;
        if (ranks) {
            partial = std::move(*ranks);
        } else if (ranks.error().kind == ErrorKind::Cancelled) {
            throw Stopped{};
        } else {
            partial.lost.push_back({files[file], ranks.error().message, originOf(files[file])});
        }
        if (auto done = writePartial(m_parts[rows[file]], std::move(partial)); !done) {
            written = std::move(done);
        }
    };
    auto read = readRanks(files, load, take, options);
    return read ? written : read;
}

void SharedWork::waitFor(std::size_t worker, std::chrono::milliseconds beginsWithin,
                         const std::stop_token& stop) const {
    const std::string file = workerFile(worker);
    const auto until = std::chrono::steady_clock::now() + beginsWithin;
    for (;; std::this_thread::sleep_for(kLooksEvery)) {
        throwIfStopped(stop);
        if (isHeld(file)) {
            continue;
        }
        const auto began = changed(file);
        if ((began && *began >= m_begin) || hasAll(worker) ||
            std::chrono::steady_clock::now() >= until) {
            return;
        }
    }
}

// Changes whenever a partial or the request does.
std::string SharedWork::state() const {
    std::string text = m_output;
    for (std::size_t file = 0; file < m_files.size(); ++file) {
        const auto time = changed(m_parts[file]);
        text += fmt::format("\n{} {}", m_parts[file], time ? time->time_since_epoch().count() : 0);
    }
    return text;
}

bool SharedWork::isDone() const {
    const auto made = changed(m_folder + "/" + kMark);
    std::error_code error;
    return made && *made >= m_begin && fs::exists(m_output, error) &&
           contentOf(m_folder + "/" + kMark) == state();
}

Result<bool> SharedWork::takeTurn(std::chrono::milliseconds beginsWithin,
                                  const std::stop_token& stop) {
    closeLocked(m_own);
    return guarded([&]() -> Result<bool> {
        for (std::size_t worker = 0; worker < m_place.count; ++worker) {
            if (worker != m_place.number) {
                waitFor(worker, beginsWithin, stop);
            }
        }
        const std::string turn = m_folder + "/turn";
        while ((m_turn = openLocked(turn, LOCK_EX | LOCK_NB)) < 0) {
            if (errno != EWOULDBLOCK) {
                return fail("'" + turn + "': cannot be written", ErrorKind::Output);
            }
            throwIfStopped(stop);
            std::this_thread::sleep_for(kLooksEvery);
        }
        if (isDone()) {
            closeLocked(m_turn);
            return false;
        }
        m_state = state();
        return true;
    });
}

Result<Partial> SharedWork::gather(const JobOptions& options) const {
    std::vector<std::string> parts;
    std::vector<LostFile> lost;
    for (std::size_t file = 0; file < m_files.size(); ++file) {
        if (isThere(file)) {
            parts.push_back(m_parts[file]);
        } else {
            lost.push_back(
                {m_files[file],
                 fmt::format("worker {} of {} ended before it was read; run the same command again "
                             "to read what is missing",
                             file % m_place.count, m_place.count),
                 originOf(m_files[file])});
        }
    }
    auto all = loadRanks(parts, {}, options);
    if (all) {
        all->lost.insert(all->lost.end(), lost.begin(), lost.end());
        std::ranges::sort(all->lost);
    }
    return all;
}

void SharedWork::finishTurn() {
    // Without the mark, or when a partial has changed since, another process makes it again.
    (void)text::writeFile(m_folder + "/" + kMark, m_state);
    closeLocked(m_turn);
}

}  // namespace kinetoscope::ranks::workers
