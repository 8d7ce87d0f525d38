// SPDX-License-Identifier: Apache-2.0
#include "core/mcp/Workspace.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <system_error>

#include "core/base/Threads.h"
#include "core/import/load/LoadTrace.h"
#include "core/mcp/Answer.h"
#include "core/ranks/JobFiles.h"

namespace kinetoscope::mcp {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxFiles = 8;
constexpr std::size_t kMaxJobs = 4;

Result<std::shared_ptr<const trace::Trace>> load(const std::string& path, unsigned threads,
                                                 const std::stop_token& stop) {
    import::LoadOptions options;
    options.stop = stop;
    options.threads = threads;
    options.startsPrograms = false;
    return import::loadTrace(path, options);
}

bool isBelow(const fs::path& path, const fs::path& folder) {
    const auto [end, rest] = std::mismatch(folder.begin(), folder.end(), path.begin(), path.end());
    return end == folder.end();
}

FileState stateOf(const fs::path& path) {
    std::error_code error;
    return {path, fs::last_write_time(path, error), fs::file_size(path, error)};
}

}  // namespace

Workspace::Workspace(const std::vector<fs::path>& folders) {
    for (const fs::path& folder : folders) {
        std::error_code error;
        const fs::path whole = fs::canonical(folder, error);
        if (!error) {
            m_folders.push_back(whole);
        }
    }
}

Result<fs::path> Workspace::inside(const std::string& path) const {
    std::error_code error;
    // A relative path is one of the first folder.
    const fs::path requested = fs::path(path).is_absolute() || m_folders.empty()
                                   ? fs::path(path)
                                   : m_folders.front() / path;
    const fs::path whole = fs::weakly_canonical(requested, error);
    const bool allowed = !error && std::ranges::any_of(m_folders, [&](const fs::path& folder) {
        return isBelow(whole, folder);
    });
    if (!allowed) {
        std::vector<std::string> names;
        names.reserve(m_folders.size());
        for (const fs::path& folder : m_folders) {
            names.push_back("'" + shown(folder.string()) + "'");
        }
        return fail(fmt::format("'{}': not in a folder that may be read; use files in {}",
                                shown(path), fmt::join(names, ", ")));
    }
    if (!fs::exists(whole, error)) {
        return fail(fmt::format("'{}': no such file; the tool list_files lists them", shown(path)));
    }
    return whole;
}

Result<OpenTrace*> Workspace::open(const std::string& path, const std::stop_token& stop) {
    const auto whole = inside(path);
    if (!whole) {
        return tl::unexpected(whole.error());
    }
    const FileState state = stateOf(*whole);
    const auto known = std::ranges::find_if(
        m_files, [&](const File& file) { return file.state.path == state.path; });
    if (known != m_files.end() && known->state == state) {
        m_files.splice(m_files.begin(), m_files, known);
        return m_files.front().trace.get();
    }
    auto trace = load(whole->string(), 0, stop);
    if (!trace) {
        return tl::unexpected(trace.error());
    }
    if (known != m_files.end()) {
        m_files.erase(known);
    }
    m_files.push_front(
        {state, std::make_unique<OpenTrace>(fmt::format("t{}", ++m_opened), std::move(*trace))});
    if (m_files.size() > kMaxFiles) {
        m_files.pop_back();
    }
    m_files.front().trace->prepare(stop);
    return m_files.front().trace.get();
}

Result<std::vector<FileState>> Workspace::filesOf(const fs::path& folder) const {
    const auto files = ranks::listJobFiles({folder.string()});
    if (!files) {
        return tl::unexpected(files.error());
    }
    std::vector<FileState> states;
    for (const std::string& file : *files) {
        if (const auto allowed = inside(file); !allowed) {
            return tl::unexpected(allowed.error());
        }
        states.push_back(stateOf(file));
    }
    return states;
}

Result<const OpenJob*> Workspace::openJob(const std::string& folder, const std::stop_token& stop) {
    const auto whole = inside(folder);
    if (!whole) {
        return tl::unexpected(whole.error());
    }
    auto files = filesOf(*whole);
    if (!files) {
        return tl::unexpected(files.error());
    }
    const auto known = std::ranges::find(m_jobs, whole->string(), &OpenJob::path);
    if (known != m_jobs.end() && known->files == *files) {
        m_jobs.splice(m_jobs.begin(), m_jobs, known);
        return &m_jobs.front();
    }
    std::vector<std::string> paths;
    std::ranges::transform(*files, std::back_inserter(paths),
                           [](const FileState& file) { return file.path.string(); });
    ranks::JobOptions options;
    options.stop = stop;
    auto job = ranks::loadJob(paths, load, options);
    if (!job) {
        return tl::unexpected(job.error());
    }
    if (known != m_jobs.end()) {
        m_jobs.erase(known);
    }
    m_jobs.push_front(
        {fmt::format("j{}", ++m_opened), whole->string(), std::move(*files), std::move(*job)});
    if (m_jobs.size() > kMaxJobs) {
        m_jobs.pop_back();
    }
    return &m_jobs.front();
}

Result<OpenTrace*> Workspace::trace(std::string_view id) {
    const auto found =
        std::ranges::find_if(m_files, [id](const File& file) { return file.trace->id() == id; });
    if (found == m_files.end()) {
        return fail(fmt::format("no trace '{}' is open ({}); open FILE gives its id", shown(id),
                                namesOfOpen()));
    }
    m_files.splice(m_files.begin(), m_files, found);
    return m_files.front().trace.get();
}

Result<const OpenJob*> Workspace::job(std::string_view id) {
    const auto found = std::ranges::find(m_jobs, id, &OpenJob::id);
    if (found == m_jobs.end()) {
        return fail(fmt::format("no job '{}' is open ({}); open_job FOLDER gives its id", shown(id),
                                namesOfOpen()));
    }
    m_jobs.splice(m_jobs.begin(), m_jobs, found);
    return &m_jobs.front();
}

bool Workspace::close(std::string_view id) {
    const auto isIt = [id](const File& file) { return file.trace->id() == id; };
    return std::erase_if(m_files, isIt) +
               std::erase_if(m_jobs, [id](const OpenJob& job) { return job.id == id; }) >
           0;
}

std::string Workspace::namesOfOpen() const {
    std::vector<std::string> names;
    for (const File& file : m_files) {
        names.push_back(
            fmt::format("{} {}", file.trace->id(), shown(file.state.path.filename().string(), 60)));
    }
    for (const OpenJob& job : m_jobs) {
        names.push_back(fmt::format("{} {}", job.id, shown(job.path, 60)));
    }
    return names.empty() ? "nothing is open" : fmt::format("open: {}", fmt::join(names, ", "));
}

}  // namespace kinetoscope::mcp
