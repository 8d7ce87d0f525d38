// SPDX-License-Identifier: Apache-2.0
#include "core/sidecar/SessionFile.h"

#include <fmt/format.h>

#include <filesystem>

#include "core/analysis/Window.h"
#include "core/base/Threads.h"
#include "core/base/Utf8.h"
#include "core/json/Json.h"
#include "core/sidecar/SessionFields.h"
#include "core/sidecar/SmallFile.h"
#include "core/text/OutputFile.h"
#include "core/text/Printable.h"

namespace kinetoscope::sidecar {

namespace {

using Json = nlohmann::json;
namespace fs = std::filesystem;

constexpr std::string_view kAnyVersion = "kinetoscope.session/";

tl::unexpected<Error> unusable(const std::string& path, std::string_view why) {
    return fail(fmt::format("'{}': {}; save the session again", text::printable(path), why));
}

// ---- writing

/// Paths of the files beside the session's own.
class PathWriter {
public:
    explicit PathWriter(const std::string& session)
        : m_folder(fs::absolute(session).parent_path().lexically_normal()) {}

    [[nodiscard]] Json operator()(const std::string& path) const {
        const std::string relative = fs::path(path).lexically_relative(m_folder).string();
        return relative.empty() ? Json{{"absolute", path}}
                                : Json{{"path", relative}, {"absolute", path}};
    }

private:
    fs::path m_folder;
};

Json fileJson(const SavedFile& file, const PathWriter& paths) {
    Json json = paths(file.path);
    json["window"] = file.window;
    if (file.visible) {
        json["visible_ns"] = spanJson(*file.visible);
    }
    if (!file.tracks.empty()) {
        json["tracks"] = file.tracks;
    }
    const auto addSlice = [&json](const char* key, const std::optional<SavedSlice>& slice) {
        if (slice) {
            json[key] = sliceJson(*slice);
        }
    };
    addSlice("selected", file.selected);
    addSlice("selected_instant", file.instant);
    addSlice("selected_sample", file.sample);
    addSlice("highlighted", file.highlighted);
    if (file.gap) {
        json["selected_gap"] = gapJson(*file.gap);
    }
    if (!(file.rows == SavedRows())) {
        json["rows"] = rowsJson(file.rows);
    }
    if (file.top) {
        json["top"] = topJson(*file.top);
    }
    return json;
}

/// Results have names, not paths.
Json comparedJson(const std::string& id, const PathWriter& paths) {
    return fs::path(id).is_absolute() ? paths(id) : Json{{"result", id}};
}

Json comparisonJson(const SavedComparison& comparison, const PathWriter& paths) {
    Json candidates = Json::array();
    for (const std::string& candidate : comparison.candidates) {
        candidates.push_back(comparedJson(candidate, paths));
    }
    Json json{{"baseline", comparedJson(comparison.baseline, paths)},
              {"candidates", std::move(candidates)},
              {"shown", comparison.shown},
              {"timelines", comparison.timelines},
              {"per", comparison.per},
              {"match", comparison.match},
              {"compared", comparison.compared},
              {"lock", comparison.lock},
              {"annotation", comparison.annotation},
              {"offset_ns", comparison.offsetNs},
              {"kernel", comparison.kernel}};
    for (const SavedFile& side : comparison.sides) {
        json["sides"].push_back(fileJson(side, paths));
    }
    return json;
}

Json jobJson(const SavedJob& job, const PathWriter& paths) {
    Json files = Json::array();
    for (const std::string& path : job.paths) {
        files.push_back(paths(path));
    }
    return {{"files", std::move(files)},
            {"figure", job.figure},
            {"order", job.order},
            {"groups", job.groups}};
}

// ---- reading: what is not there or is something else keeps its default, but for paths

/// Empty if none is named.
std::string pathOf(const Json& object, const fs::path& folder) {
    std::error_code none;
    const std::string relative = textAt(object, "path");
    const std::string absolute = textAt(object, "absolute");
    const fs::path beside = (folder / relative).lexically_normal();
    const bool isThere = !relative.empty() && fs::exists(beside, none);
    return isThere || !fs::path(absolute).is_absolute() ? (relative.empty() ? "" : beside.string())
                                                        : absolute;
}

std::optional<SavedFile> fileOf(const Json& json, const fs::path& folder) {
    if (!json.is_object()) {
        return std::nullopt;
    }
    SavedFile file;
    file.path = pathOf(json, folder);
    file.visible = spanAt(json, "visible_ns");
    file.tracks = tracksAt(json, "tracks");
    if (const std::string window = textAt(json, "window"); analysis::parseWindow(window)) {
        file.window = window;
    }
    file.selected = sliceAt(json, "selected");
    file.instant = sliceAt(json, "selected_instant");
    file.sample = sliceAt(json, "selected_sample");
    file.gap = gapAt(json, "selected_gap");
    file.highlighted = sliceAt(json, "highlighted");
    file.rows = rowsAt(json, "rows");
    file.top = topAt(json, "top");
    return file.path.empty() ? std::nullopt : std::optional(std::move(file));
}

std::string comparedOf(const Json& json, const fs::path& folder) {
    if (!json.is_object()) {
        return {};
    }
    const std::string result = textAt(json, "result");
    return result.empty() ? pathOf(json, folder) : result;
}

std::optional<SavedComparison> comparisonOf(const Json& document, const fs::path& folder) {
    const auto json = document.find("comparison");
    if (json == document.end() || !json->is_object() || !json->contains("baseline")) {
        return std::nullopt;
    }
    SavedComparison comparison;
    comparison.baseline = comparedOf((*json)["baseline"], folder);
    const Json candidates = json->value("candidates", Json());
    for (const Json& candidate : candidates.is_array() ? candidates : Json::array()) {
        const std::string id = comparedOf(candidate, folder);
        if (!id.empty() && comparison.candidates.size() < kMaxSessionFiles) {
            comparison.candidates.push_back(id);
        }
    }
    comparison.shown = numberAt(*json, "shown");
    comparison.timelines = flagAt(*json, "timelines", false);
    comparison.compared = flagAt(*json, "compared", true);
    comparison.per = textAt(*json, "per");
    comparison.match = textAt(*json, "match");
    comparison.lock = textAt(*json, "lock");
    comparison.annotation = textAt(*json, "annotation");
    comparison.offsetNs = timeAt(*json, "offset_ns");
    comparison.kernel = textAt(*json, "kernel");
    const Json sides = json->value("sides", Json());
    for (const Json& side : sides.is_array() && sides.size() <= 2 ? sides : Json::array()) {
        if (auto file = fileOf(side, folder)) {
            comparison.sides.push_back(std::move(*file));
        }
    }
    const bool whole =
        !comparison.baseline.empty() && !(comparison.compared && comparison.candidates.empty());
    return whole ? std::optional(std::move(comparison)) : std::nullopt;
}

/// Jobs without a path are left out.
std::vector<SavedJob> jobsOf(const Json& document, const fs::path& folder) {
    std::vector<SavedJob> jobs;
    const auto found = document.find("jobs");
    const bool isList =
        found != document.end() && found->is_array() && found->size() <= kMaxSessionFiles;
    for (const Json& json : isList ? *found : Json::array()) {
        if (!json.is_object()) {
            continue;
        }
        SavedJob job{{}, textAt(json, "figure"), numberAt(json, "order"), numberAt(json, "groups")};
        const auto paths = json.find("files");
        for (const Json& one : paths != json.end() && paths->is_array() ? *paths : Json::array()) {
            const std::string path = one.is_object() ? pathOf(one, folder) : std::string();
            if (!path.empty()) {
                job.paths.push_back(path);
            }
        }
        if (!job.paths.empty()) {
            jobs.push_back(std::move(job));
        }
    }
    return jobs;
}

Result<SavedSession> sessionOf(const Json& document, const std::string& path) {
    const fs::path folder = fs::absolute(path).parent_path();
    SavedSession session;
    const auto files = document.find("files");
    if (files == document.end() || !files->is_array() || files->size() > kMaxSessionFiles) {
        return unusable(path, fmt::format("does not list its files, {} at most", kMaxSessionFiles));
    }
    for (const Json& json : *files) {
        auto file = fileOf(json, folder);
        if (!file) {
            return unusable(path,
                            fmt::format("has a file ({}) without a path", session.files.size()));
        }
        session.files.push_back(std::move(*file));
    }
    session.current = numberAt(document, "current");
    const auto others = document.find("others");
    if (others != document.end() && others->is_array() && others->size() <= kMaxSessionFiles) {
        for (const Json& json : *others) {
            const std::string other = json.is_object() ? pathOf(json, folder) : std::string();
            if (!other.empty()) {
                session.others.push_back(other);
            }
        }
    }
    session.jobs = jobsOf(document, folder);
    session.jobInFront = flagAt(document, "job_in_front", false);
    session.comparison = comparisonOf(document, folder);
    session.layout = textAt(document, "layout");
    return session;
}

// JSON is UTF-8; names of files are any bytes.
Result<void> keepablePaths(const SavedSession& session) {
    std::vector<std::string> all = session.others;
    for (const SavedFile& file : session.files) {
        all.push_back(file.path);
    }
    for (const SavedJob& job : session.jobs) {
        all.insert(all.end(), job.paths.begin(), job.paths.end());
    }
    for (const std::string& path : all) {
        if (!isUtf8(path)) {
            return fail(fmt::format("'{}': cannot be part of a session: its name is not "
                                    "UTF-8; rename it",
                                    text::printable(path)),
                        ErrorKind::Output);
        }
    }
    return {};
}

}  // namespace

Result<void> writeSession(const std::string& path, const SavedSession& session) {
    return guarded([&]() -> Result<void> {
        if (auto keepable = keepablePaths(session); !keepable) {
            return keepable;
        }
        const PathWriter paths(path);
        Json document{{"schema", kSessionSchema}, {"current", session.current}};
        document["files"] = Json::array();
        for (const SavedFile& file : session.files) {
            document["files"].push_back(fileJson(file, paths));
        }
        document["others"] = Json::array();
        for (const std::string& other : session.others) {
            document["others"].push_back(paths(other));
        }
        for (const SavedJob& job : session.jobs) {
            document["jobs"].push_back(jobJson(job, paths));
        }
        document["job_in_front"] = session.jobInFront;
        if (session.comparison) {
            document["comparison"] = comparisonJson(*session.comparison, paths);
        }
        document["layout"] = session.layout;
        const std::string text = json::jsonText(document, 2) + "\n";
        if (text.size() > kMaxSessionBytes || session.files.size() > kMaxSessionFiles) {
            return fail(fmt::format("'{}': cannot hold more than {} files and {} MiB; close some",
                                    path, kMaxSessionFiles, kMaxSessionBytes >> 20U),
                        ErrorKind::Output);
        }
        return text::writeFile(path, text);
    });
}

Result<SavedSession> readSession(const std::string& path) {
    return guarded([&]() -> Result<SavedSession> {
        const auto text = readSmallFile(path, kMaxSessionBytes);
        if (!text) {
            return fail(fmt::format("'{}': {}", text::printable(path), text.error().message));
        }
        if (!*text) {
            return fail(fmt::format("'{}': does not exist", text::printable(path)));
        }
        const auto document = json::parseJsonObject(**text);
        if (!document) {
            return unusable(path, document.error().message);
        }
        const std::string schema = textAt(*document, "schema");
        if (schema != kSessionSchema) {
            return unusable(path, schema.starts_with(kAnyVersion)
                                      ? "was written by another version of Kinetoscope"
                                      : "is not a Kinetoscope session");
        }
        return sessionOf(*document, path);
    });
}

}  // namespace kinetoscope::sidecar
