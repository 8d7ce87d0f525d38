// SPDX-License-Identifier: Apache-2.0
#include "core/ranks/ReadRank.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string_view>
#include <tuple>
#include <unordered_map>

#include "core/base/Threads.h"
#include "core/json/Json.h"
#include "core/query/Intervals.h"
#include "core/ranks/CollectiveCalls.h"
#include "core/ranks/OwnWork.h"
#include "core/ranks/Segments.h"
#include "core/ranks/parts/Spans.h"

namespace kinetoscope::ranks {

namespace {

using Json = nlohmann::json;
using trace::Category;
using trace::SliceId;

constexpr std::string_view kRange = "gloo:";
constexpr std::string_view kOperator = "c10d::";
constexpr std::size_t kMaxHostGaps = 256;
constexpr std::size_t kMaxNamesBetween = 16;
constexpr std::size_t kMaxNameLength = 512;

bool isRange(const trace::Trace& trace, SliceId slice) {
    return trace.category(slice) == Category::UserAnnotation &&
           trace.name(slice).starts_with(kRange);
}

// "allreduce" of "gloo:all_reduce" and of "c10d::allreduce_".
std::string plainKind(std::string_view name) {
    name.remove_prefix(name.starts_with(kRange) ? kRange.size() : kOperator.size());
    std::string plain(name);
    std::erase(plain, '_');
    return plain;
}

// A piece of the rank's work that nothing else contains.
struct Operation {
    TimeSpan span;
    NameId name = kEmptyName;
};

struct Slices {
    std::vector<SliceId> ranges;  ///< of gloo, by start
    std::vector<SliceId> calls;   ///< operators that ask for them, by start
    std::vector<Operation> work;  ///< operators and what GPUs did, by start
};

// Of each thread the outermost operators; those within gloo's ranges are gloo's.
Slices readSlices(const trace::Trace& trace) {
    Slices found;
    std::vector<SliceId> all;
    for (SliceId slice = 0; slice < trace.sliceCount(); ++slice) {
        switch (trace.category(slice)) {
            case Category::UserAnnotation:
                if (isRange(trace, slice)) {
                    all.push_back(slice);
                }
                break;
            case Category::CpuOp:
                all.push_back(slice);
                break;
            case Category::Kernel:
            case Category::GpuMemcpy:
            case Category::GpuMemset:
                found.work.push_back({trace.span(slice), trace.nameId(slice)});
                break;
            default:
                break;
        }
    }
    std::ranges::sort(all, {}, [&](SliceId slice) {
        return std::tuple(trace.trackOf(slice), trace.start(slice), -trace.duration(slice));
    });
    trace::TrackId track = 0;
    TimeNs end = 0;
    bool any = false;
    for (const SliceId slice : all) {
        const bool isInside = any && trace.trackOf(slice) == track && trace.start(slice) < end;
        const bool isCall =
            trace.category(slice) == Category::CpuOp && trace.name(slice).starts_with(kOperator);
        if (isRange(trace, slice)) {
            found.ranges.push_back(slice);
        } else if (isCall) {
            found.calls.push_back(slice);
        } else if (!isInside) {
            found.work.push_back({trace.span(slice), trace.nameId(slice)});
        }
        if (!isInside) {
            any = true;
            track = trace.trackOf(slice);
            end = trace.end(slice);
        }
    }
    const auto start = [&](SliceId slice) { return trace.start(slice); };
    std::ranges::stable_sort(found.ranges, {}, start);
    std::ranges::stable_sort(found.calls, {}, start);
    std::ranges::stable_sort(found.work, {}, [](const Operation& one) { return one.span.start; });
    return found;
}

constexpr std::array<std::string_view, 3> kGlooKeys{"Input Dims", "Input type", "Concrete Inputs"};

// The arguments of the events, in the order of the slices; null if there are none.
Result<std::vector<Json>> argumentsOf(const trace::Trace& trace, const std::vector<SliceId>& slices,
                                      const std::stop_token& stop) {
    std::vector<Json> arguments(slices.size());
    std::vector<std::pair<std::uint64_t, std::size_t>> places;
    for (std::size_t i = 0; i < slices.size(); ++i) {
        places.emplace_back(trace.offset(slices[i]), i);
    }
    std::ranges::sort(places);
    std::vector<std::uint64_t> offsets;
    offsets.reserve(places.size());
    for (const auto& place : places) {
        offsets.push_back(place.first);
    }
    if (trace.eventText() == nullptr || offsets.empty()) {
        return arguments;
    }
    const auto read = trace.eventText()->arguments(
        offsets, kGlooKeys, [&](std::size_t index, std::span<const std::string_view> values) {
            throwIfStopped(stop);
            arguments[places[index].second] = parsedArguments(kGlooKeys, values);
        });
    if (!read) {
        return tl::unexpected(read.error());
    }
    return arguments;
}

// Elements of the first tensor; -1: unknown.
std::int64_t elementsOf(const Json& arguments) {
    constexpr std::int64_t kMax = std::int64_t{1} << 50;
    const auto shapes = arguments.find("Input Dims");
    if (shapes == arguments.end() || !shapes->is_array() || shapes->empty() ||
        !shapes->front().is_array() || shapes->front().empty()) {
        return -1;
    }
    std::int64_t elements = 1;
    for (const Json& size : shapes->front()) {
        if (!size.is_number_unsigned() || size.get<std::uint64_t>() > kMax ||
            elements > kMax / std::max<std::int64_t>(1, size.get<std::int64_t>())) {
            return -1;
        }
        elements *= size.get<std::int64_t>();
    }
    return elements;
}

std::string textAt(const Json& arguments, const char* key, std::size_t row) {
    const auto list = arguments.find(key);
    return list != arguments.end() && list->is_array() && row < list->size() &&
                   (*list)[row].is_string()
               ? (*list)[row].get<std::string>()
               : std::string();
}

// The other rank of a message: the operator's argument behind its tensors and its group.
std::int64_t peerOf(const Json& arguments) {
    constexpr std::size_t kPeer = 2;
    const auto number = json::parseJson(textAt(arguments, "Concrete Inputs", kPeer));
    return number && number->is_number_integer() ? number->get<std::int64_t>() : -1;
}

// Which operator requested each range: they run in the order of their requests. Kinds whose numbers
// of requests and runs differ, as at the end of a recording, get nothing.
std::vector<std::size_t> callsOf(const trace::Trace& trace, const Slices& slices) {
    struct Both {
        std::vector<std::size_t> ranges;
        std::vector<std::size_t> calls;
    };
    std::map<std::string, Both> kinds;
    for (std::size_t i = 0; i < slices.ranges.size(); ++i) {
        kinds[plainKind(trace.name(slices.ranges[i]))].ranges.push_back(i);
    }
    for (std::size_t i = 0; i < slices.calls.size(); ++i) {
        kinds[plainKind(trace.name(slices.calls[i]))].calls.push_back(i);
    }
    std::vector<std::size_t> callOf(slices.ranges.size(), slices.calls.size());
    for (const auto& [kind, both] : kinds) {
        for (std::size_t i = 0; both.ranges.size() == both.calls.size() && i < both.ranges.size();
             ++i) {
            callOf[both.ranges[i]] = both.calls[i];
        }
    }
    return callOf;
}

Result<void> takeCollectives(const trace::Trace& trace, const Slices& slices, RankRecord& record,
                             const std::stop_token& stop) {
    const auto ranges = argumentsOf(trace, slices.ranges, stop);
    const auto calls = argumentsOf(trace, slices.calls, stop);
    if (!ranges || !calls) {
        return tl::unexpected((ranges ? calls : ranges).error());
    }
    const std::vector<std::size_t> callOf = callsOf(trace, slices);
    for (std::size_t i = 0; i < slices.ranges.size(); ++i) {
        const SliceId slice = slices.ranges[i];
        const bool hasCall = callOf[i] < slices.calls.size();
        CollectiveCall& call = record.collectives.emplace_back();
        call.span = trace.span(slice);
        call.launched = hasCall ? std::min(trace.start(slices.calls[callOf[i]]), call.span.start)
                                : call.span.start;
        call.stream = static_cast<std::int64_t>(trace.trackOf(slice));
        call.kind = plainKind(trace.name(slice)).substr(0, kMaxNameLength);
        call.pointToPoint = call.kind.starts_with("send") || call.kind.starts_with("recv");
        call.type = textAt((*ranges)[i], "Input type", 0).substr(0, kMaxNameLength);
        call.inElements = elementsOf((*ranges)[i]);
        call.outElements = call.inElements;
        if (call.pointToPoint && hasCall) {
            call.peer = peerOf((*calls)[callOf[i]]);
        }
        call.bytes = bytesMoved(call);
    }
    return {};
}

// Work, waits for communication beside no work, and gaps of the host between them.
WorkRuns runsOf(const std::vector<Operation>& work, const std::vector<CollectiveCall>& calls) {
    std::vector<TimeSpan> spans;
    spans.reserve(work.size());
    for (const Operation& operation : work) {
        spans.push_back(operation.span);
    }
    const std::vector<TimeSpan> busy = query::unionOfUnsorted(std::move(spans));
    spans.clear();
    for (const CollectiveCall& call : calls) {
        spans.push_back(call.span);
    }
    const std::vector<TimeSpan> waits =
        parts::without(query::unionOfUnsorted(std::move(spans)), busy);
    std::vector<std::pair<TimeSpan, WorkKind>> parts;
    parts.reserve(busy.size());
    for (const TimeSpan span : busy) {
        parts.emplace_back(span, WorkKind::Compute);
    }
    for (const TimeSpan span : waits) {
        parts.emplace_back(span, WorkKind::Wait);
    }
    std::erase_if(parts, [](const auto& part) { return part.first.empty(); });
    std::ranges::sort(parts, {}, [](const auto& part) { return part.first.start; });
    WorkRuns runs;
    for (const auto& [span, kind] : parts) {
        if (runs.size() > 0 && span.start > runs.extent().end) {
            runs.append(runs.extent().end, WorkKind::Host, span.start - runs.extent().end);
        }
        runs.append(span.start, kind, span.duration());
    }
    return runs;
}

LaunchOrder takeWork(const std::vector<Operation>& work, RankRecord& record) {
    LaunchOrder order;
    TimeNs end = work.empty() ? 0 : work.front().span.end;
    for (const Operation& operation : work) {
        end = std::max(end, operation.span.end);
        record.work.starts.append(operation.span.start);
        order.launches.push_back(operation.span.start);
        order.ends.push_back(end);
    }
    record.work.runs = runsOf(work, record.collectives);
    return order;
}

std::string shortName(const trace::Trace& trace, NameId name) {
    return std::string(trace.text(name).substr(0, kMaxNameLength));
}

// The work between two collectives, by name; only the longest.
void takeNames(const trace::Trace& trace, const std::vector<Operation>& work, RankRecord& record) {
    std::vector<std::pair<TimeNs, std::size_t>> calls;
    for (std::size_t i = 0; i < record.collectives.size(); ++i) {
        calls.emplace_back(record.collectives[i].launched, i);
    }
    std::ranges::sort(calls);
    std::vector<std::map<NameId, KernelSum>> sums(calls.size() + 1);
    for (const Operation& operation : work) {
        const auto next = std::ranges::upper_bound(calls, operation.span.start, {},
                                                   [](const auto& call) { return call.first; });
        KernelSum& sum = sums[next == calls.end() ? calls.size() : next->second][operation.name];
        ++sum.count;
        sum.sumNs += operation.span.duration();
    }
    std::unordered_map<NameId, std::uint32_t> rows;
    for (const auto& part : sums) {
        std::vector<std::pair<NameId, KernelSum>> sorted(part.begin(), part.end());
        std::ranges::stable_sort(sorted, std::ranges::greater{},
                                 [](const auto& one) { return one.second.sumNs; });
        sorted.resize(std::min(sorted.size(), kMaxNamesBetween));
        std::vector<KernelSum>& kept = record.kernels.emplace_back();
        for (auto& [name, sum] : sorted) {
            const auto [row, added] =
                rows.try_emplace(name, static_cast<std::uint32_t>(record.names.size()));
            if (added) {
                record.names.push_back(shortName(trace, name));
            }
            sum.name = row->second;
            kept.push_back(sum);
        }
    }
}

void takeGaps(const trace::Trace& trace, const std::vector<Operation>& work, RankRecord& record) {
    record.work.runs.forEach([&](TimeSpan span, WorkKind kind) {
        if (kind == WorkKind::Host) {
            record.hostGaps.push_back({.span = span, .activity = {}, .kind = {}, .before = {}});
        }
    });
    std::ranges::stable_sort(record.hostGaps, std::ranges::greater{},
                             [](const HostGap& gap) { return gap.span.duration(); });
    record.hostGaps.resize(std::min(record.hostGaps.size(), kMaxHostGaps));
    std::ranges::sort(record.hostGaps, {}, [](const HostGap& gap) { return gap.span.start; });
    for (HostGap& gap : record.hostGaps) {
        const auto next = std::ranges::lower_bound(
            work, gap.span.end, {}, [](const Operation& one) { return one.span.start; });
        gap.before = next == work.end() ? std::string() : shortName(trace, next->name);
    }
}

// By what a GPU's time is divided: communication is what nothing was done beside.
analysis::Breakdown breakdownOf(const WorkTime& from) {
    analysis::Breakdown time;
    time.computeNs = from.computeNs;
    time.exposedCommNs = from.waitNs;
    time.idleNs = from.hostNs + from.deviceNs;
    return time;
}

std::string textOf(const Json& object, const char* key) {
    return object.contains(key) && object.at(key).is_string() ? object.at(key).get<std::string>()
                                                              : std::string();
}

// The group's name where the file has only one; nullopt where it has several.
std::optional<ProcessGroup> onlyGroup(const trace::RunInfo& info) {
    ProcessGroup group;
    for (const trace::RunField& field : info.fields) {
        if (field.key != "distributedInfo") {
            continue;
        }
        const auto told = json::parseJsonObject(field.json);
        if (!told || !told->contains("pg_config") || !told->at("pg_config").is_array()) {
            continue;
        }
        const Json& groups = told->at("pg_config");
        if (groups.size() > 1) {
            return std::nullopt;
        }
        if (!groups.empty() && groups.front().is_object()) {
            group.name = textOf(groups.front(), "pg_name");
        }
    }
    return group;
}

}  // namespace

bool hasGloo(const trace::Trace& trace) {
    for (NameId name = 0; name < trace.names().size(); ++name) {
        if (trace.text(name).starts_with(kRange)) {
            return true;
        }
    }
    return false;
}

Result<void> takeGloo(const trace::Trace& trace, const std::vector<analysis::Step>& steps,
                      RankRecord& record, const std::stop_token& stop) {
    const auto group = onlyGroup(trace.info());
    if (!group) {
        return fail(
            "has several gloo process groups, and gloo's collectives do not record which one they "
            "belong to");
    }
    record.groups.push_back(*group);
    const Slices slices = readSlices(trace);
    throwIfStopped(stop);
    if (auto taken = takeCollectives(trace, slices, record, stop); !taken) {
        return taken;
    }
    record.gpu = kNoGpu;
    const LaunchOrder order = takeWork(slices.work, record);
    record.gpuSpan = record.work.runs.extent();
    record.time = breakdownOf(record.work.runs.inside(record.gpuSpan));
    record.idle.hostNs = record.time.idleNs;
    record.busyNs = record.time.computeNs + record.time.exposedCommNs;
    for (const analysis::Step& step : steps) {
        RankStep& measured = record.steps.emplace_back();
        measured.number = step.number;
        measured.span = step.span;
        measured.time = breakdownOf(record.work.runs.inside(step.span));
    }
    takeNames(trace, slices.work, record);
    record.segments = divideWork(record, order);
    takeGaps(trace, slices.work, record);
    return {};
}

}  // namespace kinetoscope::ranks
