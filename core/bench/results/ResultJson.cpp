// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "core/bench/results/JsonParts.h"
#include "core/bench/results/MemberVisitors.h"
#include "core/text/Printable.h"

namespace kinetoscope::bench::results {

template <class Visitor, Is<operators::InputProblem> T>
void members(Visitor& visit, T& problem) {
    visit("line", problem.line);
    visit("column", problem.column);
    visit("message", problem.message);
}

template <class Visitor, Is<LeftOutCall> T>
void members(Visitor& visit, T& call) {
    visit("name", call.name);
    visit("shapes", call.shapes);
    visit.count("count", call.count);
    visit.time("total_ns", call.totalNs);
    visit("reason", call.reason);
}

template <class Visitor, Is<TraceOrigin> T>
void members(Visitor& visit, T& origin) {
    visit("path", origin.path);
    visit("device", origin.device);
    visit.time("total_ns", origin.totalNs);
    visit.always("left_out", origin.leftOut);
}

namespace {

constexpr const char* kSchema = "kinetoscope.result/2";
constexpr const char* kFirstSchema = "kinetoscope.result/1";

template <class Visitor>
void deviceMembers(Visitor& visit, auto& header) {
    visit.nested("gpu", [&](auto& inner) {
        auto& gpu = header.gpu;
        inner("name", gpu.name);
        inner("uuid", gpu.uuid);
        inner("architecture", gpu.architecture);
        inner("driver", gpu.driver);
        inner("memory_bytes", gpu.memoryBytes);
        inner("l2_bytes", gpu.l2Bytes);
        inner("multiprocessors", gpu.multiprocessors);
        inner("max_sm_clock_mhz", gpu.maxSmClockMhz);
        inner("copy_gb_per_s", gpu.copyGbPerS);
    });
    visit.nested("torch", [&](auto& inner) {
        inner("version", header.torchVersion);
        inner("threads", header.threads);
    });
    visit("device", header.device);
}

template <class Visitor>
void optionMembers(Visitor& visit, auto& options) {
    visit.always("suite", options.suite);
    visit("inp_file", options.inputFile);
    visit.always("op", options.operatorName);
    visit.always("dtype", options.dtype);
    visit.exact("seed", options.seed);
    visit.always("start_idx", options.startIndex);
    visit.always("max_samples", options.maxSamples);
    visit.always("repeats", options.repeats);
    visit.always("time_limit_s", options.timeLimitS);
    visit.always("accuracy_checking", options.accuracyChecking);
    visit.always("channels_last", options.channelsLast);
    visit.always("means", options.means);
    visit.always("implementations", options.implementations);
}

template <class Visitor>
void documentMembers(Visitor& visit, auto& document) {
    visit("created", document.created);
    visit.nested("machine", [&](auto& inner) {
        inner("host", document.host);
        inner("system", document.system);
    });
    deviceMembers(visit, document);
    visit("command", document.command);
    if (document.kind == ResultKind::Kernels) {
        visit.always("method", document.method);
        visit("autotune_candidates", document.candidates);
    } else if (document.kind == ResultKind::Operators) {
        optionMembers(visit, document.options);
    }
    visit("unavailable", document.unavailable);
    visit("problems", document.problems);
    visit("notes", document.notes);
    visit("trace", document.trace);
}

Json coverageJson(const ResultDocument& document) {
    const auto calls = static_cast<double>(document.calls());
    const auto run = static_cast<double>(document.callsRun());
    return {{"calls", document.calls()},
            {"run", document.callsRun()},
            {"share", calls > 0.0 ? Json(run / calls) : Json()}};
}

}  // namespace

void writeDevice(const ResultHeader& header, Json& json) {
    MemberWriter visit(json);
    deviceMembers(visit, header);
}

void readDevice(const Json& json, ResultHeader& header) {
    MemberReader visit(json);
    deviceMembers(visit, header);
}

Json documentJson(const ResultDocument& document) {
    Json json{{"schema", kSchema}, {"kind", kindName(document.kind)}};
    MemberWriter visit(json);
    documentMembers(visit, document);
    if (document.kind == ResultKind::Operators) {
        json["coverage"] = coverageJson(document);
    }
    Json& items = json["items"] = Json::array();
    for (const BenchItem& item : document.items) {
        items.push_back(itemJson(item));
    }
    return json;
}

Result<ResultKind> kindOf(const Json& json) {
    const std::string schema = fields::text(json, "schema");
    if (schema != kSchema && schema != kFirstSchema) {
        return fail("is not a result document: its \"schema\" is neither " + std::string(kSchema) +
                    " nor " + kFirstSchema);
    }
    // The first documents were all of kernels and did not say so.
    const std::string kind = fields::text(json, "kind");
    const auto found = std::ranges::find(kKindNames, kind.empty() ? kKindNames[0] : kind);
    if (found == kKindNames.end()) {
        return fail("this is a result of '" + text::printable(kind) +
                    "', not of kernels, operators or modules");
    }
    return static_cast<ResultKind>(found - kKindNames.begin());
}

Result<ResultDocument> readDocument(Json json) {
    const auto kind = kindOf(json);
    if (!kind) {
        return tl::unexpected(kind.error());
    }
    if (fields::text(json, "schema") == kFirstSchema) {
        upgradeResult(*kind, json);
    }
    ResultDocument document;
    document.kind = *kind;
    MemberReader visit(json);
    documentMembers(visit, document);
    for (const Json& item : fields::objects(json, "items")) {
        document.items.push_back(readItem(item));
    }
    return document;
}

std::string resultJson(const ResultDocument& document) {
    return fields::dump(documentJson(document), 1) + "\n";
}

Result<ResultDocument> parseResult(std::string_view json) {
    return fields::jsonObject(json).and_then(
        [](Json&& parsed) { return readDocument(std::move(parsed)); });
}

Result<ResultDocument> parseResult(std::string_view json, ResultKind kind) {
    auto document = parseResult(json);
    if (document && document->kind != kind) {
        return fail("this is a result of kscope bench " + kindName(document->kind) + ", not of " +
                    kindName(kind));
    }
    return document;
}

}  // namespace kinetoscope::bench::results
