// SPDX-License-Identifier: Apache-2.0
#include "core/ranks/ReadRank.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <iterator>
#include <unordered_map>

#include "core/analysis/IdleGaps.h"
#include "core/analysis/IdleList.h"
#include "core/analysis/KernelNames.h"
#include "core/base/Threads.h"
#include "core/json/Json.h"
#include "core/query/GpuTimeline.h"
#include "core/query/LaunchLinks.h"
#include "core/ranks/CollectiveCalls.h"
#include "core/ranks/OwnWork.h"
#include "core/ranks/Segments.h"
#include "core/ranks/parts/CountedSteps.h"
#include "core/text/Format.h"

namespace kinetoscope::ranks {

namespace {

constexpr std::size_t kMaxHostGaps = 256;       // the longest; a cause is one of them
constexpr std::size_t kMaxKernelsBetween = 16;  // of one part between two collectives
constexpr std::size_t kMaxNameLength = 512;
constexpr std::size_t kMaxReadName = 1U << 16U;  // of templates they are long

// The tables that all parts of a record are made from.
struct Tables {
    explicit Tables(const trace::Trace& of)
        : trace(of),
          timeline(of),
          links(of),
          names(of),
          steps(analysis::findSteps(of, timeline, links)) {}

    [[nodiscard]] bool isCommunication(trace::GpuOpId operation) const {
        return analysis::isCommunication(trace, names, operation);
    }

    const trace::Trace& trace;
    query::GpuTimeline timeline;
    query::LaunchLinks links;
    analysis::KernelNames names;
    std::vector<analysis::Step> steps;
    bool areMarked = true;  ///< by the program
};

const query::GpuRow* chooseGpu(const Tables& tables) {
    const query::GpuRow* chosen = nullptr;
    std::pair<std::size_t, std::size_t> most;
    for (const query::GpuRow& row : tables.timeline.gpus()) {
        const auto communication = std::ranges::count_if(row.operations, [&](const auto& time) {
            return tables.isCommunication(time.operation);
        });
        const std::pair size{static_cast<std::size_t>(communication), row.operations.size()};
        if (chosen == nullptr || size > most) {
            chosen = &row;
            most = size;
        }
    }
    return chosen;
}

std::string hostOf(const trace::RunInfo& info) {
    for (const trace::RunField& field : info.fields) {
        if (field.key == "hostname" || field.key == "host_name") {
            const auto name = json::parseJson(field.json);
            return name && name->is_string() ? name->get<std::string>() : std::string();
        }
    }
    return {};
}

bool isWhole(const trace::Trace& trace) {
    return trace.isComplete() &&
           std::ranges::none_of(trace.log().sorted(), [](const trace::ImportIssue& issue) {
               return issue.severity == trace::Severity::DataLoss;
           });
}

std::int64_t stepAt(const std::vector<analysis::Step>& steps, TimeNs time) {
    const auto next = std::ranges::upper_bound(
        steps, time, {}, [](const analysis::Step& step) { return step.span.start; });
    return next == steps.begin() ? -1 : std::prev(next)->number;
}

// Where steps were counted here, a rank that recorded from a later one on has other numbers.
void setSteps(const Tables& tables, std::vector<CollectiveCall>& calls) {
    for (CollectiveCall& call : calls) {
        call.step = stepAt(tables.steps, call.span.start);
        call.launchedInStep = tables.areMarked ? stepAt(tables.steps, call.launched) : -1;
    }
}

std::vector<RankStep> measureSteps(const Tables& tables, const query::GpuRow& row) {
    std::vector<TimeSpan> all;
    std::vector<TimeSpan> kernels;
    std::vector<TimeSpan> compute;
    for (const query::OperationTime& time : row.operations) {
        const trace::SliceId slice = tables.trace.gpuOperations()[time.operation].slice;
        all.push_back(time.span);
        if (tables.trace.category(slice) == trace::Category::Kernel) {
            kernels.push_back(time.span);
            if (!tables.isCommunication(time.operation)) {
                compute.push_back(time.span);
            }
        }
    }
    const query::CoveredTime allTime(query::unionOf(all));
    const query::CoveredTime kernelTime(query::unionOf(kernels));
    const query::CoveredTime computeTime(query::unionOf(compute));
    std::vector<RankStep> steps;
    for (const analysis::Step& step : tables.steps) {
        RankStep measured;
        measured.number = step.number;
        measured.span = step.span;
        // As analysis::Breakdown has it: what the sets before leave exposed.
        const TimeNs busy = allTime.inside(step.span);
        const TimeNs inKernels = kernelTime.inside(step.span);
        measured.time.computeNs = computeTime.inside(step.span);
        measured.time.exposedCommNs = inKernels - measured.time.computeNs;
        measured.time.exposedCopyNs = busy - inKernels;
        measured.time.idleNs = step.span.duration() - busy;
        steps.push_back(measured);
    }
    return steps;
}

std::vector<query::OperationTime> communicationOf(const Tables& tables, const query::GpuRow& row) {
    std::vector<query::OperationTime> communication;
    std::ranges::copy_if(row.operations, std::back_inserter(communication),
                         [&](const auto& time) { return tables.isCommunication(time.operation); });
    return communication;
}

// The kernels that were launched between two collectives, by name.
class KernelSums {
public:
    KernelSums(const Tables& tables, RankRecord& record)
        : m_tables(tables), m_record(record), m_sums(record.collectives.size() + 1) {
        for (std::size_t call = 0; call < record.collectives.size(); ++call) {
            m_calls.emplace_back(record.collectives[call].launched, call);
        }
        std::ranges::sort(m_calls);
    }

