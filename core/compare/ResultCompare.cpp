// SPDX-License-Identifier: Apache-2.0
#include "core/compare/ResultCompare.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <set>

#include "core/compare/CompareText.h"
#include "core/compare/MatchRules.h"

namespace kinetoscope::compare {

namespace {

struct ItemPair {
    const MeasuredItem* base = nullptr;
    const MeasuredItem* candidate = nullptr;
    MatchKind match = MatchKind::Exact;
};

using ItemList = std::vector<const MeasuredItem*>;

ItemList itemsOf(const MeasuredResult& result, bool measured) {
    ItemList items;
    for (const MeasuredItem& item : result.items) {
        if (item.isMeasured() == measured) {
            items.push_back(&item);
        }
    }
    return items;
}

/// Takes the items with equal keys out of both lists, in their order.
void takePairs(ItemList& base, ItemList& candidate, MatchKind match,
               const std::function<std::string(const MeasuredItem&)>& keyOf,
               std::vector<ItemPair>& pairs) {
    std::multimap<std::string, const MeasuredItem*> known;
    for (const MeasuredItem* item : candidate) {
        known.emplace(keyOf(*item), item);
    }
    ItemList left;
    std::set<const MeasuredItem*> taken;
    for (const MeasuredItem* item : base) {
        const std::string key = keyOf(*item);
        const auto found = known.lower_bound(key);
        if (found == known.end() || found->first != key) {
            left.push_back(item);
        } else {
            pairs.push_back({item, found->second, match});
            taken.insert(found->second);
            known.erase(found);
        }
    }
    std::erase_if(candidate, [&](const MeasuredItem* item) { return taken.contains(item); });
    base = std::move(left);
}

std::string nameOf(const MeasuredItem& item) {
    return item.name;
}

std::vector<ItemPair> matchItems(ItemList& base, ItemList& candidate, ResultKind kind,
                                 MatchKind match) {
    std::vector<ItemPair> pairs;
    takePairs(
        base, candidate, MatchKind::Exact,
        [](const MeasuredItem& item) { return item.name + '\n' + item.key; }, pairs);
    takePairs(base, candidate, MatchKind::Exact, nameOf, pairs);
    // The rules know names of kernels only.
    if (match != MatchKind::Exact && kind == ResultKind::Kernels) {
        takePairs(
            base, candidate, MatchKind::Normalised,
            [](const MeasuredItem& item) { return MatchRules::builtin().normalised(item.name); },
            pairs);
    }
    return pairs;
}

/// One row on both sides.
struct RowTimes {
    stats::PairedTimes times;
    bool independent = false;
};

bool areSampledAlike(const ItemPair& pair) {
    return pair.base->sampling == pair.candidate->sampling;
}

RowTimes rowTimes(const ItemPair& pair) {
    const MeasuredItem& base = *pair.base;
    const MeasuredItem& candidate = *pair.candidate;
    // Their scatter means different things: only the figures that stand for them compare.
    if (!areSampledAlike(pair)) {
        return {{{base.timeNs}, {candidate.timeNs}}, true};
    }
    RowTimes row{{base.samplesNs, candidate.samplesNs}, base.sampling != Sampling::InTurn};
    row.times.identical = !base.samplesNs.empty() && base.samplesNs == candidate.samplesNs;
    if (row.independent) {
        for (std::vector<double>* side : {&row.times.base, &row.times.candidate}) {
            std::erase_if(*side, [](double time) { return !(time > 0.0); });
        }
        return row;
    }
    const std::size_t count = std::min(base.samplesNs.size(), candidate.samplesNs.size());
    row.times.base.clear();
    row.times.candidate.clear();
    for (std::size_t i = 0; i < count; ++i) {
        if (base.samplesNs[i] > 0.0 && candidate.samplesNs[i] > 0.0) {
            row.times.base.push_back(base.samplesNs[i]);
            row.times.candidate.push_back(candidate.samplesNs[i]);
        }
    }
    return row;
}

void toCycles(std::vector<double>& times, const MeasuredItem& item) {
    const bool each = item.clocksMhz.size() == times.size();
    for (std::size_t i = 0; i < times.size(); ++i) {
        times[i] *= each ? item.clocksMhz[i] : item.clockMhz;
    }
}

/// The same in clock cycles, for kernels whose clocks differ.
RowTimes inCycles(RowTimes row, const ItemPair& pair) {
    toCycles(row.times.base, *pair.base);
    toCycles(row.times.candidate, *pair.candidate);
    row.times.identical = false;
    return row;
}

/// Pairs and independent times each have their share of the error.
std::vector<stats::Decision> decideRows(const std::vector<RowTimes>& rows,
                                        const stats::VerdictRule& rule) {
    std::vector<stats::PairedTimes> paired;
    std::vector<stats::IndependentTimes> independent;
    for (const RowTimes& row : rows) {
        const stats::PairedTimes& times = row.times;
        if (row.independent) {
            independent.push_back({times.base, times.candidate, times.identical});
        } else {
            paired.push_back(times);
        }
    }
    const auto shareOf = [&](std::size_t count) {
        stats::VerdictRule share = rule;
        share.error *=
            rows.empty() ? 1.0 : static_cast<double>(count) / static_cast<double>(rows.size());
        return share;
    };
    const auto ofPairs = stats::decide(paired, shareOf(paired.size()));
    const auto ofOthers = stats::decideIndependent(independent, shareOf(independent.size()));
    std::vector<stats::Decision> decisions;
    std::size_t pairs = 0;
    for (const RowTimes& row : rows) {
        decisions.push_back(row.independent ? ofOthers[decisions.size() - pairs] : ofPairs[pairs]);
        pairs += row.independent ? 0 : 1;
    }
    return decisions;
}

/// Of independent times every one of a side meets every one of the other.
Speedup rowSpeedup(const RowTimes& row, const stats::Decision& decision) {
    if (!row.independent) {
        return speedupOf(row.times, decision);
    }
    stats::PairedTimes all;
    for (const double base : row.times.base) {
        for (const double candidate : row.times.candidate) {
            all.base.push_back(base);
            all.candidate.push_back(candidate);
        }
    }
    Speedup speedup = speedupOf(all, decision);
    speedup.pairs = std::min(row.times.base.size(), row.times.candidate.size());
    speedup.q50 = 1.0 / decision.ratio;
    return speedup;
}

bool clocksDiffer(const KernelChange& change, double tolerance) {
    const auto [base, candidate] = change.clockMhz;
    return base > 0.0 && candidate > 0.0 && std::abs(std::log(candidate / base)) > tolerance;
}

KernelPart partOf(const MeasuredItem& item) {
    return {item.name, item.op, static_cast<double>(item.runs), item.timeNs};
}

KernelChange changeOf(const ItemPair& pair) {
    const MeasuredItem& base = *pair.base;
    const MeasuredItem& candidate = *pair.candidate;
    KernelChange change;
    change.match = pair.match;
    change.name =
        pair.match == MatchKind::Exact ? base.name : MatchRules::builtin().normalised(base.name);
    change.count = {static_cast<double>(base.runs), static_cast<double>(candidate.runs)};
    change.totalNs.value = {base.timeNs, candidate.timeNs};
    change.parts = {{partOf(base)}, {partOf(candidate)}};
    change.clockMhz = {base.clockMhz, candidate.clockMhz};
    change.samplesNs = {base.samplesNs, candidate.samplesNs};
    change.independent = !areSampledAlike(pair) || base.sampling != Sampling::InTurn;
    change.key = {base.key, candidate.key};
    return change;
}

// A verdict about time that clocks alone may have made must be one about cycles as well.
void weighClocks(const std::vector<RowTimes>& rows, const std::vector<ItemPair>& pairs,
                 const stats::VerdictRule& rule, std::vector<KernelChange>& kernels) {
    std::vector<RowTimes> cycles;
    for (std::size_t i = 0; i < kernels.size(); ++i) {
        cycles.push_back(clocksDiffer(kernels[i], rule.tolerance) ? inCycles(rows[i], pairs[i])
                                                                  : rows[i]);
    }
    const auto decisions = decideRows(cycles, rule);
    for (std::size_t i = 0; i < kernels.size(); ++i) {
        const bool isChange = kernels[i].verdict == stats::Verdict::Faster ||
                              kernels[i].verdict == stats::Verdict::Slower;
        if (isChange && clocksDiffer(kernels[i], rule.tolerance) &&
            decisions[i].verdict != kernels[i].verdict) {
            kernels[i].verdict = stats::Verdict::Unsure;
        }
    }
}

// Why the other side has no time of an item, which it was to measure.
std::string failureOf(const MeasuredItem& item, const ItemList& unmeasuredThere) {
    const auto found = std::ranges::find_if(unmeasuredThere, [&item](const MeasuredItem* other) {
        return other->name == item.name && other->key == item.key;
    });
    return found == unmeasuredThere.end() ? std::string() : (*found)->reason;
}

std::vector<KernelOfOneSide> onlyOf(const ItemList& left, const ItemList& unmeasured,
                                    const ItemList& unmeasuredThere) {
    std::vector<KernelOfOneSide> only;
    for (const ItemList* items : {&left, &unmeasured}) {
        for (const MeasuredItem* item : *items) {
            only.push_back({item->name, static_cast<double>(item->runs), item->timeNs, 0.0,
                            item->reason, failureOf(*item, unmeasuredThere)});
        }
    }
    return only;
}

// By as much did runs of one operator bench differ on an H200 (docs/compare.md).
constexpr double kBetweenProcesses = 0.05;

void addPlacementNote(const MeasuredResult& base, const MeasuredResult& candidate,
                      Comparison& comparison) {
    const auto small = std::ranges::count_if(comparison.kernels, [](const KernelChange& kernel) {
        return (kernel.verdict == stats::Verdict::Faster ||
                kernel.verdict == stats::Verdict::Slower) &&
               std::abs(std::log(kernel.speedup.q50)) < kBetweenProcesses;
    });
    if (small > 0 && base.processes * candidate.processes == 1 && !base.gpu.empty()) {
        comparison.notes.push_back(
            fmt::format("each side is a single run of the bench, and memory placement alone can "
                        "change a time between runs by {:.0f} %: to confirm the verdict{} below "
                        "that, run both five times and compare RUN,RUN… with RUN,RUN…",
                        100.0 * kBetweenProcesses, small == 1 ? "" : "s"));
    }
}

void addNotes(const MeasuredResult& base, const MeasuredResult& candidate,
              std::size_t measuredByNone, Comparison& comparison) {
    const auto differ = [&](const std::string& what, const std::string& a, const std::string& b) {
        if (a != b) {
            comparison.notes.push_back(fmt::format("different {}: {} against {}", what, a, b));
        }
    };
    for (std::size_t i = 0; i < base.conditions.size(); ++i) {
        differ(base.conditions[i].first, base.conditions[i].second, candidate.conditions[i].second);
    }
    differ("GPUs", base.gpu, candidate.gpu);
    if (measuredByNone > 0) {
        comparison.notes.push_back(fmt::format("{} {} measured on neither side", measuredByNone,
                                               rowNoun(base.kind, measuredByNone)));
    }
    addPlacementNote(base, candidate, comparison);
    for (const KernelChange& kernel : comparison.kernels) {
        if (clocksDiffer(kernel, comparison.tolerance)) {
            comparison.notes.push_back(fmt::format("{}: SM clock {:.0f} MHz against {:.0f} MHz",
                                                   kernel.name, kernel.clockMhz.base,
                                                   kernel.clockMhz.candidate));
        }
    }
}

void addChanges(const std::vector<ItemPair>& pairs, const stats::VerdictRule& rule,
                Comparison& comparison) {
    std::vector<RowTimes> rows;
    for (const ItemPair& pair : pairs) {
        comparison.kernels.push_back(changeOf(pair));
        rows.push_back(rowTimes(pair));
    }
    const auto decisions = decideRows(rows, rule);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        comparison.kernels[i].speedup = rowSpeedup(rows[i], decisions[i]);
        comparison.kernels[i].verdict = decisions[i].verdict;
    }
    weighClocks(rows, pairs, rule, comparison.kernels);
    if (const auto odd =
            static_cast<std::size_t>(std::ranges::count_if(pairs, std::not_fn(areSampledAlike)));
        odd > 0) {
        comparison.notes.push_back(fmt::format(
            "{} {} without a verdict: one side is of one run and the other of several, or only one "
            "moved its memory between repeats; give at least {} runs for each side, or one for "
            "both",
            odd, rowNoun(comparison.results, odd), rule.leastPairs));
    }
}

}  // namespace

