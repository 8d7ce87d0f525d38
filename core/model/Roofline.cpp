// SPDX-License-Identifier: Apache-2.0
#include "core/model/Roofline.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <unordered_map>

#include "core/base/Time.h"

namespace kinetoscope::model {

namespace {

constexpr TimeNs kShort = 5000;  // below this a call is too short to be measured by a roof
constexpr double kHalf = 0.5;

/// Part of a call that goes to one row.
struct Part {
    double share = 1.0;  ///< of its work
    TimeNs timeNs = 0;
    trace::SliceId longest = trace::kNoSlice;
};

std::uint64_t shareOf(std::uint64_t amount, double share) {
    return share >= 1.0 ? amount
                        : static_cast<std::uint64_t>(
                              std::llround(static_cast<double>(amount) * std::max(share, 0.0)));
}

std::uint64_t added(std::uint64_t a, std::uint64_t b) {
    std::uint64_t sum = 0;
    return __builtin_add_overflow(a, b, &sum) ? ~std::uint64_t{0} : sum;
}

/// A row while it is summed up.
struct Sum {
    RooflineRow row;
    double roofNs = 0.0;              ///< of the calls that have a roof
    std::array<TimeNs, 5> boundNs{};  ///< time of calls by what bounds them
    TimeNs roofedNs = 0;              ///< time of those
    std::uint64_t largestBytes = 0;   ///< of one call
    std::uint64_t cacheBytes = 0;
    bool generated = false;
    bool first = true;
};

void keepIfSame(std::string& text, std::string_view other, bool first) {
    if (first) {
        text = other;
    } else if (text != other) {
        text.clear();
    }
}

Bound boundOf(TimeNs time, double computeNs, double memoryNs) {
    const double half = kHalf * static_cast<double>(time);
    if (time < kShort && computeNs < half && memoryNs < half) {
        return Bound::Latency;
    }
    return computeNs > memoryNs ? Bound::Compute : Bound::Memory;
}

class Rows {
public:
    Rows(const trace::Trace& trace, const LaunchedCalls& calls, Roofline& result)
        : m_trace(trace), m_calls(calls), m_result(result) {
        for (const DeviceRoof& roof : result.roofs) {
            m_roofOf.emplace(roof.gpu, roof.roof);
        }
    }

    /// The number of the row, until finish().
    std::uint32_t add(std::uint64_t key, std::string_view name, const LaunchedCall& call,
                      const Part& part) {
        const auto [place, isNew] =
            m_places.try_emplace(key, static_cast<std::uint32_t>(m_sums.size()));
        if (isNew) {
            m_sums.emplace_back();
            m_sums.back().row.name = name;
        }
        add(m_sums[place->second], call, part);
        return place->second;
    }

    void finish() {
        std::vector<std::uint32_t> order(m_sums.size());
        std::iota(order.begin(), order.end(), 0U);
        for (Sum& sum : m_sums) {
            judge(sum);
        }
        std::ranges::stable_sort(order, [this](std::uint32_t a, std::uint32_t b) {
            const RooflineRow& one = m_sums[a].row;
            const RooflineRow& other = m_sums[b].row;
            return one.recoverableNs != other.recoverableNs
                       ? one.recoverableNs > other.recoverableNs
                       : one.timeNs > other.timeNs;
        });
        std::vector<std::uint32_t> rank(order.size());
        for (std::uint32_t place = 0; place < order.size(); ++place) {
            rank[order[place]] = place;
            m_result.rows.push_back(std::move(m_sums[order[place]].row));
        }
        for (std::uint32_t& row : m_result.rowOfOperation) {
            row = row == kNoRow ? kNoRow : rank[row];
        }
    }

private:
    void add(Sum& sum, const LaunchedCall& call, const Part& part) {
        const CallShape& shape = m_calls.shapes[call.shape];
        const Work& work = *shape.work;
        RooflineRow& row = sum.row;
        const auto found = m_roofOf.find(call.gpu);
        const GpuRoof* roof = found == m_roofOf.end() ? nullptr : found->second;
        const std::string_view type = peakType(work, call.tensorCores);
        keepIfSame(row.shapes, shape.shapes, sum.first);
        keepIfSame(row.types, shape.types, sum.first);
        keepIfSame(row.peak, type, sum.first);
        sum.first = false;
        ++row.count;
        row.timeNs = addTime(row.timeNs, part.timeNs);
        row.flops = added(row.flops, shareOf(work.flops.value(), part.share));
        row.countedFlops = added(row.countedFlops, shareOf(work.counted.value(), part.share));
        row.bytes = added(row.bytes, shareOf(work.bytes.value(), part.share));
        if (row.longest == trace::kNoSlice ||
            m_trace.duration(part.longest) > m_trace.duration(row.longest)) {
            row.longest = part.longest;
        }
        sum.largestBytes = std::max(sum.largestBytes, work.bytes.value());
        sum.generated |= shape.row->name.ends_with('*');
        const double peak = roof == nullptr ? 0.0 : roof->peak(type);
        const bool bounded = roof != nullptr && (peak > 0.0 || work.flops.value() == 0);
        if (call.overLink || !bounded) {
            addBound(sum, call.overLink ? Bound::Link : Bound::Unknown, part.timeNs);
            return;
        }
        sum.cacheBytes = std::max(sum.cacheBytes, roof->cacheBytes);
        const double compute =
            work.flops.value() == 0
                ? 0.0
                : part.share * static_cast<double>(work.flops.value()) / peak * 1e9;
        const double memory =
            part.share * static_cast<double>(work.bytes.value()) / roof->memoryBytesPerSecond * 1e9;
        addBound(sum, boundOf(part.timeNs, compute, memory), part.timeNs);
        row.computeNs += compute;
        row.memoryNs += memory;
        sum.roofNs += std::max(compute, memory);
        sum.roofedNs += part.timeNs;
    }

