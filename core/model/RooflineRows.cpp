// SPDX-License-Identifier: Apache-2.0
#include "core/model/RooflineRows.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "core/base/Time.h"

namespace kinetoscope::model {

namespace {

constexpr TimeNs kShort = 5000;  // below this a call is too short to be measured by a roof
constexpr double kHalf = 0.5;

std::uint64_t shareOf(std::uint64_t amount, double share) {
    return share >= 1.0 ? amount
                        : static_cast<std::uint64_t>(
                              std::llround(static_cast<double>(amount) * std::max(share, 0.0)));
}

void keepIfSame(std::string& text, std::string_view other, bool first) {
    if (first) {
        text = other;
    } else if (text != other) {
        text.clear();
    }
}

Bound boundOf(TimeNs time, const RoofTime& roof) {
    if (time < kShort && roof.ns() < kHalf * static_cast<double>(time)) {
        return Bound::Latency;
    }
    return roof.computeNs > roof.memoryNs ? Bound::Compute : Bound::Memory;
}

// What a call above its roof gained is not taken from what others lost: rows sum up to the same
// time by whatever they are.
double beyond(TimeNs time, const RoofTime& roof) {
    return std::max(0.0, static_cast<double>(time) - roof.ns());
}

TimeNs roundedAtMost(TimeNs most, double ns) {
    return ns < static_cast<double>(most) ? std::llround(ns) : most;
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
    return bytes > 0 && hasFlops()
               ? std::optional(static_cast<double>(flops) / static_cast<double>(bytes))
               : std::nullopt;
}

std::vector<std::uint32_t> sameShapes(const LaunchedCalls& calls, bool andTypes) {
    std::unordered_map<std::string, std::uint32_t> keys;
    std::vector<std::uint32_t> keyOf;
    for (const CallShape& shape : calls.shapes) {
        const std::string text = fmt::format("{}\n{}\n{}", shape.name, shape.shapes,
                                             andTypes ? shape.types : std::string());
        const auto next = static_cast<std::uint32_t>(keys.size());
        keyOf.push_back(keys.try_emplace(text, next).first->second);
    }
    return keyOf;
}

CallPart wholeCall(const trace::Trace& trace, const LaunchedCalls& calls,
                   const LaunchedCall& call) {
    return {.share = 1.0, .timeNs = call.timeNs, .longest = longestOf(trace, calls, call)};
}

KernelParts::KernelParts(const trace::Trace& trace, const LaunchedCalls& calls,
                         const LaunchedCall& call)
    : m_trace(trace), m_calls(calls) {
    const auto isKernel = [&](std::uint32_t operation) {
        return trace.category(trace.gpuOperations()[operation].slice) == trace::Category::Kernel;
    };
    const auto operations = std::span(calls.operations).subspan(call.begin, call.end - call.begin);
    m_onlyKernels = std::ranges::any_of(operations, isKernel);
    for (const trace::GpuOpId operation : operations) {
        if (!m_onlyKernels || isKernel(operation)) {
            ++m_count;
            m_sum = addTime(m_sum, trace.duration(trace.gpuOperations()[operation].slice));
        }
    }
}

CallPart KernelParts::at(std::uint32_t place) const {
    const trace::SliceId slice = m_trace.gpuOperations()[m_calls.operations[place]].slice;
    const TimeNs time = m_trace.duration(slice);
    const bool none = m_onlyKernels && m_trace.category(slice) != trace::Category::Kernel;
    const double share = none           ? 0.0
                         : m_count == 1 ? 1.0
                         : m_sum > 0    ? static_cast<double>(time) / static_cast<double>(m_sum)
                                        : 1.0 / m_count;
    return {.share = share, .timeNs = time, .longest = slice};
}

std::optional<RoofTime> timeAtRoof(const LaunchedCall& call, const Work& work,
                                   const GpuRoof* roof) {
    if (roof == nullptr || call.overLink) {
        return std::nullopt;
    }
    const auto flops = static_cast<double>(work.flops.value());
    const auto bytes = static_cast<double>(work.bytes.value());
    const std::string_view type = peakType(work, call.tensorCores);
    // Some GPUs have matrix cores for Float as it is.
    const double peak = roof->peak(work.matrix && type == "fp32" ? "fp32_tensor" : type);
    if ((flops > 0.0 && peak <= 0.0) || roof->memoryBytesPerSecond <= 0.0) {
        return std::nullopt;
    }
    return RoofTime{flops > 0.0 ? flops / peak * 1e9 : 0.0,
                    bytes / roof->memoryBytesPerSecond * 1e9};
}

std::vector<DeviceRoof> roofsOf(const trace::Trace& trace, const LaunchedCalls& calls,
                                std::span<const GpuRoof> measured) {
    std::vector<DeviceRoof> roofs;
    for (const LaunchedCall& call : calls.calls) {
        if (std::ranges::find(roofs, call.gpu, &DeviceRoof::gpu) == roofs.end()) {
            roofs.push_back(deviceRoof(trace, call.gpu, measured));
        }
    }
    std::ranges::sort(roofs, {}, &DeviceRoof::gpu);
    return roofs;
}

RooflineRows::RooflineRows(const trace::Trace& trace, const LaunchedCalls& calls,
                           const std::vector<DeviceRoof>& roofs)
    : m_trace(trace), m_calls(calls) {
    for (const DeviceRoof& roof : roofs) {
        m_roofOf.emplace(roof.gpu, roof.roof);
    }
}

std::uint32_t RooflineRows::add(std::uint64_t key, std::string_view name, const LaunchedCall& call,
                                const CallPart& part) {
    const auto [place, isNew] =
        m_places.try_emplace(key, static_cast<std::uint32_t>(m_sums.size()));
    if (isNew) {
        m_sums.emplace_back();
        m_sums.back().row.name = name;
    }
    add(m_sums[place->second], call, part);
    return place->second;
}

std::vector<RooflineRow> RooflineRows::take() {
    std::vector<RooflineRow> rows;
    rows.reserve(m_sums.size());
    for (Sum& sum : m_sums) {
        judge(sum);
        rows.push_back(std::move(sum.row));
    }
    m_sums.clear();
    m_places.clear();
    return rows;
}

void RooflineRows::add(Sum& sum, const LaunchedCall& call, const CallPart& part) {
    const CallShape& shape = m_calls.shapes[call.shape];
    const Work& work = *shape.work;
    RooflineRow& row = sum.row;
    const auto found = m_roofOf.find(call.gpu);
    const GpuRoof* roof = found == m_roofOf.end() ? nullptr : found->second;
    const std::string_view type = peakType(work, call.tensorCores);
    keepIfSame(row.shapes, shape.shapes, sum.first);
    keepIfSame(row.types, shape.types, sum.first);
    keepIfSame(row.peak, type, sum.first);
    keepIfSame(row.roof, roof == nullptr ? std::string_view() : roof->name, sum.first);
    sum.first = false;
    ++row.count;
    row.bytesOnly += work.bytesOnly ? 1 : 0;
    row.timeNs = addTime(row.timeNs, part.timeNs);
    row.flops = addWork(row.flops, shareOf(work.flops.value(), part.share));
    row.countedFlops = addWork(row.countedFlops, shareOf(work.counted.value(), part.share));
    row.bytes = addWork(row.bytes, shareOf(work.bytes.value(), part.share));
    if (row.longest == trace::kNoSlice ||
        m_trace.duration(part.longest) > m_trace.duration(row.longest)) {
        row.longest = part.longest;
    }
    if (part.measuredBytes) {
        ++row.measuredCount;
        row.measuredNs = addTime(row.measuredNs, part.timeNs);
        row.measuredBytes = addWork(row.measuredBytes,
                                    static_cast<std::uint64_t>(std::llround(*part.measuredBytes)));
        row.measuredModelBytes =
            addWork(row.measuredModelBytes, shareOf(work.bytes.value(), part.share));
    }
    sum.largestBytes = std::max(sum.largestBytes, work.bytes.value());
    sum.generated |= shape.row->name.ends_with('*');
    const std::optional<RoofTime> whole = timeAtRoof(call, work, roof);
    if (!whole) {
        addBound(sum, call.overLink ? Bound::Link : Bound::Unknown, part.timeNs);
        return;
    }
    const RoofTime time{part.share * whole->computeNs, part.share * whole->memoryNs};
    sum.cacheBytes = std::max(sum.cacheBytes, roof->cacheBytes);
    addBound(sum, boundOf(part.timeNs, time), part.timeNs);
    row.computeNs += time.computeNs;
    row.memoryNs += time.memoryNs;
    sum.recoverableNs += beyond(part.timeNs, time);
    sum.roofNs += time.ns();
    sum.roofedNs = addTime(sum.roofedNs, part.timeNs);
}

void RooflineRows::addBound(Sum& sum, Bound bound, TimeNs time) {
    TimeNs& all = sum.boundNs[static_cast<std::size_t>(bound)];
    all = addTime(all, time);
}

// A row is bound by what binds most of its time; its efficiency is that of the calls with a
// roof.
void RooflineRows::judge(Sum& sum) {
    RooflineRow& row = sum.row;
    row.bound = static_cast<Bound>(std::ranges::max_element(sum.boundNs) - sum.boundNs.begin());
    if (row.bound == Bound::Link) {
        row.note = "bound by a link or by other ranks, not by this GPU's roofs";
    }
    if (sum.roofedNs <= 0) {
        return;
    }
    row.efficiency = sum.roofNs / static_cast<double>(sum.roofedNs);
    row.recoverableNs = roundedAtMost(row.timeNs, sum.recoverableNs);
    if (*row.efficiency > 1.0) {
        row.note = whyAbove(sum);
    } else if (sum.generated) {
        row.note = row.bytesOnly > 0 && row.hasFlops()
                       ? "operations of generated kernels are unknown and not counted"
                       : "arguments both read and written count once";
    }
}

std::string RooflineRows::whyAbove(const Sum& sum) {
    if (sum.row.bound == Bound::Compute) {
        return "above the roof: the clock was higher than the peak's, or a faster data type was "
               "used inside";
    }
    if (sum.largestBytes <= 2 * sum.cacheBytes) {
        return "above the roof: data was in the cache and not read from memory";
    }
    return "above the roof: a tensor passed twice counts twice, or part of the data was in the "
           "cache";
}

}  // namespace kinetoscope::model
