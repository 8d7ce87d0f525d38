// SPDX-License-Identifier: Apache-2.0
#include "core/compare/CompareJson.h"

#include <fmt/format.h>

#include <cmath>

#include "core/json/Json.h"
#include "core/report/Figures.h"
#include "core/text/Csv.h"

namespace kinetoscope::compare {

namespace {

using Json = nlohmann::ordered_json;

std::string written(const Json& json) {
    return json::jsonText(json, 2);
}

// Whole numbers without a point: counts and nanoseconds of a run are whole.
Json number(double value) {
    constexpr double kExact = 9007199254740992.0;  // 2^53
    return std::abs(value) < kExact && value == std::floor(value)
               ? Json(static_cast<std::int64_t>(value))
               : Json(value);
}

template <class T>
Json pairOf(const Both<T>& both) {
    return Json::array({Json(both.base), Json(both.candidate)});
}
Json pairOf(const Both<double>& both) {
    return Json::array({number(both.base), number(both.candidate)});
}

Json orNull(const std::optional<double>& value) {
    return value ? Json(*value) : Json();
}

Json speedupJson(const Speedup& speedup) {
    Json json{{"q20", speedup.q20},    {"q50", speedup.q50}, {"q80", speedup.q80},
              {"interval", nullptr},   {"min", speedup.min}, {"max", speedup.max},
              {"pairs", speedup.pairs}};
    if (speedup.pairs == 0) {
        for (const char* key : {"q20", "q50", "q80", "min", "max"}) {
            json[key] = nullptr;
        }
    }
    if (speedup.interval) {
        json["interval"] = {speedup.interval->low, speedup.interval->high};
    }
    return json;
}

Json partsJson(const std::vector<KernelPart>& parts) {
    Json list = Json::array();
    for (const KernelPart& part : parts) {
        list.push_back({{"name", part.name},
                        {"operator", part.op.empty() ? Json() : Json(part.op)},
                        {"count", number(part.count)},
                        {"total_ns", number(part.totalNs)}});
    }
    return list;
}

Json kernelJson(const KernelChange& kernel) {
    Json json{{"name", kernel.name},
              {"match", matchName(kernel.match)},
              {"count", pairOf(kernel.count)},
              {"total_ns", pairOf(kernel.totalNs.value)},
              {"delta_ns", number(kernel.totalNs.delta())},
              {"delta_percent", orNull(kernel.totalNs.percent())},
              {"share_of_change", kernel.shareOfChange},
              {"speedup", speedupJson(kernel.speedup)},
              {"verdict", stats::verdictName(kernel.verdict)},
              {"base", partsJson(kernel.parts.base)},
              {"candidate", partsJson(kernel.parts.candidate)}};
    if (kernel.clockMhz.base > 0.0 || kernel.clockMhz.candidate > 0.0) {
        json["clock_mhz"] = pairOf(kernel.clockMhz);
    }
    return json;
}

Json onlyJson(const std::vector<KernelOfOneSide>& kernels) {
    Json list = Json::array();
    for (const KernelOfOneSide& kernel : kernels) {
        list.push_back({{"name", kernel.name},
                        {"count", number(kernel.count)},
                        {"total_ns", number(kernel.totalNs)},
                        {"share_of_change", kernel.shareOfChange}});
        if (!kernel.reason.empty()) {
            list.back()["reason"] = kernel.reason;
        }
    }
    return list;
}

void addTimes(const TimeChange& times, Json& json) {
    for (const report::Figure& figure : report::gpuFigures()) {
        if (figure.isCompared) {
            json[std::string(figure.name())] = pairOf(times.of(figure.name()).value);
        }
    }
}

Json gpuJson(const GpuChange& gpu, bool ofResults) {
    if (ofResults) {
        return {{"name", pairOf(gpu.name)}};
    }
    Json json{{"gpu", Json::array()}, {"name", pairOf(gpu.name)}};
    for (const std::int64_t id : {gpu.gpu.base, gpu.gpu.candidate}) {
        json["gpu"].push_back(id < 0 ? Json() : Json(id));
    }
    addTimes(gpu.times, json);
    return json;
}

Json stepJson(const StepChange& step) {
    return {{"name", pairOf(step.name)},
            {"number", pairOf(step.number)},
            {"duration_ns", pairOf(step.durationNs.value)},
            {"delta_ns", number(step.durationNs.delta())},
            {"delta_percent", orNull(step.durationNs.percent())},
            {"busy_ns", pairOf(step.busyNs.value)},
            {"kernels", pairOf(step.kernels)},
            {"speedup", speedupJson(step.speedup)},
            {"verdict", stats::verdictName(step.verdict)}};
}

Json verdictsJson(const Comparison& comparison) {
    Json json = Json::object();
    for (const stats::Verdict verdict : {stats::Verdict::Faster, stats::Verdict::Slower,
                                         stats::Verdict::Same, stats::Verdict::Unsure}) {
        json[std::string(stats::verdictName(verdict))] = countVerdict(comparison, verdict).kernels;
    }
    return json;
}

std::string optional(const std::optional<double>& value) {
    return value ? fmt::format("{:.6g}", *value) : "";
}

std::string csvNumber(double value) {
    return value == std::floor(value) ? fmt::format("{:.0f}", value) : fmt::format("{:.3f}", value);
}

std::string kernelLine(const Comparison& comparison, const KernelChange& kernel) {
    const Speedup& speedup = kernel.speedup;
    const auto quantile = [&](double value) {
        return speedup.pairs > 0 ? fmt::format("{:.6g}", value) : "";
    };
    const auto bound = [&](double stats::RatioInterval::*side) {
        return speedup.interval ? fmt::format("{:.6g}", *speedup.interval.*side) : "";
    };
    return text::csvLine(std::vector<std::string>{text::csvName(comparison.file.base),
                                                  text::csvName(comparison.file.candidate),
                                                  text::csvName(kernel.name),
                                                  std::string(matchName(kernel.match)),
                                                  csvNumber(kernel.count.base),
                                                  csvNumber(kernel.count.candidate),
                                                  text::csvNs(kernel.totalNs.value.base),
                                                  text::csvNs(kernel.totalNs.value.candidate),
                                                  text::csvNs(kernel.totalNs.delta()),
                                                  optional(kernel.totalNs.percent()),
                                                  fmt::format("{:.6g}", kernel.shareOfChange),
                                                  quantile(speedup.min),
                                                  quantile(speedup.q20),
                                                  quantile(speedup.q50),
                                                  quantile(speedup.q80),
                                                  quantile(speedup.max),
                                                  bound(&stats::RatioInterval::low),
                                                  bound(&stats::RatioInterval::high),
                                                  fmt::format("{}", speedup.pairs),
                                                  std::string(stats::verdictName(kernel.verdict))});
}

std::string onlyLine(const Comparison& comparison, const KernelOfOneSide& kernel, bool base) {
    const std::string count = csvNumber(kernel.count);
    const std::string total = text::csvNs(kernel.totalNs);
    return text::csvLine(
        std::vector<std::string>{text::csvName(comparison.file.base),
                                 text::csvName(comparison.file.candidate),
                                 text::csvName(kernel.name),
                                 base ? "only_base" : "only_candidate",
                                 base ? count : "0",
                                 base ? "0" : count,
                                 base ? total : "0",
                                 base ? "0" : total,
                                 text::csvNs(base ? -kernel.totalNs : kernel.totalNs),
                                 base ? "-100" : "",
                                 fmt::format("{:.6g}", kernel.shareOfChange),
                                 "",
                                 "",
                                 "",
                                 "",
                                 "",
                                 "",
                                 "",
                                 "",
                                 ""});
}

}  // namespace

std::string_view normalisationName(Normalisation per) {
    return per == Normalisation::Step ? "step" : "run";
}

std::string compareJson(const Comparison& comparison) {
    Json json{
        {"schema", kCompareSchema},
        {"kind", comparison.results ? "results" : "traces"},
        {"of", bench::results::kindName(comparison.results.value_or(ResultKind::Kernels))},
        {"base", comparison.file.base},
        {"candidate", comparison.file.candidate},
        {"per", normalisationName(comparison.per)},
        {"match", matchName(comparison.match)},
        {"tolerance", comparison.tolerance},
        {"kernel_time_ns", pairOf(comparison.kernelTimeNs.value)},
        {"delta_ns", number(comparison.kernelTimeNs.delta())},
        {"delta_percent", orNull(comparison.kernelTimeNs.percent())},
        {"step_time_ns", comparison.stepTimeNs ? pairOf(comparison.stepTimeNs->value) : Json()},
        {"verdicts", verdictsJson(comparison)},
        {"gpus", Json::array()},
        {"kernels", Json::array()},
        {"only_base", onlyJson(comparison.onlyBase)},
        {"only_candidate", onlyJson(comparison.onlyCandidate)},
        {"breakdown", nullptr},
        {"steps", Json::array()},
        {"notes", comparison.notes}};
    for (const GpuChange& gpu : comparison.gpus) {
        json["gpus"].push_back(gpuJson(gpu, comparison.results.has_value()));
    }
    for (const KernelChange& kernel : comparison.kernels) {
        json["kernels"].push_back(kernelJson(kernel));
    }
    if (!comparison.results) {
        json["breakdown"] = Json::object();
        addTimes(comparison.breakdown, json["breakdown"]);
    }
    for (const StepChange& step : comparison.steps) {
        json["steps"].push_back(stepJson(step));
    }
    return written(json);
}

std::string selfJson(const std::vector<SelfCheck>& checks, double tolerance) {
    Json json{{"schema", kSelfSchema}, {"tolerance", tolerance}, {"checks", Json::array()}};
    for (const SelfCheck& check : checks) {
        Json entry{{"kind", check.kind},
                   {"base", check.file.base},
                   {"candidate", check.file.candidate},
                   {"steps", pairOf(check.steps)},
                   {"kernels", check.kernels},
                   {"verdicts", Json::object()},
                   {"kernel_time_ns", Json::object()},
                   {"false_alarm_percent", check.falseAlarmPercent()},
                   {"unsure_time_percent", check.unsureTimePercent()}};
        for (const stats::Verdict verdict : {stats::Verdict::Faster, stats::Verdict::Slower,
                                             stats::Verdict::Same, stats::Verdict::Unsure}) {
            const auto at = static_cast<std::size_t>(verdict);
            entry["verdicts"][std::string(stats::verdictName(verdict))] = check.count[at];
            entry["kernel_time_ns"][std::string(stats::verdictName(verdict))] =
                number(check.timeNs[at]);
        }
        json["checks"].push_back(std::move(entry));
    }
    return written(json);
}

std::string compareCsv(const std::vector<Comparison>& comparisons) {
    std::string text =
        "base,candidate,name,match,count_base,count_candidate,total_base_ns,total_candidate_ns,"
        "delta_ns,delta_percent,share_of_change,speedup_min,speedup_q20,speedup_q50,speedup_q80,"
        "speedup_max,interval_low,interval_high,pairs,verdict\n";
    for (const Comparison& comparison : comparisons) {
        for (const KernelChange& kernel : comparison.kernels) {
            text += kernelLine(comparison, kernel);
        }
        for (const KernelOfOneSide& kernel : comparison.onlyBase) {
            text += onlyLine(comparison, kernel, true);
        }
        for (const KernelOfOneSide& kernel : comparison.onlyCandidate) {
            text += onlyLine(comparison, kernel, false);
        }
    }
    return text;
}

}  // namespace kinetoscope::compare
