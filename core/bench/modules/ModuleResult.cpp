// SPDX-License-Identifier: Apache-2.0
#include "core/bench/modules/ModuleResult.h"

#include "core/bench/results/BenchJson.h"
#include "core/bench/results/JsonFields.h"

namespace kinetoscope::bench::modules {

using namespace results::fields;

namespace {

constexpr const char* kSchema = "kinetoscope.result/1";
constexpr double kThreshold = 0.01;

results::fields::Json textOrNull(const std::string& value) {
    return value.empty() ? results::fields::Json() : results::fields::Json(value);
}

results::fields::Json timesJson(const std::vector<double>& times, const std::string& verdict) {
    if (times.empty()) {
        return {};
    }
    const stats::SampleSummary summary = stats::summarize(times);
    return {
        {"mean_ms", summary.mean}, {"std_ms", summary.deviation},    {"median_ms", summary.median},
        {"low_ms", summary.low},   {"high_ms", summary.high},        {"min_ms", summary.min},
        {"max_ms", summary.max},   {"verdict", textOrNull(verdict)}, {"samples_ms", times}};
}

results::fields::Json runnerJson(const ModuleGroup& group, const ModuleResult& runner) {
    const ModuleResult& first = group.runners.front();
    const bool baseline = &runner == &first;
    const auto verdict = [&](const auto& ours, const auto& theirs) {
        return baseline ? std::string() : moduleVerdict(theirs, ours);
    };
    results::fields::Json json{{"name", runner.name}};
    json["forward"] = timesJson(runner.forwardMs, verdict(runner.forwardMs, first.forwardMs));
    json["backward"] = timesJson(runner.backwardMs, verdict(runner.backwardMs, first.backwardMs));
    json["note"] = textOrNull(runner.note);
    json["reason"] = textOrNull(runner.reason);
    json["agreement"] = runner.agreement
                            ? results::fields::Json{{"with", runner.agreement->with},
                                                    {"difference", runner.agreement->difference},
                                                    {"same", runner.agreement->same}}
                            : results::fields::Json();
    json["profile"] = runner.profile ? results::fields::Json{{"trace", runner.profile->trace},
                                                             {"runs", runner.profile->runs},
                                                             {"wall_ms", runner.profile->wallMs}}
                                     : results::fields::Json();
    return json;
}

std::vector<double> samples(const results::fields::Json& json, const char* key) {
    constexpr double kNsPerMs = 1e6;
    return results::fields::times(results::fields::list(json, key), kNsPerMs);
}

void readExtras(const results::fields::Json& json, ModuleResult& result) {
    result.note = results::fields::text(json, "note");
    result.reason = results::fields::text(json, "reason");
    if (const results::fields::Json& found = results::fields::object(json, "agreement");
        !found.empty()) {
        // A difference that is no number is NaN, which JSON has no word for.
        result.agreement = ModuleAgreement{
            results::fields::text(found, "with"),
            results::fields::maybeNumber(found, "difference").value_or(std::nan("")),
            results::fields::flag(found, "same")};
    }
    if (const results::fields::Json& found = results::fields::object(json, "profile");
        !found.empty()) {
        result.profile = ModuleProfile{results::fields::text(found, "trace"),
                                       results::fields::integer(found, "runs"),
                                       results::fields::number(found, "wall_ms")};
    }
}

ModuleResult readRunner(const results::fields::Json& json) {
    ModuleResult runner;
    runner.name = results::fields::text(json, "name");
    readExtras(json, runner);
    runner.forwardMs = samples(results::fields::object(json, "forward"), "samples_ms");
    runner.backwardMs = samples(results::fields::object(json, "backward"), "samples_ms");
    return runner;
}

ModuleGroup readGroup(const results::fields::Json& json) {
    ModuleGroup group{results::fields::text(json, "key"), results::fields::text(json, "title"), {}};
    for (const results::fields::Json& one : results::fields::objects(json, "runners")) {
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
    results::fields::Json json{
        {"schema", kSchema},
        {"kind", "modules"},
        {"created", document.created},
        {"machine", {{"host", document.host}, {"system", document.system}}},
        {"gpu", results::fields::written(results::gpuJson(document.gpu))},
        {"torch", {{"version", document.torchVersion}, {"threads", document.threads}}},
        {"command", document.command},
        {"device", document.device},
        {"notes", document.notes},
        {"modules", results::fields::Json::array()}};
    for (const ModuleGroup& group : document.groups) {
        results::fields::Json one{{"key", group.key},
                                  {"title", group.title},
                                  {"runners", results::fields::Json::array()}};
        for (const ModuleResult& runner : group.runners) {
            one["runners"].push_back(runnerJson(group, runner));
        }
        json["modules"].push_back(std::move(one));
    }
    return results::fields::dump(json, 1) + "\n";
}

Result<ModuleDocument> parseModuleDocument(std::string_view source) {
    const auto json = results::fields::jsonObject(source);
    if (!json) {
        return tl::unexpected(json.error());
    }
    if (results::fields::text(*json, "schema") != kSchema ||
        results::fields::text(*json, "kind") != "modules") {
        return fail("no result of kscope bench modules");
    }
    ModuleDocument document;
    document.created = results::fields::text(*json, "created");
    document.command = results::fields::text(*json, "command");
    document.device = results::fields::text(*json, "device");
    const results::fields::Json& machine = results::fields::object(*json, "machine");
    document.host = results::fields::text(machine, "host");
    document.system = results::fields::text(machine, "system");
    if (const results::fields::Json& gpu = results::fields::object(*json, "gpu"); !gpu.empty()) {
        document.gpu =
            results::parseGpu(results::fields::dump(gpu, -1)).value_or(results::GpuDescription());
    }
    const results::fields::Json& torch = results::fields::object(*json, "torch");
    document.torchVersion = results::fields::text(torch, "version");
    document.threads = results::fields::small(torch, "threads");
    for (const results::fields::Json& note : results::fields::list(*json, "notes")) {
        if (note.is_string()) {
            document.notes.push_back(note.get<std::string>());
        }
    }
    for (const results::fields::Json& group : results::fields::objects(*json, "modules")) {
        document.groups.push_back(readGroup(group));
    }
    return document;
}

std::string moduleRunnerJson(const ModuleGroup& group, const ModuleResult& runner) {
    return results::fields::dump(runnerJson(group, runner), -1);
}

Result<ModuleResult> parseModuleRunner(std::string_view json) {
    return results::fields::jsonObject(json).map(readRunner);
}

Result<void> takeModuleLine(std::string_view line, ModuleResult& result) {
    const auto json = results::fields::jsonObject(line);
    if (!json) {
        return tl::unexpected(json.error());
    }
    readExtras(*json, result);
    result.forwardMs = samples(*json, "forward_ms");
    result.backwardMs = samples(*json, "backward_ms");
    return {};
}

}  // namespace kinetoscope::bench::modules