    static void addBound(Sum& sum, Bound bound, TimeNs time) {
        TimeNs& all = sum.boundNs[static_cast<std::size_t>(bound)];
        all = addTime(all, time);
    }

    // A row is bound by what binds most of its time; its efficiency is that of the calls with a
    // roof.
    static void judge(Sum& sum) {
        RooflineRow& row = sum.row;
        row.bound = static_cast<Bound>(std::ranges::max_element(sum.boundNs) - sum.boundNs.begin());
        if (row.bound == Bound::Link) {
            row.note = "waits for a link or for other ranks, not for this GPU's roofs";
        }
        if (sum.roofedNs <= 0) {
            return;
        }
        const auto time = static_cast<double>(sum.roofedNs);
        row.efficiency = sum.roofNs / time;
        row.recoverableNs = std::max<TimeNs>(0, std::llround(time - sum.roofNs));
        if (*row.efficiency > 1.0) {
            row.note = whyAbove(sum);
        } else if (sum.generated) {
            row.note = "arguments that are read and written count once";
        }
    }

    static std::string whyAbove(const Sum& sum) {
        if (sum.row.bound == Bound::Compute) {
            return "above the roof: the clock was higher than that of the peak, or a faster type "
                   "was used inside";
        }
        if (sum.largestBytes <= 2 * sum.cacheBytes) {
            return "above the roof: data that fits into the cache was not read from memory";
        }
        return "above the roof: one tensor given twice counts twice, or part of the data was in "
               "the cache";
    }

