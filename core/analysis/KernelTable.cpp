// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/KernelTable.h"

#include <algorithm>
#include <tuple>
#include <unordered_map>

#include "core/analysis/Intervals.h"
#include "core/analysis/Statistics.h"
#include "core/base/Format.h"

namespace kinetoscope {

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

void addShapes(const Trace& trace, std::span<const GpuOpId> launches, KernelRow& row) {
    std::unordered_map<Shape, ShapeUse, ShapeHash> uses;
    const std::pair<const Shape, ShapeUse>* best = nullptr;
    for (const GpuOpId id : launches) {
        const GpuOperation& launch = trace.gpuOperations()[id];
        const Shape shape{launch.grid, launch.block, launch.registers, launch.sharedBytes};
        const auto [entry, isNew] =
            uses.try_emplace(shape, ShapeUse{0, uses.size(), launch.occupancyPercent});
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

KernelRow makeRow(const Trace& trace, std::int32_t gpu, const KernelNameFacts& facts,
                  std::span<const GpuOpId> launches, const std::vector<MmConvKind>& mmConv) {
    KernelRow row;
    row.gpu = gpu;
    row.name = facts.name;
    row.shortName = shortKernelName(trace.text(facts.name));
    row.category = facts.category;
    row.family = facts.family;
    std::vector<TimeNs> durations;
    durations.reserve(launches.size());
    for (const GpuOpId id : launches) {
        durations.push_back(trace.duration(trace.gpuOperations()[id].slice));
        row.mmConv = row.mmConv || countsAsMmConv(mmConv[id]);
    }
    const Statistics statistics = statisticsOf(std::move(durations));
    row.count = statistics.count;
    row.totalNs = statistics.total;
    row.meanNs = statistics.mean;
    row.medianNs = statistics.median;
    row.minNs = statistics.min;
    row.maxNs = statistics.max;
    row.stdNs = statistics.standardDeviation;
    addShapes(trace, launches, row);
    return row;
}

/// A launch and the number of its kernel's name.
using NamedLaunch = std::pair<std::uint32_t, GpuOpId>;

/// Kernels of one GPU in the window, by the number of their name, each name in order of time.
std::vector<NamedLaunch> launchesByName(const Trace& trace, const GpuRow& gpu,
                                        const WindowScope& scope, const KernelNames& names) {
    std::vector<NamedLaunch> launches;
    for (const OperationTime& time : gpu.operations) {
        const bool isKernel =
            trace.category(trace.gpuOperations()[time.operation].slice) == Category::Kernel;
        if (isKernel && scope.takes(time.span.start)) {
            launches.emplace_back(names.numberOf(time.operation), time.operation);
        }
    }
    std::ranges::stable_sort(launches, {}, &NamedLaunch::first);
    return launches;
}

}  // namespace

std::vector<KernelRow> kernelTable(const Trace& trace, const GpuTimeline& timeline,
                                   const WindowScope& scope, const KernelNames& names,
                                   const std::vector<MmConvKind>& mmConv) {
    std::vector<KernelRow> rows;
    for (const GpuRow& gpu : timeline.gpus()) {
        const auto launches = launchesByName(trace, gpu, scope, names);
        for (auto at = launches.begin(); at != launches.end();) {
            std::vector<GpuOpId> ofName;
            const std::uint32_t number = at->first;
            for (; at != launches.end() && at->first == number; ++at) {
                ofName.push_back(at->second);
            }
            rows.push_back(makeRow(trace, gpu.gpu, names.facts(number), ofName, mmConv));
        }
    }
    std::ranges::sort(rows, [&](const KernelRow& a, const KernelRow& b) {
        return std::tuple(-a.totalNs, trace.text(a.name), a.gpu) <
               std::tuple(-b.totalNs, trace.text(b.name), b.gpu);
    });
    return rows;
}

}  // namespace kinetoscope