    void add(const query::OperationTime& time) {
        const trace::SliceId api = m_tables.links.apiCall(time.operation);
        const TimeNs launched =
            api == trace::kNoSlice ? time.span.start : m_tables.trace.start(api);
        const auto next = std::ranges::upper_bound(m_calls, launched, {},
                                                   [](const auto& call) { return call.first; });
        const std::size_t part = next == m_calls.end() ? m_calls.size() : next->second;
        KernelSum& sum = m_sums[part][m_tables.names.numberOf(time.operation)];
        ++sum.count;
        sum.sumNs += time.span.duration();
    }
    void finish() {
        for (const auto& part : m_sums) {
            keepMost(part);
        }
    }

private:
    using Sums = std::unordered_map<std::uint32_t, KernelSum>;

    void keepMost(const Sums& of) {
        std::vector<std::pair<std::uint32_t, KernelSum>> sums(of.begin(), of.end());
        std::ranges::sort(sums, [](const auto& a, const auto& b) {
            return std::pair(-a.second.sumNs, a.first) < std::pair(-b.second.sumNs, b.first);
        });
        sums.resize(std::min(sums.size(), kMaxKernelsBetween));
        std::vector<KernelSum>& part = m_record.kernels.emplace_back();
        for (auto& [number, sum] : sums) {
            sum.name = nameRow(number);
            part.push_back(sum);
        }
    }
    std::uint32_t nameRow(std::uint32_t number) {
        const auto [at, added] =
            m_rows.try_emplace(number, static_cast<std::uint32_t>(m_record.names.size()));
        if (added) {
            const auto name = m_tables.trace.text(m_tables.names.facts(number).name);
            m_record.names.push_back(
                text::shortKernelName(name.substr(0, kMaxReadName)).substr(0, kMaxNameLength));
        }
        return at->second;
    }

