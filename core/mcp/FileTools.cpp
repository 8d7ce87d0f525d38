// SPDX-License-Identifier: Apache-2.0
// Tools that find, open and close files.
#include <fmt/format.h>

#include <algorithm>
#include <system_error>

#include "core/analysis/Steps.h"
#include "core/mcp/Tool.h"
#include "core/ranks/JobTables.h"
#include "core/ranks/JobText.h"
#include "core/trace/ImportIssues.h"

namespace kinetoscope::mcp {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxListed = 10'000;
constexpr std::size_t kMaxWarnings = 8;
constexpr std::size_t kMaxGpus = 16;

struct ListedFile {
    fs::path path;
    bool isFolder = false;
    std::uintmax_t bytes = 0;
};

struct Listing {
    std::vector<ListedFile> files;
    bool isWhole = true;
};

Result<Listing> listingOf(const std::vector<fs::path>& folders) {
    Listing listing;
    for (const fs::path& folder : folders) {
        std::error_code error;
        for (fs::directory_iterator at(folder, error), end; !error && at != end;
             at.increment(error)) {
            if (listing.files.size() >= kMaxListed) {
                listing.isWhole = false;
                return listing;
            }
            std::error_code odd;
            ListedFile& file =
                listing.files.emplace_back(ListedFile{at->path(), at->is_directory(odd), 0});
            file.bytes = file.isFolder ? 0 : at->file_size(odd);
        }
        if (error) {
            return fail(fmt::format("'{}': {}", shown(folder.string()), error.message()));
        }
    }
    return listing;
}

Result<Json> listFiles(Workspace& workspace, const Call& call) {
    std::vector<fs::path> folders = workspace.folders();
    if (const std::string requested = call.text("folder"); !requested.empty()) {
        const auto folder = workspace.inside(requested);
        if (!folder) {
            return tl::unexpected(folder.error());
        }
        folders = {*folder};
    }
    auto listing = listingOf(folders);
    if (!listing) {
        return tl::unexpected(listing.error());
    }
    std::ranges::sort(listing->files, {}, &ListedFile::path);
    Json answer;
    if (!listing->isWhole) {
        answer["incomplete"] = true;
    }
    addRows(answer, "files", call.page, listing->files.size(), [&](std::size_t i) {
        const ListedFile& file = listing->files[i];
        // Not shortened: the path is what open takes.
        Json row{{"path", file.path.string()}};
        if (file.isFolder) {
            row["folder"] = true;
        } else {
            row["bytes"] = file.bytes;
        }
        return row;
    });
    return answer;
}

Json warningsOf(const trace::Trace& trace) {
    Json warnings = Json::array();
    for (const trace::ImportIssue& issue : trace.log().sorted()) {
        if (issue.severity != trace::Severity::Info && warnings.size() < kMaxWarnings) {
            warnings.push_back({{"name", issue.name},
                                {"count", issue.count},
                                {"means", trace::importIssueHelp(issue.name)}});
        }
    }
    return warnings;
}

Json describe(OpenTrace& open) {
    const trace::Trace& trace = open.trace();
    const trace::RunInfo& info = trace.info();
    Json answer{{"trace", open.id()},
                {"file", shown(info.path)},
                {"format", shown(info.format)},
                {"file_bytes", info.fileBytes},
                {"events", trace.log().events},
                {"skipped_events", trace.log().skipped},
                {"slices", trace.sliceCount()},
                {"gpu_operations", trace.gpuOperations().size()},
                {"length_ns", trace.extent().duration()},
                {"gpus", Json::array()}};
    for (const trace::DeviceProperties& device : info.devices) {
        if (answer["gpus"].size() < kMaxGpus) {
            answer["gpus"].push_back({{"gpu", device.id}, {"name", shown(device.name, 60)}});
        }
    }
    if (info.distributed) {
        answer["rank"] = info.distributed->rank;
        answer["world_size"] = info.distributed->worldSize;
    }
    const auto steps = analysis::findSteps(trace);
    answer["steps"] = {{"count", steps.size()}};
    if (!steps.empty()) {
        answer["steps"]["first"] = steps.front().number;
        answer["steps"]["last"] = steps.back().number;
    }
    answer["warnings"] = warningsOf(trace);
    answer["times"] = "at_ns of every answer counts from the first event, as windows START..END do";
    return answer;
}

Result<Json> openFile(Workspace& workspace, const Call& call) {
    const auto open = workspace.open(call.text("path"), call.stop);
    if (!open) {
        return tl::unexpected(open.error());
    }
    return describe(**open);
}

Result<Json> openJob(Workspace& workspace, const Call& call) {
    const auto open = workspace.openJob(call.text("folder"), call.stop);
    if (!open) {
        return tl::unexpected(open.error());
    }
    const ranks::Job& job = (*open)->job;
    Json answer{{"job", (*open)->id},
                {"folder", shown((*open)->path)},
                {"world_size", job.worldSize},
                {"ranks_read", job.records.size()},
                {"ranks_missing", job.missing.size()},
                {"steps", job.steps.size()},
                {"collectives_matched", job.matching.matched},
                {"collectives_unmatched", job.matching.unmatched},
                {"summary", Json::array()}};
    for (const std::string& line : ranks::jobSummary(job)) {
        answer["summary"].push_back(shown(line));
    }
    return answer;
}

Result<Json> closeFile(Workspace& workspace, const Call& call) {
    const std::string id = call.text("id");
    if (!workspace.close(id)) {
        return fail(fmt::format("nothing of the id '{}' is open", shown(id, 40)));
    }
    return Json{{"closed", id}};
}

}  // namespace

std::vector<Tool> fileTools() {
    return {
        {"list_files",
         "List files",
         "Files and folders that may be opened",
         {{"folder", ParameterType::Text, "Only in this folder; without: those given at start"}},
         true,
         listFiles},
        {"open",
         "Open a trace",
         "Opens a torch.profiler trace (JSON, gzip, zstd) or a recording of kscope record; returns "
         "its id, size, GPUs, steps and import problems. It stays open for further questions",
         {{"path", ParameterType::Text, "The file", true}},
         false,
         openFile},
        {"open_job",
         "Open a job of many ranks",
         "Opens all ranks of a job, one file each in a folder, on one clock; returns the job's id",
         {{"folder", ParameterType::Text, "The folder, or one file", true}},
         false,
         openJob},
        {"close",
         "Close",
         "Closes a trace or job and frees its memory",
         {{"id", ParameterType::Text, "Id of a trace or job, e.g. t1", true}},
         false,
         closeFile},
    };
}

}  // namespace kinetoscope::mcp
