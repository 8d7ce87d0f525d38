// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <functional>
#include <iterator>
#include <map>
#include <string>
#include <string_view>
#include <type_traits>
#include <unordered_map>
#include <utility>

#include "core/ranks/OwnWork.h"
#include "core/stats/Statistics.h"
#include "core/text/Format.h"

namespace kinetoscope::ranks {

namespace {

constexpr std::size_t kMinOwnSteps = 3;
constexpr TimeNs kMinStall = 100'000;
constexpr std::size_t kMaxStalls = 8;  // of a step
constexpr std::size_t kLongestName = 512;

// Row of the step in which the host was then; -1: before the first one.
std::ptrdiff_t stepRow(const std::vector<RankStep>& steps, TimeNs time) {
    const auto next = std::ranges::upper_bound(
        steps, time, {}, [](const RankStep& step) { return step.span.start; });
    return next - steps.begin() - 1;
}

// When something began or ended on the threads that launch work.
class Marks {
public:
    Marks(const trace::Trace& trace, const query::GpuRow& row, const query::LaunchLinks& links)
        : m_trace(trace), m_launching(trace.tracks().size()) {
        for (const query::OperationTime& time : row.operations) {
            if (const auto call = links.apiCall(time.operation); call != trace::kNoSlice) {
                m_launching[trace.trackOf(call)] = true;
            }
        }
    }

    template <class Take>
    void forEach(const Take& take) const {
        for (trace::SliceId slice = 0; slice < m_trace.sliceCount(); ++slice) {
            if (m_launching[m_trace.trackOf(slice)] && isMeant(m_trace.category(slice))) {
                take(m_trace.start(slice), slice);
                take(m_trace.end(slice), slice);
            }
        }
    }

private:
    // Ranks may be recorded with Python's functions or without.
    static bool isMeant(trace::Category category) {
        return trace::isApiCall(category) || category == trace::Category::CpuOp ||
               category == trace::Category::UserAnnotation;
    }

    const trace::Trace& m_trace;
    std::vector<bool> m_launching;  ///< by track
};

struct Silence {
    TimeSpan span;
    trace::SliceId before = trace::kNoSlice;  ///< it began or ended then
};

// "aten::linear", "the end of cudaMalloc"; "ProfilerStep#5" is "ProfilerStep" in each step.
std::string nameOfEnd(const trace::Trace& trace, const Silence& silence) {
    const std::string_view name = trace.name(silence.before);
    const bool isInside = trace.start(silence.before) <= silence.span.start;
    return (isInside ? "the end of " : "") +
           std::string(name.substr(0, std::min(name.find('#'), kLongestName)));
}

// The times of at least kMinStall between two marks, found without sorting these: buckets of time
// that have none.
std::vector<Silence> silencesOf(const trace::Trace& trace, const Marks& marks) {
    constexpr TimeNs kMaxBuckets = 1 << 24;
    const TimeSpan extent = trace.extent();
    const TimeNs width = std::max(kMinStall / 4, extent.duration() / kMaxBuckets + 1);
    const auto bucketOf = [&](TimeNs time) {
        return static_cast<std::size_t>((time - extent.start) / width);
    };
    std::vector<bool> isMarked(bucketOf(extent.end) + 1);
    marks.forEach([&](TimeNs time, trace::SliceId) { isMarked[bucketOf(time)] = true; });
    std::vector<Silence> silences;
    std::vector<bool> isEdge(isMarked.size());
    std::map<std::size_t, std::size_t> endsIn;  // rows of silences by the bucket
    std::map<std::size_t, std::size_t> startsIn;
    auto last = std::ranges::find(isMarked, true);
    for (auto at = last; at != isMarked.end(); ++at) {
        if (!*at) {
            continue;
        }
        const auto from = static_cast<std::size_t>(last - isMarked.begin());
        const auto to = static_cast<std::size_t>(at - isMarked.begin());
        if (static_cast<TimeNs>(to - from + 1) * width >= kMinStall && to > from) {
            startsIn[from] = endsIn[to] = silences.size();
            isEdge[from] = isEdge[to] = true;
            silences.push_back({.span = {extent.start, extent.end}});
        }
        last = at;
    }
    marks.forEach([&](TimeNs time, trace::SliceId slice) {
        const std::size_t bucket = bucketOf(time);
        if (!isEdge[bucket]) {
            return;
        }
        if (const auto at = startsIn.find(bucket); at != startsIn.end()) {
            TimeNs& start = silences[at->second].span.start;
            start = std::max(start, time);
        }
        if (const auto at = endsIn.find(bucket); at != endsIn.end()) {
            Silence& silence = silences[at->second];
            // Of several at one time the outermost.
            if (silence.before == trace::kNoSlice || time < silence.span.end ||
                (time == silence.span.end &&
                 trace.duration(slice) > trace.duration(silence.before))) {
                silence.span.end = time;
                silence.before = slice;
            }
        }
    });
    return silences;
}

// Rows of a record's names.
class NameRows {
public:
    explicit NameRows(std::vector<std::string>& names) : m_names(names) {
        for (const std::string& name : names) {
            m_rows.try_emplace(name, static_cast<std::uint32_t>(m_rows.size()));
        }
    }

