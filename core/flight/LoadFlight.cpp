// SPDX-License-Identifier: Apache-2.0
#include "core/flight/LoadFlight.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <filesystem>
#include <set>
#include <system_error>
#include <thread>

#include "core/base/Threads.h"
#include "core/flight/FindStuck.h"
#include "core/flight/ReadDump.h"
#include "core/import/source/OpenTextSource.h"
#include "core/ranks/JobFiles.h"

namespace kinetoscope::flight {

namespace {

namespace fs = std::filesystem;

bool isDump(const std::string& path) {
    const auto source = import::source::openTextSource(path);
    if (!source) {
        return false;
    }
    std::array<char, 256> head{};
    const std::size_t got = (*source)->read(head.data(), head.size());
    return looksLikeDump({head.data(), got});
}

std::vector<std::string> dumpsInFolder(const std::string& folder) {
    std::error_code error;
    std::vector<std::string> files;
    for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
        std::error_code kind;
        if (at->is_regular_file(kind) && isDump(at->path().string())) {
            files.push_back(at->path().string());
        }
    }
    std::ranges::sort(files);
    return files;
}

Result<FlightJob> load(const std::vector<std::string>& files, unsigned threads,
                       const std::stop_token& stop) {
    std::vector<Result<Dump>> read(files.size(), fail(""));
    std::atomic<std::size_t> next = 0;
    runOnThreads(threads == 0 ? std::max(1U, std::thread::hardware_concurrency()) : threads, [&] {
        for (std::size_t i = next++; i < files.size(); i = next++) {
            throwIfStopped(stop);
            read[i] = readDump(files[i], stop);
        }
    });
    std::vector<Dump> dumps;
    std::vector<UnreadDump> unread;
    for (std::size_t i = 0; i < files.size(); ++i) {
        if (read[i]) {
            dumps.push_back(std::move(*read[i]));
        } else if (read[i].error().kind == ErrorKind::Cancelled || files.size() == 1) {
            return tl::unexpected(read[i].error());
        } else {
            unread.push_back({files[i], read[i].error().message});
        }
    }
    if (dumps.empty()) {
        return fail("none of the dumps can be read: " + unread.front().reason);
    }
    std::ranges::stable_sort(dumps, {}, &Dump::rank);
    const auto twin = std::ranges::adjacent_find(dumps, {}, &Dump::rank);
    if (twin != dumps.end()) {
        return fail(fmt::format("'{}': is of rank {}, and so is '{}'; give only one of them",
                                twin->file, twin->rank, (twin + 1)->file));
    }
    FlightJob job = analyseFlight(std::move(dumps));
    job.unread = std::move(unread);
    return job;
}

}  // namespace

FlightJob analyseFlight(std::vector<Dump> dumps) {
    FlightJob job;
    job.dumps = std::move(dumps);
    job.groups = groupsOf(job.dumps);
    job.mismatches = findMismatches(job);
    job.stuck = findStuck(job);
    std::set<std::int64_t> missing;
    for (const Group& group : job.groups) {
        missing.insert(group.missing.begin(), group.missing.end());
    }
    job.missing.assign(missing.begin(), missing.end());
    return job;
}

Result<FlightJob> loadFlight(const std::vector<std::string>& files, unsigned threads,
                             const std::stop_token& stop) {
    return guarded([&] { return load(files, threads, stop); });
}

std::vector<std::string> dumpFiles(const std::vector<std::string>& paths) {
    std::vector<std::string> files;
    for (const std::string& path : paths) {
        std::error_code error;
        if (fs::is_directory(path, error)) {
            const std::vector<std::string> found = dumpsInFolder(path);
            if (found.empty()) {
                return {};
            }
            files.insert(files.end(), found.begin(), found.end());
        } else if (path != "-" && isDump(path)) {
            files.push_back(path);
        } else {
            return {};
        }
    }
    return files;
}

std::vector<std::string> dumpsOfJob(const std::vector<std::string>& paths) {
    for (const std::string& path : paths) {
        std::error_code error;
        if (fs::is_directory(path, error)) {
            const auto traces = ranks::listJobFiles({path});
            const bool areInside =
                traces && fs::equivalent(fs::path(traces->front()).parent_path(), path, error);
            if (areInside && dumpFiles(*traces).empty()) {
                return {};
            }
        }
    }
    return dumpFiles(paths);
}

}  // namespace kinetoscope::flight
