// SPDX-License-Identifier: Apache-2.0
#include "core/compare/MeasuredResult.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <tuple>

namespace kinetoscope::compare {

namespace {

constexpr double kNsPerMs = 1e6;

MeasuredItem unmeasured(const std::string& name, const std::string& reason,
                        const std::string& op = {}) {
    MeasuredItem item;
    item.name = name;
    item.op = op;
    item.reason = reason.empty() ? "not measured" : reason;
    return item;
}

MeasuredItem itemOf(const bench::results::KernelResult& kernel) {
    if (kernel.configs.empty()) {
        return unmeasured(kernel.name, kernel.reason);
    }
    const bench::results::ConfigResult& config = kernel.configs[kernel.chosen()];
    return {kernel.name,
            kernel.key,
            {},
            bench::results::countedNs(config.samples),
            config.samples.size(),
            config.timeNs(),
            config.clockMhz(),
            {}};
}

// "aten.mm.default eager ((T([2, 3], f16), …), {})": what tells calls apart comes last, where a
// narrow table cuts.
std::string callName(const bench::results::OperatorResult& result,
                     const std::string& implementation,
                     const bench::results::OperatorSample& sample) {
    return result.name + (implementation.empty() ? "" : " " + implementation) + " " + sample.input;
}

MeasuredItem itemOf(const bench::results::OperatorResult& result,
                    const bench::results::OperatorSample& sample,
                    const bench::results::ImplementationResult& one) {
    const std::string name = callName(result, one.name, sample);
    const auto time = one.timeNs();
    if (!time) {
        return unmeasured(name, one.reason, result.name);
    }
    MeasuredItem item;
    item.name = name;
    item.key = std::to_string(sample.index);
    item.op = result.name;
    item.samplesNs = one.batchesNs.empty() ? one.repeatsNs : one.batchesNs;
    item.runs = one.samples;
    item.timeNs = *time;
    return item;
}

void addItems(const bench::results::OperatorResult& result, std::vector<MeasuredItem>& items) {
    if (result.samples.empty()) {
        items.push_back(unmeasured(result.name, result.reason, result.name));
    }
    for (const bench::results::OperatorSample& sample : result.samples) {
        if (sample.implementations.empty()) {
            items.push_back(unmeasured(callName(result, {}, sample), sample.reason, result.name));
        }
        for (const bench::results::ImplementationResult& one : sample.implementations) {
            items.push_back(itemOf(result, sample, one));
        }
    }
}

void addItems(const bench::results::ModuleGroup& group, const bench::results::ModuleResult& runner,
              std::vector<MeasuredItem>& items) {
    const std::string name = group.key + " " + runner.name;
    if (runner.forwardMs.empty() && runner.backwardMs.empty()) {
        items.push_back(unmeasured(name, runner.reason));
    }
    for (const auto& [direction, times] :
         {std::pair{" forward", &runner.forwardMs}, std::pair{" backward", &runner.backwardMs}}) {
        if (times->empty()) {
            continue;
        }
        MeasuredItem item;
        item.name = name + direction;
        for (const double ms : *times) {
            item.samplesNs.push_back(ms * kNsPerMs);
        }
        item.runs = times->size();
        item.timeNs = stats::summarize(item.samplesNs).median;
        items.push_back(std::move(item));
    }
}

template <class Document>
MeasuredResult ranBy(const Document& document, ResultKind kind) {
    return {kind,
            document.id,
            document.gpu.name,
            {{"devices", document.device},
             {"versions of PyTorch", document.torchVersion},
             {"numbers of threads", std::to_string(document.threads)}},
            {}};
}

double medianOf(const std::vector<const MeasuredItem*>& items, double MeasuredItem::*value) {
    std::vector<double> values;
    values.reserve(items.size());
    for (const MeasuredItem* item : items) {
        values.push_back(item->*value);
    }
    return stats::medianOf(values);
}

// `items`: one item, as every run that has it measured it.
MeasuredItem pooledItem(const std::vector<const MeasuredItem*>& items, std::size_t runs) {
    const auto measured = static_cast<std::size_t>(
        std::ranges::count_if(items, [](const MeasuredItem* item) { return item->isMeasured(); }));
    MeasuredItem pooled = *items.front();
    if (measured < runs) {
        const std::string reason = measured == 0
                                       ? pooled.reason
                                       : fmt::format("measured in {} of {} runs", measured, runs);
        return unmeasured(pooled.name, reason, pooled.op);
    }
    pooled.samplesNs.clear();
    pooled.runs = 0;
    for (const MeasuredItem* item : items) {
        pooled.samplesNs.push_back(item->timeNs);
        pooled.runs += item->runs;
    }
    pooled.timeNs = medianOf(items, &MeasuredItem::timeNs);
    pooled.clockMhz = medianOf(items, &MeasuredItem::clockMhz);
    return pooled;
}

}  // namespace

Result<MeasuredResult> pooledResult(const std::vector<MeasuredResult>& runs) {
    MeasuredResult pooled = runs.front();
    if (runs.size() == 1) {
        return pooled;
    }
    pooled.id = fmt::format("{} and {} more", pooled.id, runs.size() - 1);
    pooled.processes = runs.size();
    using Identity = std::tuple<std::string, std::string, std::size_t>;  // the n-th of its name
    std::map<Identity, std::size_t> places;
    std::vector<std::vector<const MeasuredItem*>> items;
    for (const MeasuredResult& run : runs) {
        if (run.kind != pooled.kind) {
            return fail(
                fmt::format("{} and {} are results of different benches", runs.front().id, run.id));
        }
        std::map<std::pair<std::string, std::string>, std::size_t> seen;
        for (const MeasuredItem& item : run.items) {
            const std::size_t nth = seen[{item.name, item.key}]++;
            const auto [place, isNew] =
                places.try_emplace({item.name, item.key, nth}, items.size());
            if (isNew) {
                items.emplace_back();
            }
            items[place->second].push_back(&item);
        }
    }
    pooled.items.clear();
    for (const auto& ofRuns : items) {
        pooled.items.push_back(pooledItem(ofRuns, runs.size()));
    }
    return pooled;
}

std::string_view resultKindName(ResultKind kind) {
    static constexpr std::array<std::string_view, 3> kNames{"kernels", "operators", "modules"};
    return kNames[static_cast<std::size_t>(kind)];
}

MeasuredResult measured(const bench::results::KernelDocument& document) {
    MeasuredResult result{
        ResultKind::Kernels, document.id, document.gpu.name, {{"methods", document.method}}, {}};
    for (const bench::results::KernelResult& kernel : document.kernels) {
        result.items.push_back(itemOf(kernel));
    }
    return result;
}

MeasuredResult measured(const bench::results::OperatorDocument& document) {
    MeasuredResult result = ranBy(document, ResultKind::Operators);
    result.conditions.emplace_back("data types", document.dtype);
    for (const bench::results::OperatorResult& one : document.operators) {
        addItems(one, result.items);
    }
    return result;
}

MeasuredResult measured(const bench::results::ModuleDocument& document) {
    MeasuredResult result = ranBy(document, ResultKind::Modules);
    for (const bench::results::ModuleGroup& group : document.groups) {
        for (const bench::results::ModuleResult& runner : group.runners) {
            addItems(group, runner, result.items);
        }
    }
    return result;
}

Result<MeasuredResult> parseMeasuredResult(std::string_view source) {
    return bench::results::parseResult(source).map([](const bench::results::ResultDocument& any) {
        return std::visit([](const auto& document) { return measured(document); }, any);
    });
}

}  // namespace kinetoscope::compare
