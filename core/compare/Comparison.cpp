// SPDX-License-Identifier: Apache-2.0
#include "core/compare/Comparison.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <tuple>

#include "core/base/Threads.h"
#include "core/report/Figures.h"
#include "core/stats/Statistics.h"

namespace kinetoscope::compare {

namespace {

/// Divides what is shown per step.
struct Scale {
    Both<double> by{1.0, 1.0};
    bool stepsOnly = false;

    [[nodiscard]] bool takes(std::uint32_t step) const { return !stepsOnly || step != kNoStep; }
    [[nodiscard]] Change of(double base, double candidate) const {
        return {{base / by.base, candidate / by.candidate}};
    }
};

Scale scaleOf(const ComparedRun& base, const ComparedRun& candidate, Normalisation per) {
    if (per == Normalisation::Run) {
        return {};
    }
    return {{static_cast<double>(base.report.steps.size()),
             static_cast<double>(candidate.report.steps.size())},
            true};
}

Result<Normalisation> normalisationOf(const ComparedRun& base, const ComparedRun& candidate,
                                      const CompareOptions& options) {
    const std::size_t a = base.report.steps.size();
    const std::size_t b = candidate.report.steps.size();
    if (!options.per) {
        return a > 0 && b > 0 && a != b ? Normalisation::Step : Normalisation::Run;
    }
    if (*options.per == Normalisation::Step && (a == 0 || b == 0)) {
        return fail((a == 0 ? base : candidate).trace->info().path +
                    " has no steps; compare per run instead");
    }
    return *options.per;
}

TimeChange timesOf(const report::GpuReport* base, const report::GpuReport* candidate) {
    TimeChange times;
    for (const report::Figure& figure : report::gpuFigures()) {
        if (figure.isCompared) {
            const auto number = [&](const report::GpuReport* gpu) {
                return gpu == nullptr ? 0.0 : static_cast<double>(figure.number(*gpu));
            };
            times.figures[figure.name()] = {{number(base), number(candidate)}};
        }
    }
    return times;
}

// Sums are divided, not their parts: a quotient is then the nearest number.
void divide(TimeChange& times, const Scale& scale) {
    for (auto& [name, change] : times.figures) {
        change = scale.of(change.value.base, change.value.candidate);
    }
}

std::vector<report::GpuReport> gpusOf(const ComparedRun& run, const Scale& scale,
                                      const CompareOptions& options) {
    return scale.stepsOnly ? gpusOfSteps(run, options.stop) : run.report.gpus;
}

void addTo(Change& sum, const Change& part) {
    sum.value.base += part.value.base;
    sum.value.candidate += part.value.candidate;
}

void addGpus(const std::vector<report::GpuReport>& a, const std::vector<report::GpuReport>& b,
             const Scale& scale, Comparison& comparison) {
    for (std::size_t i = 0; i < std::max(a.size(), b.size()); ++i) {
        const report::GpuReport* left = i < a.size() ? &a[i] : nullptr;
        const report::GpuReport* right = i < b.size() ? &b[i] : nullptr;
        GpuChange gpu;
        gpu.gpu = {left == nullptr ? -1 : left->gpu, right == nullptr ? -1 : right->gpu};
        gpu.name = {left == nullptr ? "" : left->name, right == nullptr ? "" : right->name};
        gpu.times = timesOf(left, right);
        for (const auto& [name, change] : gpu.times.figures) {
            addTo(comparison.breakdown.figures[name], change);
        }
        divide(gpu.times, scale);
        comparison.gpus.push_back(std::move(gpu));
    }
    divide(comparison.breakdown, scale);
}

/// The names of a side's GPUs, each once; empty if one of them is unknown.
std::string gpuNames(const ComparedRun& run) {
    std::set<std::string> names;
    for (const report::GpuReport& gpu : run.report.gpus) {
        names.insert(gpu.name);
    }
    return names.contains("") ? std::string() : fmt::format("{}", fmt::join(names, ", "));
}

void addGpuNote(const ComparedRun& base, const ComparedRun& candidate, Comparison& comparison) {
    const std::string left = gpuNames(base);
    const std::string right = gpuNames(candidate);
    if (!left.empty() && !right.empty() && left != right) {
        comparison.notes.push_back(fmt::format("different GPUs: {} against {}", left, right));
    }
}

void addUnit(const MatchedUnit& unit, const Scale& scale, double& count, double& total) {
    if (scale.takes(unit.step)) {
        count += unit.launches;
        total += unit.ns;
    }
}

KernelChange changeOf(const MatchedKernels& matched, const Scale& scale) {
    KernelChange change;
    change.name = matched.name;
    change.match = matched.kind;
    Both<double> total;
    for (const MatchedUnit& unit : matched.units.base) {
        addUnit(unit, scale, change.count.base, total.base);
    }
    for (const MatchedUnit& unit : matched.units.candidate) {
        addUnit(unit, scale, change.count.candidate, total.candidate);
    }
    change.count = scale.of(change.count.base, change.count.candidate).value;
    change.totalNs = scale.of(total.base, total.candidate);
    return change;
}

/// What each row is made of on one side.
std::vector<std::vector<KernelPart>> partsOf(const ComparedRun& run, const KernelMatches& matches,
                                             const std::vector<std::uint32_t>& rowOf,
                                             const Scale& scale, double by) {
    std::map<std::tuple<std::uint32_t, std::string_view, std::string_view>, KernelPart> parts;
    for (std::uint32_t at = 0; at < rowOf.size(); ++at) {
        const KernelLaunch& launch = run.launches[at];
        if (rowOf[at] == kNoRow || !scale.takes(launch.step)) {
            continue;
        }
        const bool byOperator = matches.rows[rowOf[at]].kind == MatchKind::Operator;
        KernelPart& part = parts[{rowOf[at], run.kernelName(launch),
                                  byOperator ? run.operatorName(launch) : std::string_view{}}];
        part.count += 1.0;
        part.totalNs += static_cast<double>(launch.duration);
    }
    std::vector<std::vector<KernelPart>> rows(matches.rows.size());
    for (auto& [key, part] : parts) {
        part.count /= by;
        part.totalNs /= by;
        part.name = std::get<1>(key);
        part.op = std::get<2>(key);
        rows[std::get<0>(key)].push_back(std::move(part));
    }
    for (std::vector<KernelPart>& row : rows) {
        std::ranges::stable_sort(row, std::greater<>(), &KernelPart::totalNs);
    }
    return rows;
}

std::vector<KernelOfOneSide> onlyOf(const ComparedRun& run, const std::vector<std::uint32_t>& rows,
                                    const Scale& scale, double by) {
    std::map<NameId, KernelOfOneSide> kernels;
    for (std::uint32_t at = 0; at < rows.size(); ++at) {
        const KernelLaunch& launch = run.launches[at];
        if (rows[at] == kNoRow && scale.takes(launch.step)) {
            KernelOfOneSide& kernel = kernels[run.trace->nameId(launch.slice)];
            kernel.count += 1.0;
            kernel.totalNs += static_cast<double>(launch.duration);
        }
    }
    std::vector<KernelOfOneSide> list;
    for (auto& [name, kernel] : kernels) {
        kernel.count /= by;
        kernel.totalNs /= by;
        kernel.name = run.trace->text(name);
        list.push_back(std::move(kernel));
    }
    return list;
}

void addKernels(const ComparedRun& base, const ComparedRun& candidate, const Scale& scale,
                const CompareOptions& options, Comparison& comparison) {
    std::vector<stats::PairedTimes> times;
    times.reserve(comparison.matches.rows.size());
    for (const MatchedKernels& matched : comparison.matches.rows) {
        throwIfStopped(options.stop);
        times.push_back(pairedTimes(matched, pairUnits(matched)));
    }
    const std::vector<stats::Decision> decisions = stats::decide(times, options.rule, options.stop);
    auto baseParts =
        partsOf(base, comparison.matches, comparison.matches.rowOf.base, scale, scale.by.base);
    auto candidateParts = partsOf(candidate, comparison.matches, comparison.matches.rowOf.candidate,
                                  scale, scale.by.candidate);
    for (std::uint32_t row = 0; row < times.size(); ++row) {
        KernelChange change = changeOf(comparison.matches.rows[row], scale);
        change.speedup = speedupOf(times[row], decisions[row]);
        change.verdict = decisions[row].verdict;
        change.row = row;
        change.parts = {std::move(baseParts[row]), std::move(candidateParts[row])};
        // Kernels outside of all steps are not part of a comparison per step.
        if (change.count.base > 0.0 || change.count.candidate > 0.0) {
            comparison.kernels.push_back(std::move(change));
        }
    }
    comparison.onlyBase = onlyOf(base, comparison.matches.rowOf.base, scale, scale.by.base);
    comparison.onlyCandidate =
        onlyOf(candidate, comparison.matches.rowOf.candidate, scale, scale.by.candidate);
}

double kernelTimeOf(const ComparedRun& run, const Scale& scale) {
    double sum = 0.0;
    for (const KernelLaunch& launch : run.launches) {
        sum += scale.takes(launch.step) ? static_cast<double>(launch.duration) : 0.0;
    }
    return sum;
}

// Nothing where a side has no steps.
std::optional<Change> stepTimeOf(const ComparedRun& base, const ComparedRun& candidate) {
    const auto median = [](const ComparedRun& run) {
        std::vector<double> times;
        times.reserve(run.report.steps.size());
        for (const analysis::Step& step : run.report.steps) {
            times.push_back(static_cast<double>(step.span.duration()));
        }
        return stats::medianOf(times);
    };
    return base.report.steps.empty() || candidate.report.steps.empty()
               ? std::nullopt
               : std::optional(Change{{median(base), median(candidate)}});
}

// Launches without a partner, or kernels that one side launched more often in some step.
bool isUneven(const KernelMatches& matches) {
    const auto lacks = [](std::uint32_t row) { return row == kNoRow; };
    if (std::ranges::any_of(matches.rowOf.base, lacks) ||
        std::ranges::any_of(matches.rowOf.candidate, lacks)) {
        return true;
    }
    return std::ranges::any_of(matches.rows, [](const MatchedKernels& matched) {
        std::map<std::pair<std::uint32_t, std::uint32_t>, std::int64_t> surplus;
        for (const MatchedUnit& unit : matched.units.base) {
            ++surplus[{unit.gpu, unit.step}];
        }
        for (const MatchedUnit& unit : matched.units.candidate) {
            --surplus[{unit.gpu, unit.step}];
        }
        return std::ranges::any_of(surplus, [](const auto& entry) { return entry.second != 0; });
    });
}

Result<InputShapes> shapesOf(const ComparedRun& run, const std::stop_token& stop) {
    std::set<trace::SliceId> launchers;
    for (const KernelLaunch& launch : run.launches) {
        if (launch.launcher != trace::kNoSlice) {
            launchers.insert(launch.launcher);
        }
    }
    auto shapes = readInputShapes(*run.trace, {launchers.begin(), launchers.end()}, stop);
    // A file that is gone costs the shapes, not the comparison.
    if (!shapes && shapes.error().kind != ErrorKind::Cancelled) {
        return InputShapes{};
    }
    return shapes;
}

// Shapes are read again from the files only where they decide something.
Result<KernelMatches> matched(const ComparedRun& base, const ComparedRun& candidate,
                              const CompareOptions& options) {
    KernelMatches byName = matchKernels(
        base, candidate, std::min(options.match, MatchKind::Normalised), {}, options.stop);
    if (!isUneven(byName)) {
        return byName;
    }
    const auto a = shapesOf(base, options.stop);
    const auto b = a ? shapesOf(candidate, options.stop) : a;
    if (!b) {
        return tl::unexpected(b.error());
    }
    return matchKernels(base, candidate, options.match, {*a, *b}, options.stop);
}

// Kernels of another program match by chance.
void addMatchNote(Comparison& comparison) {
    constexpr double kLeast = 0.5;
    Both<double> matched;
    for (const KernelChange& kernel : comparison.kernels) {
        if (kernel.count.base > 0.0 && kernel.count.candidate > 0.0) {
            matched.base += kernel.totalNs.value.base;
            matched.candidate += kernel.totalNs.value.candidate;
        }
    }
    const auto& [baseNs, candidateNs] = comparison.kernelTimeNs.value;
    std::vector<std::string> little;
    const auto add = [&](double part, double whole, const char* side) {
        if (whole > 0.0 && part < kLeast * whole) {
            little.push_back(fmt::format("{:.0f} % of {}{}", 100.0 * part / whole,
                                         little.empty() ? "the kernel time of " : "that of ",
                                         side));
        }
    };
    add(matched.base, baseNs, "the baseline");
    add(matched.candidate, candidateNs, "the candidate");
    if (!little.empty()) {
        comparison.notes.push_back(
            fmt::format("only {} {} a match: these may be different programs",
                        fmt::join(little, " and "), little.size() == 1 ? "has" : "have"));
    }
}

Result<Comparison> compare(const ComparedRun& base, const ComparedRun& candidate,
                           const CompareOptions& options) {
    const auto per = normalisationOf(base, candidate, options);
    if (!per) {
        return tl::unexpected(per.error());
    }
    auto matches = matched(base, candidate, options);
    if (!matches) {
        return tl::unexpected(matches.error());
    }
    Comparison comparison;
    comparison.file = {base.trace->info().path, candidate.trace->info().path};
    comparison.per = *per;
    comparison.match = options.match;
    comparison.tolerance = options.rule.tolerance;
    comparison.stepCount = {base.report.steps.size(), candidate.report.steps.size()};
    comparison.matches = std::move(*matches);
    const Scale scale = scaleOf(base, candidate, *per);
    addGpus(gpusOf(base, scale, options), gpusOf(candidate, scale, options), scale, comparison);
    addGpuNote(base, candidate, comparison);
    addKernels(base, candidate, scale, options, comparison);
    comparison.steps = compareSteps(base, candidate, comparison.matches, options);
    finishShares(comparison);
    comparison.kernelTimeNs = scale.of(kernelTimeOf(base, scale), kernelTimeOf(candidate, scale));
    comparison.stepTimeNs = stepTimeOf(base, candidate);
    addMatchNote(comparison);
    return comparison;
}

}  // namespace

const Change& TimeChange::of(std::string_view name) const {
    static const Change kNone;
    const auto found = figures.find(name);
    return found == figures.end() ? kNone : found->second;
}

VerdictCount countVerdict(const Comparison& comparison, stats::Verdict verdict) {
    VerdictCount count;
    for (const KernelChange& kernel : comparison.kernels) {
        if (kernel.verdict == verdict) {
            ++count.kernels;
            count.baseNs += kernel.totalNs.value.base;
        }
    }
    return count;
}

Result<Comparison> compareRuns(const Baseline<const ComparedRun*>& base,
                               const Candidate<const ComparedRun*>& candidate,
                               const CompareOptions& options) {
    return guarded([&] { return compare(**base, **candidate, options); });
}

}  // namespace kinetoscope::compare
