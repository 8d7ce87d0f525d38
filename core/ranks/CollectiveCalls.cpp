// SPDX-License-Identifier: Apache-2.0
#include "core/ranks/CollectiveCalls.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <ranges>
#include <tuple>
#include <utility>

#include "core/base/Threads.h"
#include "core/json/Json.h"
#include "core/text/Format.h"

namespace kinetoscope::ranks {

namespace {

using Json = nlohmann::json;

constexpr std::size_t kMaxMembers = 1U << 20;  // no job has more ranks

constexpr std::array<std::string_view, 11> kCollectiveKeys{"Collective name",
                                                           "dtype",
                                                           "In msg nelems",
                                                           "Out msg nelems",
                                                           "Seq",
                                                           "Src Rank",
                                                           "Dst Rank",
                                                           "Process Group Name",
                                                           "Group size",
                                                           "Process Group Description",
                                                           "Process Group Ranks"};

struct ElementType {
    std::string_view name;  ///< in lower case
    std::uint64_t bytes;
};

// PyTorch's and C's names of element types.
constexpr std::array kTypes{
    ElementType{"float", 4},      ElementType{"float32", 4},       ElementType{"double", 8},
    ElementType{"float64", 8},    ElementType{"half", 2},          ElementType{"float16", 2},
    ElementType{"bfloat16", 2},   ElementType{"int", 4},           ElementType{"int32", 4},
    ElementType{"long", 8},       ElementType{"int64", 8},         ElementType{"short", 2},
    ElementType{"int16", 2},      ElementType{"char", 1},          ElementType{"int8", 1},
    ElementType{"byte", 1},       ElementType{"uint8", 1},         ElementType{"bool", 1},
    ElementType{"long int", 8},   ElementType{"unsigned char", 1}, ElementType{"signed char", 1},
    ElementType{"c10::half", 2},  ElementType{"c10::bfloat16", 2}, ElementType{"float8_e4m3fn", 1},
    ElementType{"float8_e5m2", 1}};

std::uint64_t bytesOf(std::string_view type) {
    const std::string lower = text::lowered(type);
    const auto* known = std::ranges::find(kTypes, std::string_view(lower), &ElementType::name);
    return known == kTypes.end() ? 0 : known->bytes;
}

// Some versions write numbers as texts.
std::optional<std::int64_t> integer(const Json& args, const char* key) {
    const auto at = args.find(key);
    if (at == args.end()) {
        return std::nullopt;
    }
    if (at->is_number_integer()) {
        return at->get<std::int64_t>();
    }
    if (at->is_string()) {
        const auto number = json::parseJson(at->get_ref<const std::string&>());
        if (number && number->is_number_integer()) {
            return number->get<std::int64_t>();
        }
    }
    return std::nullopt;
}

std::string string(const Json& args, const char* key) {
    const auto at = args.find(key);
    return at != args.end() && at->is_string() ? at->get<std::string>() : std::string();
}

// "[0, 1]", or an array; a list that the profiler has shortened ("[0, 1, ...]") is unknown.
std::vector<std::int64_t> members(const Json& args) {
    const auto at = args.find("Process Group Ranks");
    if (at == args.end()) {
        return {};
    }
    Json list = *at;
    if (list.is_string()) {
        auto parsed = json::parseJson(list.get_ref<const std::string&>());
        if (!parsed) {
            return {};
        }
        list = std::move(*parsed);
    }
    std::vector<std::int64_t> ranks;
    if (!list.is_array() || list.size() > kMaxMembers) {
        return {};
    }
    for (const Json& rank : list) {
        if (!rank.is_number_integer()) {
            return {};
        }
        ranks.push_back(rank.get<std::int64_t>());
    }
    std::ranges::sort(ranks);
    return ranks;
}

bool isPointToPoint(std::string_view kind) {
    return kind.starts_with("send") || kind.starts_with("recv");
}

ProcessGroup groupOf(const Json& args) {
    return {.name = string(args, "Process Group Name"),
            .description = string(args, "Process Group Description"),
            .members = members(args),
            .size = integer(args, "Group size").value_or(-1)};
}

void takeArguments(const Json& args, CollectiveCall& call) {
    if (const std::string kind = string(args, "Collective name"); !kind.empty()) {
        call.kind = text::lowered(kind);
    }
    call.type = string(args, "dtype");
    call.inElements = integer(args, "In msg nelems").value_or(-1);
    call.outElements = integer(args, "Out msg nelems").value_or(-1);
    call.sequence = integer(args, "Seq");
    call.pointToPoint = isPointToPoint(call.kind);
    const auto from = integer(args, "Src Rank");
    const auto to = integer(args, "Dst Rank");
    call.peer = call.kind.starts_with("send") ? to.value_or(-1) : from.value_or(-1);
    call.bytes = bytesMoved(call);
}

// Those that were launched before the recording began count as launched before what follows them on
// their stream. `calls` are by start.
void orderUnlaunched(std::vector<CollectiveCall>& calls) {
    std::map<std::int64_t, TimeNs> next;  // by stream
    for (CollectiveCall& call : calls | std::views::reverse) {
        const auto [behind, added] = next.try_emplace(call.stream, call.launched);
        if (!added && call.launched == call.span.start) {
            call.launched = std::min(call.launched, behind->second);
        }
        behind->second = call.launched;
    }
}

// Each group once.
class Groups {
public:
    std::uint32_t row(ProcessGroup group) {
        const auto [at, added] = m_rows.try_emplace(
            std::tuple(group.name, group.members, group.isUnknown() ? group.size : -1),
            static_cast<std::uint32_t>(m_groups.size()));
        if (added) {
            m_groups.push_back(std::move(group));
        }
        return at->second;
    }
    [[nodiscard]] std::vector<ProcessGroup> take() { return std::move(m_groups); }

private:
    std::map<std::tuple<std::string, std::vector<std::int64_t>, std::int64_t>, std::uint32_t>
        m_rows;
    std::vector<ProcessGroup> m_groups;
};

}  // namespace

nlohmann::json parsedArguments(std::span<const std::string_view> keys,
                               std::span<const std::string_view> values) {
    nlohmann::json args = nlohmann::json::object();
    for (std::size_t i = 0; i < keys.size(); ++i) {
        if (auto value = json::parseJson(values[i]); value && !values[i].empty()) {
            args[std::string(keys[i])] = std::move(*value);
        }
    }
    return args;
}

// nccl-tests counts the larger of what a rank gives and what it gets: of an all-gather the output,
// of a reduce-scatter the input.
std::uint64_t bytesMoved(const CollectiveCall& call) {
    const std::int64_t elements = std::max(call.inElements, call.outElements);
    const std::uint64_t size = bytesOf(call.type);
    if (elements <= 0 || size == 0 || std::cmp_greater(elements, (1ULL << 60U) / size)) {
        return 0;
    }
    return static_cast<std::uint64_t>(elements) * size;
}

std::string collectiveKind(std::string_view kernelName) {
    static constexpr std::array kPrefixes{
        std::string_view("ncclDevKernel_"), std::string_view("ncclKernel_"),
        std::string_view("ncclSymDevKernel_"), std::string_view("ncclSymkDevKernel_")};
    for (const std::string_view prefix : kPrefixes) {
        if (kernelName.starts_with(prefix)) {
            kernelName.remove_prefix(prefix.size());
            return text::lowered(kernelName.substr(0, kernelName.find_first_of("_( <")));
        }
    }
    return std::string(kernelName);
}

Result<RankCollectives> readCollectives(const trace::Trace& trace,
                                        const std::vector<query::OperationTime>& kernels,
                                        const query::LaunchLinks& links,
                                        const std::stop_token& stop) {
    std::vector<CollectiveCall> calls;
    Groups groups;
    std::vector<std::optional<std::uint32_t>> groupOfCall(kernels.size());
    std::vector<std::pair<std::uint64_t, std::size_t>> places;  // by offset, as they are read
    calls.reserve(kernels.size());
    for (const query::OperationTime& time : kernels) {
        const trace::GpuOperation& operation = trace.gpuOperations()[time.operation];
        const trace::SliceId api = links.apiCall(time.operation);
        CollectiveCall call;
        call.span = time.span;
        call.launched = api == trace::kNoSlice ? time.span.start : trace.start(api);
        call.stream = operation.stream;
        call.kind = collectiveKind(trace.name(operation.slice));
        call.pointToPoint = isPointToPoint(call.kind);
        if (operation.collective) {
            places.emplace_back(trace.offset(operation.slice), calls.size());
        }
        calls.push_back(std::move(call));
    }
    if (trace.eventText() != nullptr && !places.empty()) {
        std::ranges::sort(places);
        std::vector<std::uint64_t> offsets;
        offsets.reserve(places.size());
        for (const auto& place : places) {
            offsets.push_back(place.first);
        }
        const auto read = trace.eventText()->arguments(
            offsets, kCollectiveKeys,
            [&](std::size_t index, std::span<const std::string_view> values) {
                throwIfStopped(stop);
                const Json args = parsedArguments(kCollectiveKeys, values);
                takeArguments(args, calls[places[index].second]);
                groupOfCall[places[index].second] = groups.row(groupOf(args));
            });
        if (!read) {
            return tl::unexpected(read.error());
        }
    }
    orderUnlaunched(calls);
    for (std::size_t i = 0; i < calls.size(); ++i) {
        calls[i].group = groupOfCall[i] ? *groupOfCall[i] : groups.row({});
    }
    return RankCollectives{std::move(calls), groups.take()};
}

}  // namespace kinetoscope::ranks