    const trace::Trace& m_trace;
    const LaunchedCalls& m_calls;
    Roofline& m_result;
    std::unordered_map<std::int32_t, const GpuRoof*> m_roofOf;
    std::unordered_map<std::uint64_t, std::uint32_t> m_places;
    std::vector<Sum> m_sums;
};

std::vector<DeviceRoof> roofsOf(const trace::Trace& trace, const LaunchedCalls& calls) {
    std::vector<DeviceRoof> roofs;
    for (const LaunchedCall& call : calls.calls) {
        if (std::ranges::find(roofs, call.gpu, &DeviceRoof::gpu) != roofs.end()) {
            continue;
        }
        DeviceRoof roof{.gpu = call.gpu, .device = {}};
        if (const trace::DeviceProperties* device = trace.info().device(call.gpu)) {
            roof.device = device->name;
            roof.roof = GpuTable::builtin().find(device->name);
        }
        roofs.push_back(std::move(roof));
    }
    std::ranges::sort(roofs, {}, &DeviceRoof::gpu);
    return roofs;
}

trace::SliceId longestOf(const trace::Trace& trace, const LaunchedCalls& calls,
                         const LaunchedCall& call) {
    const auto slice = [&](std::uint32_t i) {
        return trace.gpuOperations()[calls.operations[i]].slice;
    };
    trace::SliceId longest = slice(call.begin);
    for (std::uint32_t i = call.begin + 1; i < call.end; ++i) {
        if (trace.duration(slice(i)) > trace.duration(longest)) {
            longest = slice(i);
        }
    }
    return longest;
}

void addKernels(const trace::Trace& trace, const LaunchedCalls& calls, const LaunchedCall& call,
                Rows& rows, std::vector<std::uint32_t>& rowOf) {
    TimeNs sum = 0;
    for (std::uint32_t i = call.begin; i < call.end; ++i) {
        sum = addTime(sum, trace.duration(trace.gpuOperations()[calls.operations[i]].slice));
    }
    const std::uint32_t count = call.end - call.begin;
    for (std::uint32_t i = call.begin; i < call.end; ++i) {
        const trace::SliceId slice = trace.gpuOperations()[calls.operations[i]].slice;
        const double share =
            count == 1 ? 1.0
            : sum > 0  ? static_cast<double>(trace.duration(slice)) / static_cast<double>(sum)
                       : 1.0 / count;
        rowOf[i] = rows.add(trace.nameId(slice), trace.name(slice), call,
                            {share, trace.duration(slice), slice});
    }
}

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

constexpr std::string_view kNoModule = "(no module)";
constexpr std::string_view kModule = "nn.Module: ";

}  // namespace

std::string_view boundName(Bound bound) {
    static constexpr std::array<std::string_view, 5> kNames{"compute", "memory", "latency", "link",
                                                            "unknown"};
    return kNames[static_cast<std::size_t>(bound)];
}

double RooflineRow::teraflopsPerSecond() const {
    return timeNs > 0 ? static_cast<double>(flops) / static_cast<double>(timeNs) / 1e3 : 0.0;
}

double RooflineRow::gigabytesPerSecond() const {
    return timeNs > 0 ? static_cast<double>(bytes) / static_cast<double>(timeNs) : 0.0;
}

std::optional<double> RooflineRow::intensity() const {
    return bytes > 0 ? std::optional(static_cast<double>(flops) / static_cast<double>(bytes))
                     : std::nullopt;
}

double Roofline::coverage() const {
    return kernelNs > 0 ? static_cast<double>(modelledNs) / static_cast<double>(kernelNs) : 1.0;
}

Roofline makeRoofline(const trace::Trace& trace, const LaunchedCalls& calls, RooflineBy by) {
    Roofline result;
    result.by = by;
    result.roofs = roofsOf(trace, calls);
    result.kernelNs = calls.kernelNs;
    result.modelledNs = calls.modelledNs;
    const std::vector<NameId> modules =
        by == RooflineBy::Module ? modulesOf(trace, calls) : std::vector<NameId>();
    // Calls of one operator whose texts differ can have the same shapes.
    std::unordered_map<std::string, std::uint64_t> shapeKeys;
    std::vector<std::uint64_t> keyOfShape;
    for (const CallShape& shape : calls.shapes) {
        const std::string text = fmt::format("{}\n{}\n{}", shape.name, shape.shapes, shape.types);
        keyOfShape.push_back(shapeKeys.try_emplace(text, shapeKeys.size()).first->second);
    }
    result.rowOfOperation.assign(calls.operations.size(), kNoRow);
    Rows rows(trace, calls, result);
    for (std::size_t i = 0; i < calls.calls.size(); ++i) {
        const LaunchedCall& call = calls.calls[i];
        const Work* work = calls.workOf(call);
        if (work == nullptr) {
            continue;
        }
        const CallShape& shape = calls.shapes[call.shape];
        if (!shape.row->counted.empty()) {
            std::uint64_t& sum = result.counted[std::string(shape.row->counted)];
            sum = added(sum, work->counted.value());
        }
        const Part whole{1.0, call.timeNs, longestOf(trace, calls, call)};
        if (by == RooflineBy::Kernel) {
            addKernels(trace, calls, call, rows, result.rowOfOperation);
            continue;
        }
        std::string_view name = trace.text(call.name);
        if (by == RooflineBy::Module) {
            name = modules[i] == kEmptyName ? kNoModule : trace.text(modules[i]);
            name.remove_prefix(name.starts_with(kModule) ? kModule.size() : 0);
        }
        const std::uint64_t key = by == RooflineBy::Module  ? modules[i]
                                  : by == RooflineBy::Shape ? keyOfShape[call.shape]
                                                            : call.name;
        const std::uint32_t row = rows.add(key, name, call, whole);
        std::fill(result.rowOfOperation.begin() + call.begin,
                  result.rowOfOperation.begin() + call.end, row);
    }
    rows.finish();
    addUncovered(trace, calls, result);
    return result;
}

}  // namespace kinetoscope::model
