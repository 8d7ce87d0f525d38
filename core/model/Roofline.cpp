// SPDX-License-Identifier: Apache-2.0
#include "core/model/Roofline.h"

#include <algorithm>
#include <numeric>
#include <unordered_map>

#include "core/base/Time.h"
#include "core/model/KernelCounters.h"

namespace kinetoscope::model {

namespace {

void addUncovered(const trace::Trace& trace, const LaunchedCalls& calls, Roofline& result) {
    std::unordered_map<std::uint64_t, std::size_t> places;
    for (const LaunchedCall& call : calls.calls) {
        if (call.missing == Missing::Nothing || call.kernelNs == 0) {
            continue;
        }
        const std::uint64_t key =
            std::uint64_t{call.name} << 8U | static_cast<std::uint8_t>(call.missing);
        const auto [place, isNew] = places.try_emplace(key, result.uncovered.size());
        if (isNew) {
            result.uncovered.push_back(
                {.name = std::string(trace.text(call.name)), .missing = call.missing});
        }
        UncoveredRow& row = result.uncovered[place->second];
        ++row.count;
        row.timeNs = addTime(row.timeNs, call.timeNs);
        row.kernelNs = addTime(row.kernelNs, call.kernelNs);
    }
    std::ranges::stable_sort(result.uncovered, std::ranges::greater(), &UncoveredRow::kernelNs);
}

// Most recoverable time first.
void takeRows(RooflineRows& rows, Roofline& result) {
    std::vector<RooflineRow> all = rows.take();
    std::vector<std::uint32_t> order(all.size());
    std::iota(order.begin(), order.end(), 0U);
    std::ranges::stable_sort(order, [&](std::uint32_t a, std::uint32_t b) {
        return all[a].recoverableNs != all[b].recoverableNs
                   ? all[a].recoverableNs > all[b].recoverableNs
                   : all[a].timeNs > all[b].timeNs;
    });
    std::vector<std::uint32_t> rank(order.size());
    for (std::uint32_t place = 0; place < order.size(); ++place) {
        rank[order[place]] = place;
        result.rows.push_back(std::move(all[order[place]]));
    }
    for (std::uint32_t& row : result.rowOfOperation) {
        row = row == kNoRow ? kNoRow : rank[row];
    }
}

constexpr double kMaxBytes = 1e18;  // a counter's values may be anything

std::unordered_map<trace::GpuOpId, double> trafficOf(const trace::Trace& trace) {
    std::unordered_map<trace::GpuOpId, double> bytes;
    if (!trace.counters().empty()) {
        for (const MeasuredTraffic& one : measuredTraffic(trace, query::GpuTimeline(trace), {})) {
            if (one.bytes >= 0.0 && one.bytes < kMaxBytes) {
                bytes.emplace(one.operation, one.bytes);
            }
        }
    }
    return bytes;
}

constexpr std::string_view kNoModule = "(no module)";
constexpr std::string_view kModuleCall = "nn.Module: ";

}  // namespace

double Roofline::coverage() const {
    return kernelNs > 0 ? static_cast<double>(modelledNs) / static_cast<double>(kernelNs) : 1.0;
}

Roofline makeRoofline(const trace::Trace& trace, const LaunchedCalls& calls, RooflineBy by,
                      std::span<const GpuRoof> measured) {
    Roofline result;
    result.by = by;
    result.roofs = roofsOf(trace, calls, measured);
    result.kernelNs = calls.kernelNs;
    result.modelledNs = calls.modelledNs;
    result.bytesOnlyNs = calls.bytesOnlyNs;
    const std::vector<NameId> modules =
        by == RooflineBy::Module ? modulesOf(trace, calls) : std::vector<NameId>();
    const std::vector<std::uint32_t> shapes = sameShapes(calls, true);
    result.rowOfOperation.assign(calls.operations.size(), kNoRow);
    const auto traffic =
        by == RooflineBy::Kernel ? trafficOf(trace) : std::unordered_map<trace::GpuOpId, double>();
    RooflineRows rows(trace, calls, result.roofs);
    for (std::size_t i = 0; i < calls.calls.size(); ++i) {
        const LaunchedCall& call = calls.calls[i];
        const Work* work = calls.workOf(call);
        if (work == nullptr) {
            continue;
        }
        const CallShape& shape = calls.shapes[call.shape];
        if (!shape.row->counted.empty()) {
            std::uint64_t& sum = result.counted[std::string(shape.row->counted)];
            sum = addWork(sum, work->counted.value());
        }
        if (by == RooflineBy::Kernel) {
            const KernelParts parts(trace, calls, call);
            for (std::uint32_t place = call.begin; place < call.end; ++place) {
                CallPart part = parts.at(place);
                if (const auto found = traffic.find(calls.operations[place]);
                    found != traffic.end()) {
                    part.measuredBytes = found->second;
                }
                result.rowOfOperation[place] =
                    rows.add(trace.nameId(part.longest), trace.name(part.longest), call, part);
            }
            continue;
        }
        std::string_view name = trace.text(call.name);
        if (by == RooflineBy::Module) {
            name = modules[i] == kEmptyName ? kNoModule : trace.text(modules[i]);
            name.remove_prefix(name.starts_with(kModuleCall) ? kModuleCall.size() : 0);
        }
        const std::uint64_t key = by == RooflineBy::Module  ? modules[i]
                                  : by == RooflineBy::Shape ? shapes[call.shape]
                                                            : call.name;
        const std::uint32_t row = rows.add(key, name, call, wholeCall(trace, calls, call));
        std::fill(result.rowOfOperation.begin() + call.begin,
                  result.rowOfOperation.begin() + call.end, row);
    }
    takeRows(rows, result);
    addUncovered(trace, calls, result);
    return result;
}

}  // namespace kinetoscope::model
