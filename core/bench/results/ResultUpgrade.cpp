// SPDX-License-Identifier: Apache-2.0
#include "core/bench/results/JsonParts.h"

namespace kinetoscope::bench::results {

namespace {

using fields::Json;

// Of any types: what is read of them later is checked there.
void rename(Json& json, const char* from, const char* to) {
    if (const auto found = json.find(from); found != json.end()) {
        Json value = std::move(*found);
        json.erase(from);
        json[to] = std::move(value);
    }
}

template <class Change>
void changeEach(Json& json, const char* list, Change change) {
    if (const auto found = json.find(list); found != json.end() && found->is_array()) {
        for (Json& one : *found) {
            if (one.is_object()) {
                change(one);
            }
        }
    }
}

void upgradeKernel(Json& kernel) {
    rename(kernel, "configs", "series");
    changeEach(kernel, "series", [](Json& config) {
        rename(config, "config", "name");
        config["minimum"] = fields::text(fields::object(config, "gpu_time"), "statistic") == "min";
    });
}

void upgradeOperator(Json& item) {
    rename(item, "samples", "parts");
    changeEach(item, "parts", [](Json& call) {
        rename(call, "input", "name");
        rename(call, "implementations", "series");
        changeEach(call, "series", [](Json& series) {
            rename(series, "samples", "runs");
            rename(series, "batches_ns", "samples_ns");
        });
    });
}

Json nanoseconds(const Json& milliseconds) {
    constexpr double kNsPerMs = 1e6;
    Json all = Json::array();
    for (const Json& value : milliseconds) {
        all.push_back(value.is_number() ? Json(value.get<double>() * kNsPerMs) : Json());
    }
    return all;
}

void upgradeGroup(Json& group) {
    rename(group, "title", "name");
    rename(group, "runners", "parts");
    changeEach(group, "parts", [](Json& runner) {
        Json series = Json::array();
        for (const char* direction : kDirections) {
            const Json& times = fields::list(fields::object(runner, direction), "samples_ms");
            if (!times.empty()) {
                series.push_back({{"name", direction}, {"samples_ns", nanoseconds(times)}});
            }
        }
        runner["series"] = std::move(series);
        rename(runner, "agreement", "accuracy");
        if (Json accuracy = fields::object(runner, "accuracy"); !accuracy.empty()) {
            rename(accuracy, "difference", "max_rel");
            runner["accuracy"] = std::move(accuracy);
        }
    });
}

}  // namespace

void upgradeResult(ResultKind kind, Json& json) {
    rename(json, kKindNames[static_cast<std::size_t>(kind)], "items");
    changeEach(json, "items",
               kind == ResultKind::Kernels     ? upgradeKernel
               : kind == ResultKind::Operators ? upgradeOperator
                                               : upgradeGroup);
}

}  // namespace kinetoscope::bench::results
