// SPDX-License-Identifier: Apache-2.0
#include "core/compare/ResultCompare.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

#include "core/compare/MatchRules.h"

namespace kinetoscope {

namespace {

struct KernelPair {
    const KernelResult* base = nullptr;
    const KernelResult* candidate = nullptr;
    MatchKind match = MatchKind::Exact;
};

using KernelList = std::vector<const KernelResult*>;

KernelList measured(const BenchDocument& document) {
    KernelList kernels;
    for (const KernelResult& kernel : document.kernels) {
        if (!kernel.configs.empty()) {
            kernels.push_back(&kernel);
        }
    }
    return kernels;
}

/// Takes the kernels with equal keys out of both lists, in their order.
void takePairs(KernelList& base, KernelList& candidate, MatchKind match,
               const std::function<std::string(const KernelResult&)>& keyOf,
               std::vector<KernelPair>& pairs) {
    std::multimap<std::string, const KernelResult*> known;
    for (const KernelResult* kernel : candidate) {
        known.emplace(keyOf(*kernel), kernel);
    }
    KernelList left;
    for (const KernelResult* kernel : base) {
        const auto found = known.find(keyOf(*kernel));
        if (found == known.end()) {
            left.push_back(kernel);
        } else {
            pairs.push_back({kernel, found->second, match});
            std::erase(candidate, found->second);
            known.erase(found);
        }
    }
    base = std::move(left);
}

const ConfigResult& configOf(const KernelResult& kernel) {
    return kernel.configs[kernel.chosen()];
}

bool sameSamples(const std::vector<double>& a, const std::vector<double>& b) {
    return !a.empty() && a == b;
}

PairedTimes sampledTimes(const ConfigResult& base, const ConfigResult& candidate) {
    PairedTimes times;
    times.base = countedNs(base.samples);
    times.candidate = countedNs(candidate.samples);
    times.identical = sameSamples(times.base, times.candidate);
    const std::size_t count = std::min(times.base.size(), times.candidate.size());
    times.base.resize(count);
    times.candidate.resize(count);
    for (std::size_t i = count; i-- > 0;) {
        if (times.base[i] <= 0.0 || times.candidate[i] <= 0.0) {
            times.base.erase(times.base.begin() + static_cast<std::ptrdiff_t>(i));
            times.candidate.erase(times.candidate.begin() + static_cast<std::ptrdiff_t>(i));
        }
    }
    return times;
}

/// The same in clock cycles, for kernels whose clocks differ.
PairedTimes inCycles(PairedTimes times, double baseMhz, double candidateMhz) {
    for (double& time : times.base) {
        time *= baseMhz;
    }
    for (double& time : times.candidate) {
        time *= candidateMhz;
    }
    times.identical = false;
    return times;
}

bool clocksDiffer(const KernelChange& change, double tolerance) {
    const auto [base, candidate] = change.clockMhz;
    return base > 0.0 && candidate > 0.0 && std::abs(std::log(candidate / base)) > tolerance;
}

KernelChange changeOf(const KernelPair& pair) {
    const ConfigResult& base = configOf(*pair.base);
    const ConfigResult& candidate = configOf(*pair.candidate);
    KernelChange change;
    change.match = pair.match;
    change.name = pair.match == MatchKind::Exact
                      ? pair.base->name
                      : MatchRules::builtin().normalised(pair.base->name);
    change.count = {static_cast<double>(base.samples.size()),
                    static_cast<double>(candidate.samples.size())};
    change.totalNs.value = {base.timeNs(), candidate.timeNs()};
    change.parts = {{{pair.base->name, {}, change.count.base, base.timeNs()}},
                    {{pair.candidate->name, {}, change.count.candidate, candidate.timeNs()}}};
    change.clockMhz = {base.clockMhz(), candidate.clockMhz()};
    return change;
}

// A verdict about time that clocks alone may have made must be one about cycles as well.
void weighClocks(const std::vector<PairedTimes>& times, const VerdictRule& rule,
                 std::vector<KernelChange>& kernels) {
    std::vector<PairedTimes> cycles;
    for (std::size_t i = 0; i < kernels.size(); ++i) {
        cycles.push_back(
            clocksDiffer(kernels[i], rule.tolerance)
                ? inCycles(times[i], kernels[i].clockMhz.base, kernels[i].clockMhz.candidate)
                : times[i]);
    }
    const auto decisions = decide(cycles, rule);
    for (std::size_t i = 0; i < kernels.size(); ++i) {
        if (clocksDiffer(kernels[i], rule.tolerance) &&
            decisions[i].verdict != kernels[i].verdict) {
            kernels[i].verdict = Verdict::Unsure;
        }
    }
}

std::vector<KernelOfOneSide> onlyOf(const KernelList& left, const BenchDocument& document) {
    std::vector<KernelOfOneSide> only;
    for (const KernelResult* kernel : left) {
        const ConfigResult& config = configOf(*kernel);
        only.push_back(
            {kernel->name, static_cast<double>(config.samples.size()), config.timeNs(), 0.0, {}});
    }
    for (const KernelResult& kernel : document.kernels) {
        if (kernel.configs.empty()) {
            only.push_back({kernel.name, 0.0, 0.0, 0.0,
                            kernel.reason.empty() ? "not measured" : kernel.reason});
        }
    }
    return only;
}

void addNotes(const BenchDocument& base, const BenchDocument& candidate, Comparison& comparison) {
    const auto differ = [&](const char* what, const std::string& a, const std::string& b) {
        if (a != b) {
            comparison.notes.push_back(fmt::format("{}: {} against {}", what, a, b));
        }
    };
    differ("different methods", base.method, candidate.method);
    differ("different GPUs", base.gpu.name, candidate.gpu.name);
    for (const KernelChange& kernel : comparison.kernels) {
        if (clocksDiffer(kernel, comparison.tolerance)) {
            comparison.notes.push_back(fmt::format("{}: SM clock {:.0f} MHz against {:.0f} MHz",
                                                   kernel.name, kernel.clockMhz.base,
                                                   kernel.clockMhz.candidate));
        }
    }
}

}  // namespace

Comparison compareResults(const Baseline<const BenchDocument*>& baseline,
                          const Candidate<const BenchDocument*>& candidates,
                          const CompareOptions& options) {
    const BenchDocument& base = **baseline;
    const BenchDocument& candidate = **candidates;
    std::vector<KernelPair> pairs;
    KernelList left = measured(base);
    KernelList right = measured(candidate);
    takePairs(
        left, right, MatchKind::Exact,
        [](const KernelResult& kernel) { return kernel.name + '\n' + kernel.key; }, pairs);
    takePairs(
        left, right, MatchKind::Exact, [](const KernelResult& kernel) { return kernel.name; },
        pairs);
    if (options.match != MatchKind::Exact) {
        takePairs(
            left, right, MatchKind::Normalised,
            [](const KernelResult& kernel) {
                return MatchRules::builtin().normalised(kernel.name);
            },
            pairs);
    }
    Comparison comparison;
    comparison.kind = CompareKind::Results;
    comparison.file = {base.id, candidate.id};
    comparison.match = options.match;
    comparison.tolerance = options.rule.tolerance;
    std::vector<PairedTimes> times;
    for (const KernelPair& pair : pairs) {
        comparison.kernels.push_back(changeOf(pair));
        times.push_back(sampledTimes(configOf(*pair.base), configOf(*pair.candidate)));
    }
    const auto decisions = decide(times, options.rule);
    for (std::size_t i = 0; i < times.size(); ++i) {
        comparison.kernels[i].speedup = speedupOf(times[i], decisions[i]);
        comparison.kernels[i].verdict = decisions[i].verdict;
    }
    weighClocks(times, options.rule, comparison.kernels);
    GpuChange gpu;
    gpu.name = {base.gpu.name, candidate.gpu.name};
    comparison.gpus.push_back(gpu);
    comparison.onlyBase = onlyOf(left, base);
    comparison.onlyCandidate = onlyOf(right, candidate);
    finishShares(comparison);
    addNotes(base, candidate, comparison);
    return comparison;
}

}  // namespace kinetoscope
