// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "core/bench/results/JsonParts.h"

namespace kinetoscope::bench::results {

namespace {

fields::Json timesJson(const std::vector<double>& times, const std::string& verdict) {
    if (times.empty()) {
        return {};
    }
    const stats::SampleSummary summary = stats::summarize(times);
    return {{"mean_ms", summary.mean},     {"std_ms", summary.deviation},
            {"median_ms", summary.median}, {"low_ms", summary.low},
            {"high_ms", summary.high},     {"min_ms", summary.min},
            {"max_ms", summary.max},       {"verdict", fields::textOrNull(verdict)},
            {"samples_ms", times}};
}

std::vector<double> samples(const fields::Json& json, const char* key) {
    constexpr double kNsPerMs = 1e6;
    return fields::times(fields::list(json, key), kNsPerMs);
}

void readExtras(const fields::Json& json, ModuleResult& result) {
    result.note = fields::text(json, "note");
    result.reason = fields::text(json, "reason");
    if (const fields::Json& found = fields::object(json, "agreement"); !found.empty()) {
        // A difference that is not a number is NaN, which JSON has no word for.
        result.agreement =
            ModuleAgreement{fields::text(found, "with"),
                            fields::maybeNumber(found, "difference").value_or(std::nan("")),
                            fields::flag(found, "same")};
    }
    if (const fields::Json& found = fields::object(json, "profile"); !found.empty()) {
        result.profile = ModuleProfile{fields::text(found, "trace"), fields::integer(found, "runs"),
                                       fields::number(found, "wall_ms"),
                                       fields::maybeNumber(found, "utilization"),
                                       fields::maybeNumber(found, "mm_conv_utilization")};
    }
}

ModuleGroup readGroup(const fields::Json& json) {
    ModuleGroup group{fields::text(json, "key"), fields::text(json, "title"), {}};
    for (const fields::Json& one : fields::objects(json, "runners")) {
        group.runners.push_back(readRunner(one));
    }
    return group;
}

}  // namespace

fields::Json runnerJson(const ModuleGroup& group, const ModuleResult& runner) {
    fields::Json json{{"name", runner.name}};
    json["forward"] =
        timesJson(runner.forwardMs, moduleVerdict(group, runner, &ModuleResult::forwardMs));
    json["backward"] =
        timesJson(runner.backwardMs, moduleVerdict(group, runner, &ModuleResult::backwardMs));
    json["note"] = fields::textOrNull(runner.note);
    json["reason"] = fields::textOrNull(runner.reason);
    json["agreement"] = runner.agreement
                            ? fields::Json{{"with", runner.agreement->with},
                                           {"difference", runner.agreement->difference},
                                           {"same", runner.agreement->same}}
                            : fields::Json();
    json["profile"] = fields::Json();
    if (const auto& profile = runner.profile) {
        json["profile"] = {
            {"trace", profile->trace}, {"runs", profile->runs}, {"wall_ms", profile->wallMs}};
        if (profile->utilization && profile->mmConvUtilization) {
            json["profile"]["utilization"] = *profile->utilization;
            json["profile"]["mm_conv_utilization"] = *profile->mmConvUtilization;
        }
    }
    return json;
}

ModuleResult readRunner(const fields::Json& json) {
    ModuleResult runner;
    runner.name = fields::text(json, "name");
    readExtras(json, runner);
    runner.forwardMs = samples(fields::object(json, "forward"), "samples_ms");
    runner.backwardMs = samples(fields::object(json, "backward"), "samples_ms");
    return runner;
}

void writeBody(const ModuleDocument& document, fields::Json& json) {
    json["notes"] = document.notes;
    json["modules"] = fields::Json::array();
    for (const ModuleGroup& group : document.groups) {
        fields::Json one{
            {"key", group.key}, {"title", group.title}, {"runners", fields::Json::array()}};
        for (const ModuleResult& runner : group.runners) {
            one["runners"].push_back(runnerJson(group, runner));
        }
        json["modules"].push_back(std::move(one));
    }
}

void readBody(const fields::Json& json, ModuleDocument& document) {
    document.notes = fields::texts(fields::list(json, "notes"));
    for (const fields::Json& group : fields::objects(json, "modules")) {
        document.groups.push_back(readGroup(group));
    }
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
