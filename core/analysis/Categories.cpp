// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/Categories.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>
#include <unordered_map>

#include "core/analysis/KernelRules.h"
#include "core/query/Intervals.h"

namespace kinetoscope::analysis {

namespace {

struct Sum {
    TimeNs totalNs = 0;
    std::uint64_t count = 0;

    void add(const Sum& other) {
        totalNs = addTime(totalNs, other.totalNs);
        count += other.count;
    }
};

/// Sums by a small key, so that texts are made once for each group.
template <class KeyOf>
std::unordered_map<std::int64_t, Sum> sumsOf(const query::GpuRow& row, const WindowScope& scope,
                                             KeyOf keyOf) {
    std::unordered_map<std::int64_t, Sum> sums;
    for (const query::OperationTime& time : row.operations) {
        if (scope.takes(time.span.start)) {
            sums[keyOf(time.operation)].add({time.span.duration(), 1});
        }
    }
    return sums;
}

std::string streamName(std::int32_t gpu, std::int64_t stream) {
    return fmt::format("{} stream {}", trace::gpuName(gpu), stream);
}

using NamedSums = std::map<std::string, Sum, std::less<>>;

void addByName(const query::GpuRow& row, const WindowScope& scope, const KernelNames& names,
               GroupBy group, NamedSums& result) {
    const auto keyOf = [&](trace::GpuOpId id) { return std::int64_t{names.numberOf(id)}; };
    for (const auto& [number, sum] : sumsOf(row, scope, keyOf)) {
        const KernelNameFacts& facts = names.facts(static_cast<std::uint32_t>(number));
        result[std::string(group == GroupBy::Family ? facts.family : facts.category)].add(sum);
    }
}

void addByOperator(const trace::Trace& trace, const query::GpuRow& row, const WindowScope& scope,
                   const query::LaunchLinks& links, NamedSums& result) {
    constexpr std::int64_t kNone = -1;
    const auto keyOf = [&](trace::GpuOpId id) {
        const trace::SliceId launcher = links.launchingOperator(id);
        return launcher == trace::kNoSlice ? kNone : std::int64_t{trace.nameId(launcher)};
    };
    for (const auto& [name, sum] : sumsOf(row, scope, keyOf)) {
        const std::string_view text =
            name == kNone ? kNoOperator : trace.text(static_cast<NameId>(name));
        result[std::string(text)].add(sum);
    }
}

void addByStream(const trace::Trace& trace, const query::GpuRow& row, const WindowScope& scope,
                 NamedSums& result) {
    const auto keyOf = [&](trace::GpuOpId id) { return trace.gpuOperations()[id].stream; };
    for (const auto& [stream, sum] : sumsOf(row, scope, keyOf)) {
        result[streamName(row.gpu, stream)].add(sum);
    }
}

std::vector<CategoryRow> sortedRows(const NamedSums& sums) {
    TimeNs all = 0;
    for (const auto& [name, sum] : sums) {
        all = addTime(all, sum.totalNs);
    }
    std::vector<CategoryRow> rows;
    for (const auto& [name, sum] : sums) {
        const double percent =
            all > 0 ? 100.0 * static_cast<double>(sum.totalNs) / static_cast<double>(all) : 0.0;
        rows.push_back({name, sum.totalNs, sum.count, percent});
    }
    std::ranges::sort(rows, {}, [](const CategoryRow& row) {
        return std::tuple(-row.totalNs, std::string_view(row.name));
    });
    return rows;
}

}  // namespace

std::string groupOf(const trace::Trace& trace, const KernelNames& names,
                    const query::LaunchLinks& links, GroupBy group, std::int32_t gpu,
                    trace::GpuOpId id) {
    switch (group) {
        case GroupBy::Inductor:
            return std::string(names.facts(names.numberOf(id)).category);
        case GroupBy::Family:
            return std::string(names.facts(names.numberOf(id)).family);
        case GroupBy::Operator: {
            const trace::SliceId launcher = links.launchingOperator(id);
            return std::string(launcher == trace::kNoSlice ? kNoOperator : trace.name(launcher));
        }
        case GroupBy::Stream:
            break;
    }
    return streamName(gpu, trace.gpuOperations()[id].stream);
}

GroupBy usualGroup(const KernelNames& names) {
    for (std::uint32_t number = 0; number < names.size(); ++number) {
        if (names.facts(number).category != kNoInductorCategory) {
            return GroupBy::Inductor;
        }
    }
    return GroupBy::Family;
}

std::vector<CategoryRow> groupOperations(const trace::Trace& trace,
                                         const query::GpuTimeline& timeline,
                                         const WindowScope& scope, const KernelNames& names,
                                         const query::LaunchLinks& links, GroupBy group) {
    NamedSums sums;
    for (const query::GpuRow& row : timeline.gpus()) {
        switch (group) {
            case GroupBy::Inductor:
            case GroupBy::Family:
                addByName(row, scope, names, group, sums);
                break;
            case GroupBy::Operator:
                addByOperator(trace, row, scope, links, sums);
                break;
            case GroupBy::Stream:
                addByStream(trace, row, scope, sums);
                break;
        }
    }
    return sortedRows(sums);
}

}  // namespace kinetoscope::analysis
