// SPDX-License-Identifier: Apache-2.0
#include "core/capture/counters/CounterRequest.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

namespace kinetoscope::capture::counters {

namespace {

constexpr TimeNs kMinInterval = 5'000;
constexpr TimeNs kMaxInterval = 100'000'000;
constexpr TimeNs kDefaultInterval = 20'000;
constexpr TimeNs kIntervalOfMultiprocessors = 100'000;

// What NVIDIA calls a share of what the unit can do at most.
constexpr std::string_view kSmActive = "sm__cycles_active.avg.pct_of_peak_sustained_elapsed";
constexpr std::string_view kIssued = "sm__inst_executed_realtime.avg.pct_of_peak_sustained_elapsed";
constexpr std::string_view kWarps = "sm__warps_active_realtime.avg.pct_of_peak_sustained_elapsed";
constexpr std::string_view kTensor =
    "sm__pipe_tensor_cycles_active_realtime.avg.pct_of_peak_sustained_elapsed";
constexpr std::string_view kTensorExact =
    "sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_elapsed";

bool inMultiprocessors(const MetricGroup& group) {
    return group.word == "sm" || group.word == "tensor";
}

std::optional<TimeNs> interval(std::string_view text) {
    std::int64_t value = 0;
    const auto end = std::from_chars(text.data(), text.data() + text.size(), value);
    const std::string_view unit = text.substr(static_cast<std::size_t>(end.ptr - text.data()));
    const TimeNs factor = unit == "us" || unit.empty() ? 1000 : unit == "ms" ? 1'000'000 : 0;
    if (end.ec != std::errc() || factor == 0 || value <= 0 || value > kMaxInterval / factor ||
        value * factor < kMinInterval) {
        return std::nullopt;
    }
    return value * factor;
}

std::vector<std::string_view> words() {
    std::vector<std::string_view> result;
    for (const MetricGroup& group : metricGroups()) {
        result.push_back(group.word);
    }
    return result;
}

}  // namespace

std::span<const MetricGroup> metricGroups() {
    static const std::array<MetricGroup, 5> groups{{
        {"dram",
         {{"DRAM bandwidth (GB/s)", "read", Scale::BytesPerTime, {"dram__bytes_read.sum"}},
          {"DRAM bandwidth (GB/s)", "write", Scale::BytesPerTime, {"dram__bytes_write.sum"}}}},
        {"sm",
         {{"SM (%)", "active", Scale::AsIs, {kSmActive}},
          {"SM (%)", "instructions issued", Scale::AsIs, {kIssued}},
          {"SM (%)", "warps active", Scale::AsIs, {kWarps}}}},
        {"tensor", {{"Tensor cores (%)", "active", Scale::AsIs, {kTensor, kTensorExact}}}},
        {"nvlink",
         {{"NVLink (GB/s)", "sent", Scale::BytesPerTime, {"nvltx__bytes.sum"}},
          {"NVLink (GB/s)", "received", Scale::BytesPerTime, {"nvlrx__bytes.sum"}}}},
        {"pcie",
         {{"PCIe (GB/s)", "read by the GPU", Scale::BytesPerTime, {"pcie__read_bytes.sum"}},
          {"PCIe (GB/s)", "written by the GPU", Scale::BytesPerTime, {"pcie__write_bytes.sum"}}}},
    }};
    return groups;
}

Result<CounterRequest> parseCounterRequest(std::string_view text) {
    CounterRequest request;
    if (const std::size_t colon = text.find(':'); colon != std::string_view::npos) {
        const auto value = interval(text.substr(colon + 1));
        if (!value) {
            return fail(fmt::format("--counters '{}': '{}' is not a time from 5us to 100ms", text,
                                    text.substr(colon + 1)));
        }
        request.interval = *value;
        text = text.substr(0, colon);
    }
    while (true) {
        const std::string_view word = text.substr(0, text.find(','));
        const auto group = std::ranges::find(metricGroups(), word, &MetricGroup::word);
        if (group == metricGroups().end()) {
            return fail(
                fmt::format("--counters: '{}' is not one of {}", word, fmt::join(words(), ", ")));
        }
        if (std::ranges::find(request.groups, &*group) == request.groups.end()) {
            request.groups.push_back(&*group);
        }
        if (word.size() == text.size()) {
            break;
        }
        text.remove_prefix(word.size() + 1);
    }
    if (request.interval == 0) {
        const bool many = std::ranges::any_of(
            request.groups, [](const MetricGroup* group) { return inMultiprocessors(*group); });
        request.interval = many ? kIntervalOfMultiprocessors : kDefaultInterval;
    }
    return request;
}

}  // namespace kinetoscope::capture::counters
