// SPDX-License-Identifier: Apache-2.0
#include "app/kscope/query/RequestedFiles.h"

#include <filesystem>
#include <system_error>

#include "app/kscope/Warnings.h"
#include "core/compare/CompareInput.h"
#include "core/ranks/JobFiles.h"

namespace kinetoscope::app {

namespace {

// A folder is the ranks of a job.
Result<std::vector<std::string>> filesOf(const std::string& path) {
    std::error_code error;
    return std::filesystem::is_directory(path, error) ? ranks::listJobFiles({path})
                                                      : std::vector<std::string>{path};
}

}  // namespace

Result<RequestedFiles> loadRequested(CommandWatch& watch, const std::vector<std::string>& paths,
                                     unsigned threads) {
    RequestedFiles requested;
    for (const std::string& path : paths) {
        const auto files = filesOf(path);
        if (!files) {
            return tl::unexpected(files.error());
        }
        for (const std::string& file : *files) {
            if (compare::isResultFile(file)) {
                requested.results.push_back(file);
                continue;
            }
            auto trace = loadWatched(watch, file, threads);
            if (!trace) {
                return tl::unexpected(trace.error());
            }
            warnOfSkipped(**trace);
            requested.traces.push_back(std::move(*trace));
        }
    }
    return requested;
}

Result<std::unique_ptr<query::sql::QueryDatabase>> openRequested(CommandWatch& watch,
                                                                 RequestedFiles files) {
    watch.show("answering");
    auto database =
        query::sql::QueryDatabase::open(files.traces, std::move(files.results), watch.token());
    const auto resume = watch.resume();
    return resume ? std::move(database) : tl::unexpected(resume.error());
}

}  // namespace kinetoscope::app