    const Tables& m_tables;
    RankRecord& m_record;
    std::vector<std::pair<TimeNs, std::size_t>> m_calls;  ///< when launched, and row
    std::vector<Sums> m_sums;                             ///< by the call behind them
    std::unordered_map<std::uint32_t, std::uint32_t> m_rows;
};

void takeKernels(const Tables& tables, const query::GpuRow& row, RankRecord& record) {
    KernelSums sums(tables, record);
    for (const query::OperationTime& time : row.operations) {
        const trace::SliceId slice = tables.trace.gpuOperations()[time.operation].slice;
        if (tables.trace.category(slice) == trace::Category::Kernel &&
            !tables.isCommunication(time.operation)) {
            sums.add(time);
        }
    }
    sums.finish();
}

std::string nameOf(const trace::Trace& trace, trace::SliceId slice) {
    return slice == trace::kNoSlice ? std::string()
                                    : std::string(trace.name(slice).substr(0, kMaxNameLength));
}

// The operation of that slice; null if there is none.
const query::OperationTime* operationOf(const trace::Trace& trace, const query::GpuRow& row,
                                        trace::SliceId slice) {
    if (slice == trace::kNoSlice) {
        return nullptr;
    }
    const auto same =
        std::ranges::equal_range(row.operations, trace.start(slice), {},
                                 [](const query::OperationTime& time) { return time.span.start; });
    const auto found = std::ranges::find_if(same, [&](const query::OperationTime& time) {
        return trace.gpuOperations()[time.operation].slice == slice;
    });
    return found == same.end() ? nullptr : &*found;
}

void takeHostGaps(const Tables& tables, const query::GpuRow& row,
                  const query::CoveredTime& overhead, RankRecord& record) {
    analysis::LongestGaps longest(row.gpu, kMaxHostGaps);
    const analysis::WindowScope scope;
    record.idle = analysis::measureIdle(tables.trace, row, scope, tables.links, overhead,
                                        [&](const analysis::IdleGap& gap) {
                                            if (!gap.hostPart.empty()) {
                                                longest.add(gap);
                                            }
                                        });
    std::vector<analysis::NamedGap> gaps = longest.take();
    analysis::nameHostActivities(tables.trace, scope.of(row), tables.steps, gaps);
    for (const analysis::NamedGap& gap : gaps) {
        HostGap kept{.span = gap.hostPart,
                     .activity = nameOf(tables.trace, gap.host.slice),
                     .kind = {},
                     .before = nameOf(tables.trace, gap.launch)};
        if (gap.host.slice != trace::kNoSlice) {
            kept.kind = analysis::activityKind(tables.trace, gap.host.slice);
        }
        if (const query::OperationTime* next = operationOf(tables.trace, row, gap.next)) {
            if (const auto launcher = tables.links.launchingOperator(next->operation);
                launcher != trace::kNoSlice) {
                kept.before = nameOf(tables.trace, launcher);
            }
        }
        record.hostGaps.push_back(std::move(kept));
    }
    std::ranges::sort(record.hostGaps, {}, [](const HostGap& gap) { return gap.span.start; });
}

void takeOwnWork(const Tables& tables, const query::GpuRow& row, RankRecord& record) {
    const auto isCommunication = [&](trace::GpuOpId operation) {
        return tables.isCommunication(operation);
    };
    MeasuredWork measured = measureOwnWork(tables.trace, row, tables.links, isCommunication);
    record.work = std::move(measured.work);
    record.segments = divideWork(record, measured.order);
    if (measured.order.hostWaits) {
        findStalls(tables.trace, row, tables.links, *measured.order.hostWaits, record);
    }
    findExtraKernels(tables.trace, row, tables.links, isCommunication, record);
}

// The file's facts about the rank.
RankRecord describe(const trace::Trace& trace) {
    RankRecord record;
    const trace::RunInfo& info = trace.info();
    record.file = info.path;
    record.host = hostOf(info);
    record.baseTimeNs = info.baseTimeNs.value_or(0);
    record.rank = info.distributed ? info.distributed->rank : -1;
    record.worldSize = info.distributed ? info.distributed->worldSize : -1;
    if (record.rank < 0) {
        record.rank = rankInName(info.path);
    }
    record.devicesThere = info.devices.size();
    record.extent = trace.extent();
    record.complete = isWhole(trace);
    return record;
}

Result<RankRecord> read(const trace::Trace& trace, const std::stop_token& stop) {
    Tables tables(trace);
    const query::GpuRow* row = chooseGpu(tables);
    if (tables.steps.empty()) {
        tables.steps = parts::countSteps(trace, row, tables.links);
        tables.areMarked = false;
    }
    throwIfStopped(stop);
    RankRecord record = describe(trace);
    if ((row == nullptr || communicationOf(tables, *row).empty()) && hasGloo(trace)) {
        auto taken = takeGloo(trace, tables.steps, record, stop);
        setSteps(tables, record.collectives);
        return taken ? Result<RankRecord>(std::move(record)) : tl::unexpected(taken.error());
    }
    if (row == nullptr) {
        return fail("has no GPU work, and no collectives of gloo");
    }
    record.gpu = row->gpu;
    if (const trace::DeviceProperties* device = trace.info().device(row->gpu)) {
        record.device = device->name;
    }
    record.gpuSpan = row->extent;
    const analysis::WindowScope whole;
    const std::vector<analysis::MmConvKind> mmConv(trace.gpuOperations().size());
    const analysis::GpuTime time =
        analysis::measureGpuTime(trace, *row, whole, tables.names, mmConv);
    record.time = time.breakdown;
    record.busyNs = time.busyNs;
    const query::CoveredTime overhead = analysis::overheadTime(trace);
    throwIfStopped(stop);
    const std::vector<query::OperationTime> communication = communicationOf(tables, *row);
    auto collectives = readCollectives(trace, communication, tables.links, stop);
    if (!collectives) {
        return tl::unexpected(collectives.error());
    }
    record.collectives = std::move(collectives->calls);
    record.groups = std::move(collectives->groups);
    setSteps(tables, record.collectives);
    throwIfStopped(stop);
    takeKernels(tables, *row, record);
    record.steps = measureSteps(tables, *row);
    takeOwnWork(tables, *row, record);
    takeHostGaps(tables, *row, overhead, record);
    return record;
}

}  // namespace

std::int64_t rankInName(const std::string& path) {
    const std::string name = text::lowered(std::filesystem::path(path).filename().string());
    constexpr std::string_view kWord = "rank";
    std::int64_t rank = -1;
    for (auto at = name.find(kWord); at != std::string::npos; at = name.find(kWord, at + 1)) {
        std::string_view rest = std::string_view(name).substr(at + kWord.size());
        if (!rest.empty() && (rest.front() == '-' || rest.front() == '_' || rest.front() == ' ')) {
            rest.remove_prefix(1);
        }
        std::int64_t number = 0;
        const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), number);
        if (error == std::errc() && number >= 0) {
            rank = number;
        }
    }
    return rank;
}

Result<RankRecord> readRank(const trace::Trace& trace, const std::stop_token& stop) {
    return guarded([&] { return read(trace, stop); }, trace.info().path);
}

}  // namespace kinetoscope::ranks
