// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/Compat.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>

#include "core/analysis/CompatUtilization.h"
#include "core/analysis/KernelRules.h"
#include "core/analysis/Tabulate.h"
#include "core/base/Threads.h"
#include "core/query/Intervals.h"

namespace kinetoscope::analysis {

namespace {

constexpr std::array<std::string_view, 5> kCategories{"triton_pointwise", "triton_reduction",
                                                      "triton_persistent_reduction",
                                                      "triton_unknown", "unknown"};
constexpr std::size_t kMaxKeyLength = 120;
constexpr double kNsPerUs = 1000.0;
constexpr double kUsPerMs = 1000.0;
constexpr double kMsPerNs = 1e-6;

/// What PyTorch's averages file under the device, synchronisation and annotations included.
bool isDeviceEvent(trace::Category category) {
    return trace::isGpuOperation(category) || category == trace::Category::GpuUserAnnotation ||
           category == trace::Category::CudaSync;
}

/// Index in kCategories; Inductor's later categories fold back into triton_unknown.
std::size_t categoryOf(std::string_view name) {
    const std::string_view category = inductorCategory(name);
    const auto found = std::ranges::find(kCategories, category);
    return found == kCategories.end() ? 3 : static_cast<std::size_t>(found - kCategories.begin());
}

/// All device events of one name.
struct KeySum {
    NameId name = kEmptyName;
    TimeNs totalNs = 0;
    std::uint64_t count = 0;
    std::tuple<TimeNs, TimeNs, trace::SliceId> first;  ///< order of the first: start, longest, file
};

/// In the order in which the names first appear in time.
std::vector<KeySum> sumsByName(const trace::Trace& trace, const std::stop_token& stop) {
    constexpr std::uint32_t kUnseen = 0xffffffff;
    std::vector<std::uint32_t> indexOf(trace.names().size(), kUnseen);
    std::vector<KeySum> sums;
    for (trace::SliceId slice = 0; slice < trace.sliceCount(); ++slice) {
        if (slice % kSlicesBetweenStops == 0) {
            throwIfStopped(stop);
        }
        if (!isDeviceEvent(trace.category(slice))) {
            continue;
        }
        const std::tuple order(trace.start(slice), -trace.duration(slice), slice);
        std::uint32_t& index = indexOf[trace.nameId(slice)];
        if (index == kUnseen) {
            index = static_cast<std::uint32_t>(sums.size());
            sums.push_back({trace.nameId(slice), 0, 0, order});
        }
        KeySum& sum = sums[index];
        sum.totalNs = addTime(sum.totalNs, trace.duration(slice));
        ++sum.count;
        sum.first = std::min(sum.first, order);
    }
    std::ranges::sort(sums, {}, &KeySum::first);
    return sums;
}

std::vector<CompatCategory> makeCategories(const trace::Trace& trace, double runs,
                                           const std::stop_token& stop) {
    std::array<CompatCategory, kCategories.size()> all;
    for (const KeySum& sum : sumsByName(trace, stop)) {
        const std::string_view name = trace.text(sum.name);
        const double us = static_cast<double>(sum.totalNs) / kNsPerUs;
        all[categoryOf(name)].kernels.push_back(
            {std::string(name), us / kUsPerMs / runs, static_cast<double>(sum.count) / runs});
    }
    std::vector<CompatCategory> categories;
    for (std::size_t at = 0; at < all.size(); ++at) {
        if (all[at].kernels.empty()) {
            continue;
        }
        all[at].name = kCategories[at];
        std::ranges::stable_sort(all[at].kernels, std::ranges::greater(), &CompatKernel::ms);
        for (const CompatKernel& kernel : all[at].kernels) {
            all[at].totalMs += kernel.ms;
        }
        categories.push_back(std::move(all[at]));
    }
    return categories;
}

std::string percentText(double ms, double wallMs) {
    const double percent = ms / wallMs * 100.0;
    // The sign of 0 / 0 depends on the machine; Python prints none.
    return std::isnan(percent) ? "nan%" : fmt::format("{:.2f}%", percent);
}

std::string categoryText(const CompatCategory& category, double wallMs) {
    std::vector<std::vector<TableCell>> rows;
    rows.reserve(category.kernels.size() + 1);
    for (const CompatKernel& kernel : category.kernels) {
        rows.push_back({std::string(firstCodePoints(kernel.key, kMaxKeyLength)), kernel.ms,
                        kernel.count, percentText(kernel.ms, wallMs)});
    }
    rows.push_back({std::string("Total"), category.totalMs, std::monostate(),
                    percentText(category.totalMs, wallMs)});
    return fmt::format("\n  == {} category kernels == \n{}\n", category.name,
                       tabulateSimple({"Kernel", "Self CUDA TIME (ms)", "Count", "Percent"}, rows));
}

std::string tabulateLine(const CompatReport& report, const std::string& name, double totalMs) {
    std::string line = "Output for tabulate: " + name;
    for (const std::string_view category : kCategories) {
        const auto found = std::ranges::find(report.categories, category, &CompatCategory::name);
        const double ms = found == report.categories.end() ? 0.0 : found->totalMs;
        line += ", " + percentText(ms, report.wallMs);
    }
    return line + fmt::format(", {}, {:.3f}ms", percentText(totalMs, report.wallMs), report.wallMs);
}

void addUtilization(const trace::Trace& trace, CompatReport& report, double runs,
                    const std::stop_token& stop) {
    const double wallUs = report.wallMs * kUsPerMs * runs;
    if (!(wallUs > 0.0)) {
        report.reason = "the wall time is zero";
        return;
    }
    CompatBusy busy = compatBusy(trace, stop);
    report.reason = std::move(busy.reason);
    if (busy.us && busy.mmConvUs) {
        report.utilization = *busy.us / wallUs;
        report.mmConvUtilization = *busy.mmConvUs / wallUs;
    }
}

}  // namespace

CompatReport makeCompatReport(const trace::Trace& trace, const CompatOptions& options) {
    CompatReport report;
    report.runs = std::max<std::uint64_t>(options.runs, 1);
    const auto runs = static_cast<double>(report.runs);
    const double traceMs = static_cast<double>(trace.extent().duration()) * kMsPerNs;
    report.wallMeasured = options.wallMs.has_value();
    report.wallMs = options.wallMs.value_or(traceMs / runs);
    report.categories = makeCategories(trace, runs, options.stop);
    double totalMs = 0.0;
    for (const CompatCategory& category : report.categories) {
        totalMs += category.totalMs;
        report.text += categoryText(category, report.wallMs);
    }
    report.gpuBusy = totalMs / report.wallMs;
    report.tabulateLine = tabulateLine(report, options.name, totalMs);
    report.text +=
        fmt::format("\nPercent of time when GPU is busy: {}\nTotal wall time {:.3f} ms\n{}\n",
                    percentText(totalMs, report.wallMs), report.wallMs, report.tabulateLine);
    addUtilization(trace, report, runs, options.stop);
    return report;
}

}  // namespace kinetoscope::analysis