Comparison compareResults(const Baseline<const MeasuredResult*>& baseline,
                          const Candidate<const MeasuredResult*>& candidates,
                          const CompareOptions& options) {
    const MeasuredResult& base = **baseline;
    const MeasuredResult& candidate = **candidates;
    Comparison comparison;
    comparison.results = base.kind;
    comparison.file = {base.id, candidate.id};
    comparison.match = options.match;
    comparison.tolerance = options.rule.tolerance;
    ItemList left = itemsOf(base, true);
    ItemList right = itemsOf(candidate, true);
    addChanges(matchItems(left, right, base.kind, options.match), options.rule, comparison);
    GpuChange gpu;
    gpu.name = {base.gpu, candidate.gpu};
    if (!base.gpu.empty() || !candidate.gpu.empty()) {
        comparison.gpus.push_back(gpu);
    }
    // What neither side measured is nothing that only one side has.
    ItemList unmeasuredLeft = itemsOf(base, false);
    ItemList unmeasuredRight = itemsOf(candidate, false);
    std::vector<ItemPair> neither;
    takePairs(unmeasuredLeft, unmeasuredRight, MatchKind::Exact, nameOf, neither);
    comparison.onlyBase = onlyOf(left, unmeasuredLeft, unmeasuredRight);
    comparison.onlyCandidate = onlyOf(right, unmeasuredRight, unmeasuredLeft);
    finishShares(comparison);
    addNotes(base, candidate, neither.size(), comparison);
    return comparison;
}

}  // namespace kinetoscope::compare
