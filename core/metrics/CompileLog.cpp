// SPDX-License-Identifier: Apache-2.0
#include "core/metrics/CompileLog.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "core/json/Json.h"
#include "core/metrics/SourceFolder.h"

namespace kinetoscope::metrics {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr std::size_t kMaxLogBytes = 1U << 30U;

const Json& member(const Json& object, const char* name) {
    static const Json kNothing;
    const auto found = object.is_object() ? object.find(name) : object.end();
    return found == object.end() ? kNothing : *found;
}

std::string textOf(const Json& json) {
    return json.is_string() ? json.get<std::string>() : std::string();
}

std::int64_t integerOf(const Json& json) {
    return json.is_number_integer() ? json.get<std::int64_t>() : 0;
}

MetricValue valueOf(const Json& json) {
    if (json.is_number_integer()) {
        return json.get<std::int64_t>();
    }
    if (json.is_number()) {
        return json.get<double>();
    }
    return json.is_null() ? MetricValue() : MetricValue(textOf(json));
}

TableRow rowOf(const Json& line) {
    TableRow row{textOf(member(line, "table")), {}};
    for (const Json& field : member(line, "row")) {
        if (field.is_array() && field.size() == 2) {
            row.row.emplace_back(textOf(field[0]), valueOf(field[1]));
        }
    }
    return row;
}

CompiledRegion regionOf(const Json& line) {
    CompiledRegion region;
    region.kind = textOf(member(line, "region"));
    region.graphId = valueOf(member(line, "graph_id"));
    region.compileId = textOf(member(line, "compile_id"));
    const Json& before = member(line, "before");
    const Json& entries = member(line, "entries");
    for (const auto& [name, after] : member(line, "after").items()) {
        region.counters.push_back({name, valueOf(member(before, name.c_str())), valueOf(after),
                                   valueOf(member(entries, name.c_str()))});
    }
    for (const Json& node : member(line, "nodes")) {
        if (node.is_array() && node.size() == 3) {
            region.nodes.push_back({textOf(node[0]), valueOf(node[1]), valueOf(node[2])});
        }
    }
    return region;
}

// False for a line of no kind that is known.
bool take(const Json& line, CompileLog& log) {
    const std::string kind = textOf(member(line, "kind"));
    const std::int64_t process = integerOf(member(line, "process"));
    if (kind == "start") {
        log.torch.push_back(textOf(member(line, "torch")));
        return true;
    }
    if (kind == "problem") {
        log.problems.push_back(
            fmt::format("process {}: {}", process, textOf(member(line, "text"))));
        return true;
    }
    CompileEvent event;
    event.timeNs = integerOf(member(line, "time"));
    event.process = process;
    event.rank = textOf(member(line, "rank"));
    event.model = textOf(member(line, "model"));
    if (kind == "row") {
        event.what = rowOf(line);
    } else if (kind == "kernel") {
        event.what = GeneratedKernel{textOf(member(line, "name")), textOf(member(line, "path")),
                                     textOf(member(line, "text"))};
    } else if (kind == "region") {
        event.what = regionOf(line);
    } else {
        return false;
    }
    log.events.push_back(std::move(event));
    return true;
}

void readLines(const std::string& path, CompileLog& log) {
    const auto text = readSmallFile(path, kMaxLogBytes);
    if (!text) {
        log.problems.push_back(text.error().message);
        return;
    }
    for (std::size_t at = 0; at < text->size();) {
        const std::size_t end = std::min(text->find('\n', at), text->size());
        const auto line = json::parseOrderedJson(std::string_view(*text).substr(at, end - at));
        if (!line || !take(*line, log)) {
            log.problems.push_back(
                fmt::format("process {}: a line was left out because it is cut or damaged",
                            fs::path(path).stem().string()));
        }
        at = end + 1;
    }
}

}  // namespace

Result<CompileLog> readCompileLog(const std::string& folder) {
    std::vector<std::string> paths;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(folder, error)) {
        if (entry.path().extension() == ".jsonl") {
            paths.push_back(entry.path().string());
        }
    }
    if (error) {
        return fail(fmt::format("'{}': cannot be read: {}", folder, error.message()));
    }
    std::ranges::sort(paths);
    CompileLog log;
    for (const std::string& path : paths) {
        readLines(path, log);
    }
    std::ranges::stable_sort(log.events, {}, &CompileEvent::timeNs);
    return log;
}

}  // namespace kinetoscope::metrics
