// SPDX-License-Identifier: Apache-2.0
#include "core/bench/results/ModuleResult.h"

#include "core/bench/results/BenchJson.h"
#include "core/bench/results/JsonFields.h"

namespace kinetoscope::bench::results {

using namespace fields;

namespace {

constexpr const char* kSchema = "kinetoscope.result/1";
constexpr double kThreshold = 0.01;

fields::Json textOrNull(const std::string& value) {
    return value.empty() ? fields::Json() : fields::Json(value);
}

fields::Json timesJson(const std::vector<double>& times, const std::string& verdict) {
    if (times.empty()) {
        return {};
    }
    const stats::SampleSummary summary = stats::summarize(times);
    return {
        {"mean_ms", summary.mean}, {"std_ms", summary.deviation},    {"median_ms", summary.median},
        {"low_ms", summary.low},   {"high_ms", summary.high},        {"min_ms", summary.min},
        {"max_ms", summary.max},   {"verdict", textOrNull(verdict)}, {"samples_ms", times}};
}

fields::Json runnerJson(const ModuleGroup& group, const ModuleResult& runner) {
    const ModuleResult& first = group.runners.front();
    const bool baseline = &runner == &first;
    const auto verdict = [&](const auto& ours, const auto& theirs) {
        return baseline ? std::string() : moduleVerdict(theirs, ours);
    };
    fields::Json json{{"name", runner.name}};
    json["forward"] = timesJson(runner.forwardMs, verdict(runner.forwardMs, first.forwardMs));
    json["backward"] = timesJson(runner.backwardMs, verdict(runner.backwardMs, first.backwardMs));
    json["note"] = textOrNull(runner.note);
    json["reason"] = textOrNull(runner.reason);
    json["agreement"] = runner.agreement
                            ? fields::Json{{"with", runner.agreement->with},
                                           {"difference", runner.agreement->difference},
                                           {"same", runner.agreement->same}}
                            : fields::Json();
    json["profile"] = runner.profile ? fields::Json{{"trace", runner.profile->trace},
                                                    {"runs", runner.profile->runs},
                                                    {"wall_ms", runner.profile->wallMs}}
                                     : fields::Json();
    return json;
}

std::vector<double> samples(const fields::Json& json, const char* key) {
    constexpr double kNsPerMs = 1e6;
    return fields::times(fields::list(json, key), kNsPerMs);
}

void readExtras(const fields::Json& json, ModuleResult& result) {
    result.note = fields::text(json, "note");
    result.reason = fields::text(json, "reason");
    if (const fields::Json& found = fields::object(json, "agreement"); !found.empty()) {
        // A difference that is no number is NaN, which JSON has no word for.
        result.agreement =
            ModuleAgreement{fields::text(found, "with"),
                            fields::maybeNumber(found, "difference").value_or(std::nan("")),
                            fields::flag(found, "same")};
    }
    if (const fields::Json& found = fields::object(json, "profile"); !found.empty()) {
        result.profile = ModuleProfile{fields::text(found, "trace"), fields::integer(found, "runs"),
                                       fields::number(found, "wall_ms")};
    }
}

ModuleResult readRunner(const fields::Json& json) {
    ModuleResult runner;
    runner.name = fields::text(json, "name");
    readExtras(json, runner);
    runner.forwardMs = samples(fields::object(json, "forward"), "samples_ms");
    runner.backwardMs = samples(fields::object(json, "backward"), "samples_ms");
    return runner;
}

ModuleGroup readGroup(const fields::Json& json) {
    ModuleGroup group{fields::text(json, "key"), fields::text(json, "title"), {}};
    for (const fields::Json& one : fields::objects(json, "runners")) {
        group.runners.push_back(readRunner(one));
    }
    return group;
}

}  // namespace

std::size_t ModuleDocument::failures() const {
    std::size_t count = 0;
    for (const ModuleGroup& group : groups) {
        for (const ModuleResult& runner : group.runners) {
            count += runner.reason.empty() ? 0U : 1U;
        }
    }
    return count;
}

std::size_t ModuleDocument::disagreements() const {
    std::size_t count = 0;
    for (const ModuleGroup& group : groups) {
        for (const ModuleResult& runner : group.runners) {
            count += runner.agreement && !runner.agreement->same ? 1U : 0U;
        }
    }
    return count;
}

std::string moduleVerdict(const std::vector<double>& baselineMs,
                          const std::vector<double>& runnerMs) {
    const stats::SampleSummary before = stats::summarize(baselineMs);
    const stats::SampleSummary after = stats::summarize(runnerMs);
    if (before.count == 0 || after.count == 0 || before.low <= 0.0) {
        return {};
    }
    if (before.count < 6 || after.count < 6) {
        return "UNSURE";  // such intervals hold the median with less than 95 %
    }
    const double low = after.low / before.high;
    const double high = after.high / before.low;
    if (low > 1.0 + kThreshold) {
        return "SLOWER";
    }
    if (high < 1.0 - kThreshold) {
        return "FASTER";
    }
    return low >= 1.0 - kThreshold && high <= 1.0 + kThreshold ? "SAME" : "UNSURE";
}

std::string moduleDocumentJson(const ModuleDocument& document) {
    fields::Json json{
        {"schema", kSchema},
        {"kind", "modules"},
        {"created", document.created},
        {"machine", {{"host", document.host}, {"system", document.system}}},
        {"gpu", fields::written(gpuJson(document.gpu))},
        {"torch", {{"version", document.torchVersion}, {"threads", document.threads}}},
        {"command", document.command},
        {"device", document.device},
        {"notes", document.notes},
        {"modules", fields::Json::array()}};
    for (const ModuleGroup& group : document.groups) {
        fields::Json one{
            {"key", group.key}, {"title", group.title}, {"runners", fields::Json::array()}};
        for (const ModuleResult& runner : group.runners) {
            one["runners"].push_back(runnerJson(group, runner));
        }
        json["modules"].push_back(std::move(one));
    }
    return fields::dump(json, 1) + "\n";
}

Result<ModuleDocument> parseModuleDocument(std::string_view source) {
    const auto json = fields::jsonObject(source);
    if (!json) {
        return tl::unexpected(json.error());
    }
    if (fields::text(*json, "schema") != kSchema || fields::text(*json, "kind") != "modules") {
        return fail("no result of kscope bench modules");
    }
    ModuleDocument document;
    document.created = fields::text(*json, "created");
    document.command = fields::text(*json, "command");
    document.device = fields::text(*json, "device");
    const fields::Json& machine = fields::object(*json, "machine");
    document.host = fields::text(machine, "host");
    document.system = fields::text(machine, "system");
    if (const fields::Json& gpu = fields::object(*json, "gpu"); !gpu.empty()) {
        document.gpu = parseGpu(fields::dump(gpu, -1)).value_or(GpuDescription());
    }
    const fields::Json& torch = fields::object(*json, "torch");
    document.torchVersion = fields::text(torch, "version");
    document.threads = fields::small(torch, "threads");
    for (const fields::Json& note : fields::list(*json, "notes")) {
        if (note.is_string()) {
            document.notes.push_back(note.get<std::string>());
        }
    }
    for (const fields::Json& group : fields::objects(*json, "modules")) {
        document.groups.push_back(readGroup(group));
    }
    return document;
}

std::string moduleRunnerJson(const ModuleGroup& group, const ModuleResult& runner) {
    return fields::dump(runnerJson(group, runner), -1);
}

Result<ModuleResult> parseModuleRunner(std::string_view json) {
    return fields::jsonObject(json).map(readRunner);
}

Result<void> takeModuleLine(std::string_view line, ModuleResult& result) {
    const auto json = fields::jsonObject(line);
    if (!json) {
        return tl::unexpected(json.error());
    }
    readExtras(*json, result);
    result.forwardMs = samples(*json, "forward_ms");
    result.backwardMs = samples(*json, "backward_ms");
    return {};
}

}  // namespace kinetoscope::bench::results
