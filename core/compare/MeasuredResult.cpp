// SPDX-License-Identifier: Apache-2.0
#include "core/compare/MeasuredResult.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "core/stats/Verdict.h"
#include "core/text/Printable.h"

namespace kinetoscope::compare {

namespace {

using bench::results::BenchItem;
using bench::results::BenchSeries;

MeasuredItem unmeasured(const std::string& name, const std::string& key, const std::string& reason,
                        const std::string& op = {}) {
    MeasuredItem item;
    item.name = name;
    item.key = key;
    item.op = op;
    item.reason = reason.empty() ? "not measured" : reason;
    return item;
}

MeasuredItem itemOf(const std::string& name, const std::string& key, const std::string& op,
                    const BenchSeries& series) {
    if (!series.measured()) {
        return unmeasured(name, key, series.reason, op);
    }
    const bool moved = series.moved && series.repeatsNs.size() >= stats::VerdictRule{}.leastPairs;
    return {name,
            key,
            op,
            moved || series.samples.empty() ? series.repeatsNs
                                            : bench::results::countedNs(series.samples),
            series.runs > 0 ? series.runs : series.samples.size(),
            series.timeNs(),
            series.clockMhz(),
            {},
            moved ? Sampling::MovedRepeats : Sampling::InTurn};
}

// The configuration that an autotuning chose, else the fastest.
void addKernel(const BenchItem& kernel, std::vector<MeasuredItem>& items) {
    items.push_back(kernel.series.empty()
                        ? unmeasured(kernel.name, kernel.key, kernel.reason)
                        : itemOf(kernel.name, kernel.key, {}, kernel.series[kernel.chosen()]));
}

// "aten.mm.default eager ((T([2, 3], f16), …), {})": calls differ at the end, where a narrow table
// cuts.
void addOperator(const BenchItem& op, std::vector<MeasuredItem>& items) {
    if (op.parts.empty()) {
        items.push_back(unmeasured(op.name, {}, op.reason, op.name));
    }
    for (const BenchItem& call : op.parts) {
        if (call.series.empty()) {
            items.push_back(unmeasured(op.name + " " + call.name, std::to_string(call.index),
                                       call.reason, op.name));
        }
        for (const BenchSeries& series : call.series) {
            items.push_back(itemOf(op.name + " " + series.name + " " + call.name,
                                   std::to_string(call.index), op.name, series));
        }
    }
}

void addGroup(const BenchItem& group, std::vector<MeasuredItem>& items) {
    for (const BenchItem& runner : group.parts) {
        const std::string name = group.key + " " + runner.name;
        if (runner.series.empty()) {
            items.push_back(unmeasured(name, {}, runner.reason));
        }
        for (const BenchSeries& series : runner.series) {
            items.push_back(itemOf(name + " " + series.name, {}, {}, series));
        }
    }
}

// What times depend on, besides the GPU.
std::vector<std::pair<std::string, std::string>> conditionsOf(
    const bench::results::ResultDocument& document) {
    if (document.kind == ResultKind::Kernels) {
        return {{"methods", document.method}};
    }
    std::vector<std::pair<std::string, std::string>> conditions{
        {"devices", document.device},
        {"versions of PyTorch", document.torchVersion},
        {"numbers of threads", std::to_string(document.threads)}};
    if (document.kind == ResultKind::Operators) {
        conditions.emplace_back("data types", document.options.dtype);
    }
    return conditions;
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
MeasuredItem pooledItem(std::vector<const MeasuredItem*> items, std::size_t runs,
                        std::size_t least) {
    MeasuredItem pooled = *items.front();
    std::erase_if(items, [](const MeasuredItem* item) { return !item->isMeasured(); });
    const std::size_t measured = items.size();
    if (measured < least) {
        const std::string reason = measured == 0
                                       ? pooled.reason
                                       : fmt::format("measured in {} of {} runs", measured, runs);
        return unmeasured(pooled.name, pooled.key, reason, pooled.op);
    }
    pooled.samplesNs.clear();
    pooled.clocksMhz.clear();
    pooled.sampling = Sampling::Runs;
    pooled.runs = 0;
    for (const MeasuredItem* item : items) {
        pooled.samplesNs.push_back(item->timeNs);
        pooled.clocksMhz.push_back(item->clockMhz);
        pooled.runs += item->runs;
    }
    if (std::ranges::any_of(pooled.clocksMhz, [](double mhz) { return mhz <= 0.0; })) {
        pooled.clocksMhz.clear();
    }
    pooled.timeNs = medianOf(items, &MeasuredItem::timeNs);
    pooled.clockMhz = medianOf(items, &MeasuredItem::clockMhz);
    return pooled;
}

// Times of runs that were measured differently are not a sample of anything.
Result<void> requireAlike(const MeasuredResult& first, const MeasuredResult& run) {
    const auto differ = [&](const std::string& what, const std::string& a, const std::string& b) {
        return fail(fmt::format("'{}' and '{}' cannot be runs of one side: {}, {} and {}",
                                text::printable(first.id), text::printable(run.id), what,
                                text::printable(a), text::printable(b)));
    };
    if (run.kind != first.kind) {
        return differ("different benches", std::string(bench::results::kindName(first.kind)),
                      std::string(bench::results::kindName(run.kind)));
    }
    if (!run.gpu.empty() && !first.gpu.empty() && run.gpu != first.gpu) {
        return differ("another GPU", first.gpu, run.gpu);
    }
    for (std::size_t i = 0; i < first.conditions.size(); ++i) {
        if (run.conditions[i] != first.conditions[i]) {
            return differ("different " + first.conditions[i].first, first.conditions[i].second,
                          run.conditions[i].second);
        }
    }
    return {};
}

}  // namespace

Result<MeasuredResult> pooledResult(const std::vector<MeasuredResult>& runs, std::size_t least) {
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
        if (auto alike = requireAlike(runs.front(), run); !alike) {
            return tl::unexpected(alike.error());
        }
        if (pooled.gpu.empty()) {
            pooled.gpu = run.gpu;
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
        pooled.items.push_back(pooledItem(ofRuns, runs.size(), least > 0 ? least : runs.size()));
    }
    return pooled;
}

MeasuredResult measured(const bench::results::ResultDocument& document) {
    MeasuredResult result{
        document.kind, document.id, document.gpu.name, conditionsOf(document), {}};
    const auto add = document.kind == ResultKind::Kernels     ? addKernel
                     : document.kind == ResultKind::Operators ? addOperator
                                                              : addGroup;
    for (const BenchItem& item : document.items) {
        add(item, result.items);
    }
    return result;
}

Result<MeasuredResult> parseMeasuredResult(std::string_view source) {
    return bench::results::parseResult(source).map(measured);
}

}  // namespace kinetoscope::compare