    [[nodiscard]] std::uint32_t of(const std::string& name) {
        const auto [row, isNew] =
            m_rows.try_emplace(name, static_cast<std::uint32_t>(m_names.size()));
        if (isNew) {
            m_names.push_back(name);
        }
        return row->second;
    }

private:
    std::vector<std::string>& m_names;
    std::unordered_map<std::string, std::uint32_t> m_rows;
};

// What a name has in some steps: most names may be those of one.
template <class Value>
using BySteps = std::map<std::size_t, Value>;

// Of all `steps`; 0 in those without a value. No value is below 0.
template <class Value, class Number>
auto medianOf(const BySteps<Value>& some, std::size_t steps, const Number& number) {
    using Result = std::decay_t<decltype(number(Value{}))>;
    if (2 * some.size() < steps) {
        return Result{};
    }
    std::vector<Result> all(steps - some.size());
    for (const auto& [step, value] : some) {
        all.push_back(number(value));
    }
    return stats::lowerMedian(all);
}

std::string kernelName(std::string_view name) {
    constexpr std::size_t kMaxRead = 1U << 16U;  // of templates they are long
    return text::shortKernelName(name.substr(0, kMaxRead)).substr(0, kLongestName);
}

// The largest first, as far as they are beyond the median step's.
void addStalls(const std::map<std::string, BySteps<TimeNs>>& longest, RankRecord& record) {
    NameRows names(record.names);
    for (const auto& [name, some] : longest) {
        const TimeNs median =
            medianOf(some, record.steps.size(), [](TimeNs silent) { return silent; });
        for (const auto& [step, silent] : some) {
            if (silent - median >= kMinStall) {
                record.steps[step].stalls.push_back({silent - median, names.of(name)});
            }
        }
    }
    for (RankStep& step : record.steps) {
        std::ranges::stable_sort(step.stalls, std::ranges::greater{}, &HostStall::ns);
        step.stalls.resize(std::min(step.stalls.size(), kMaxStalls));
    }
}

// Those of one name.
void addExtra(const BySteps<KernelSum>& some, std::string_view name, NameRows& names,
              std::vector<RankStep>& steps) {
    const std::uint32_t count = medianOf(some, steps.size(), std::mem_fn(&KernelSum::count));
    const TimeNs median = medianOf(some, steps.size(), std::mem_fn(&KernelSum::sumNs));
    const auto add = [&](RankStep& step, const KernelSum& sum) {
        if (sum.count == count) {
            return;
        }
        step.extra.ns += sum.sumNs - median;
        if (sum.count > count && sum.sumNs - median > step.extra.most.sumNs) {
            step.extra.most = {names.of(kernelName(name)), sum.count - count, sum.sumNs - median};
        }
    };
    auto next = some.begin();
    if (count == 0) {
        for (; next != some.end(); ++next) {
            add(steps[next->first], next->second);
        }
        return;
    }
    for (std::size_t step = 0; step < steps.size(); ++step) {
        const bool has = next != some.end() && next->first == step;
        add(steps[step], has ? (next++)->second : KernelSum{});
    }
}

}  // namespace

void findStalls(const trace::Trace& trace, const query::GpuRow& row,
                const query::LaunchLinks& links, const query::CoveredTime& hostWaits,
                RankRecord& record) {
    if (record.steps.size() < kMinOwnSteps) {
        return;
    }
    std::map<std::string, BySteps<TimeNs>> longest;  // by what they were before
    for (const Silence& silence : silencesOf(trace, Marks(trace, row, links))) {
        const std::ptrdiff_t step = stepRow(record.steps, silence.span.start);
        const TimeNs silent = silence.span.duration() - hostWaits.inside(silence.span);
        // A GPU that has work meanwhile is not delayed.
        const TimeNs computed = record.work.runs.inside(silence.span).computeNs;
        if (step < 0 || silent < kMinStall || 2 * computed > silence.span.duration()) {
            continue;
        }
        TimeNs& ns = longest[nameOfEnd(trace, silence)][static_cast<std::size_t>(step)];
        ns = std::max(ns, silent);
    }
    addStalls(longest, record);
}

void findExtraKernels(const trace::Trace& trace, const query::GpuRow& row,
                      const query::LaunchLinks& links,
                      const std::function<bool(trace::GpuOpId operation)>& isCommunication,
                      RankRecord& record) {
    if (record.steps.size() < kMinOwnSteps) {
        return;
    }
    std::map<NameId, BySteps<KernelSum>> kernels;
    for (const query::OperationTime& time : row.operations) {
        const trace::SliceId kernel = trace.gpuOperations()[time.operation].slice;
        const trace::SliceId call = links.apiCall(time.operation);
        if (trace.category(kernel) != trace::Category::Kernel || call == trace::kNoSlice ||
            isCommunication(time.operation)) {
            continue;
        }
        const std::ptrdiff_t step = stepRow(record.steps, trace.start(call));
        if (step < 0) {
            continue;
        }
        KernelSum& sum = kernels[trace.nameId(kernel)][static_cast<std::size_t>(step)];
        ++sum.count;
        sum.sumNs += time.span.duration();
    }
    NameRows names(record.names);
    for (const auto& [name, some] : kernels) {
        addExtra(some, trace.text(name), names, record.steps);
    }
}

}  // namespace kinetoscope::ranks
