// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/KernelTable.h"

#include <algorithm>
#include <tuple>
#include <unordered_map>

#include "core/query/Intervals.h"
#include "core/stats/DurationSummary.h"
#include "core/text/Format.h"

namespace kinetoscope::analysis {

namespace {

struct Shape {
    std::array<std::uint32_t, 3> grid{};
    std::array<std::uint16_t, 3> block{};
    std::uint16_t registers = 0;
    std::uint32_t sharedBytes = 0;

    friend bool operator==(const Shape&, const Shape&) = default;
};

struct ShapeHash {
    std::size_t operator()(const Shape& shape) const {
        std::uint64_t hash = shape.registers;
        const auto mix = [&hash](std::uint64_t value) {
            constexpr std::uint64_t kPrime = 0x9e3779b97f4a7c15ULL;  // 2^64 / golden ratio
            hash = (hash ^ value ^ (hash >> 29U)) * kPrime;
        };
        for (const std::uint32_t size : shape.grid) {
            mix(size);
        }
        for (const std::uint16_t size : shape.block) {
            mix(size);
        }
        mix(shape.sharedBytes);
        return hash ^ (hash >> 32U);
    }
};

struct ShapeUse {
    std::uint64_t count = 0;
    std::size_t first = 0;  ///< order of appearance
    std::int16_t occupancyPercent = -1;
};

/// A kernel in the window. Copied out of the columns once, because launches of one name lie far
/// apart in them.
struct KernelLaunch {
    TimeNs duration = 0;
    Shape shape;
    std::int32_t gpu = 0;
    std::int16_t occupancyPercent = -1;
    bool mmConv = false;
};

void addShapes(std::span<const KernelLaunch> launches, KernelRow& row) {
    std::unordered_map<Shape, ShapeUse, ShapeHash> uses;
    const std::pair<const Shape, ShapeUse>* best = nullptr;
    for (const KernelLaunch& launch : launches) {
        const auto [entry, isNew] =
            uses.try_emplace(launch.shape, ShapeUse{0, uses.size(), launch.occupancyPercent});
        ++entry->second.count;
        const ShapeUse& use = entry->second;
        if (best == nullptr || use.count > best->second.count ||
            (use.count == best->second.count && use.first < best->second.first)) {
            best = &*entry;
        }
    }
    row.grid = best->first.grid;
    row.block = best->first.block;
    row.registers = best->first.registers;
    row.sharedBytes = best->first.sharedBytes;
    row.occupancyPercent = best->second.occupancyPercent;
    row.shapes = uses.size();
}

/// One row from the launches of one kernel on one GPU, by time.
KernelRow makeRow(const trace::Trace& trace, const KernelNameFacts& facts,
                  std::span<const KernelLaunch> launches) {
    KernelRow row;
    row.gpu = launches.front().gpu;
    row.name = facts.name;
    row.shortName = text::shortKernelName(trace.text(facts.name));
    row.category = facts.category;
    row.family = facts.family;
    std::vector<TimeNs> durations;
    durations.reserve(launches.size());
    for (const KernelLaunch& launch : launches) {
        durations.push_back(launch.duration);
        row.mmConv = row.mmConv || launch.mmConv;
    }
    const stats::DurationSummary statistics = stats::summarizeDurations(std::move(durations));
    row.count = statistics.count;
    row.totalNs = statistics.total;
    row.meanNs = statistics.mean;
    row.medianNs = statistics.median;
    row.minNs = statistics.min;
    row.maxNs = statistics.max;
    row.stdNs = statistics.standardDeviation;
    addShapes(launches, row);
    return row;
}

/// The kernels in the window grouped by name.
struct LaunchesByName {
    std::vector<std::uint32_t> begin;    ///< by number of the name, and one more
    std::vector<KernelLaunch> launches;  ///< of one name by GPU, then by time
};

LaunchesByName launchesByName(const trace::Trace& trace, const query::GpuTimeline& timeline,
                              const WindowScope& scope, const KernelNames& names,
                              const std::vector<MmConvKind>& mmConv, const KeepLaunch& keep) {
    const auto forEachKernel = [&](auto visit) {
        for (const query::GpuRow& row : timeline.gpus()) {
            for (const query::OperationTime& time : row.operations) {
                const trace::SliceId slice = trace.gpuOperations()[time.operation].slice;
                if (trace.category(slice) == trace::Category::Kernel &&
                    scope.takes(time.span.start) && (!keep || keep(row.gpu, time.operation))) {
                    visit(row.gpu, time.operation);
                }
            }
        }
    };
    LaunchesByName result;
    result.begin.resize(names.size() + 1);
    forEachKernel([&](std::int32_t, trace::GpuOpId id) {
        ++result.begin[names.numberOf(id) + std::size_t{1}];
    });
    for (std::size_t number = 1; number < result.begin.size(); ++number) {
        result.begin[number] += result.begin[number - 1];
    }
    std::vector<std::uint32_t> next = result.begin;
    result.launches.resize(result.begin.back());
    forEachKernel([&](std::int32_t gpu, trace::GpuOpId id) {
        const trace::GpuOperation& row = trace.gpuOperations()[id];
        result.launches[next[names.numberOf(id)]++] = {
            trace.duration(row.slice),
            {row.grid, row.block, row.registers, row.sharedBytes},
            gpu,
            row.occupancyPercent,
            countsAsMmConv(mmConv[id])};
    });
    return result;
}

}  // namespace

std::vector<KernelRow> kernelTable(const trace::Trace& trace, const query::GpuTimeline& timeline,
                                   const WindowScope& scope, const KernelNames& names,
                                   const std::vector<MmConvKind>& mmConv, const KeepLaunch& keep) {
    std::vector<KernelRow> rows;
    const LaunchesByName grouped = launchesByName(trace, timeline, scope, names, mmConv, keep);
    for (std::uint32_t number = 0; number < names.size(); ++number) {
        const std::span all =
            std::span(grouped.launches)
                .subspan(grouped.begin[number], grouped.begin[number + 1] - grouped.begin[number]);
        for (auto first = all.begin(); first != all.end();) {
            const auto last = std::find_if(
                first, all.end(), [&](const KernelLaunch& row) { return row.gpu != first->gpu; });
            rows.push_back(makeRow(trace, names.facts(number), {first, last}));
            first = last;
        }
    }
    std::ranges::sort(rows, [&](const KernelRow& a, const KernelRow& b) {
        return std::tuple(-a.totalNs, trace.text(a.name), a.gpu) <
               std::tuple(-b.totalNs, trace.text(b.name), b.gpu);
    });
    return rows;
}

}  // namespace kinetoscope::analysis
