// SPDX-License-Identifier: Apache-2.0
#include "core/import/execution/JoinedTrace.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <charconv>
#include <utility>
#include <vector>

#include "core/import/event/JsonCursor.h"
#include "core/trace/TraceBuilder.h"

namespace kinetoscope::import::execution {

namespace {

constexpr std::string_view kId = "Record function id";
constexpr std::array<std::pair<std::string_view, std::string Inputs::*>, 4> kInputs{
    {{"Input Dims", &Inputs::dims},
     {"Input type", &Inputs::types},
     {"Concrete Inputs", &Inputs::values},
     {"Input Strides", &Inputs::strides}}};

std::string Inputs::*inputOf(std::string_view key) {
    const auto* const found =
        std::ranges::find(kInputs, key, [](const auto& input) { return input.first; });
    return found == kInputs.end() ? nullptr : found->second;
}

std::int64_t numberOf(std::string_view json) {
    std::int64_t number = 0;
    json = trace::unquoted(json);
    (void)std::from_chars(json.data(), json.data() + json.size(), number);
    return number;
}

class JoinedText final : public trace::EventText {
public:
    JoinedText(std::shared_ptr<const trace::Trace> trace,
               std::shared_ptr<const ExecutionTrace> execution)
        : m_trace(std::move(trace)), m_execution(std::move(execution)) {}

    [[nodiscard]] Result<std::string> event(std::uint64_t offset) const override {
        return base().event(offset).map([&](const std::string& json) { return withInputs(json); });
    }
    [[nodiscard]] Result<void> events(std::span<const std::uint64_t> offsets,
                                      const Take& take) const override {
        return base().events(offsets, [&](std::size_t index, const std::string& json) {
            take(index, withInputs(json));
        });
    }
    [[nodiscard]] Result<void> argument(std::span<const std::uint64_t> offsets,
                                        std::string_view key,
                                        const TakeValue& take) const override {
        return arguments(offsets, {&key, 1},
                         [&](std::size_t index, auto values) { take(index, values.front()); });
    }
    [[nodiscard]] Result<void> arguments(std::span<const std::uint64_t> offsets,
                                         std::span<const std::string_view> keys,
                                         const TakeValues& take) const override {
        if (std::ranges::none_of(keys, [](auto key) { return inputOf(key) != nullptr; })) {
            return base().arguments(offsets, keys, take);
        }
        std::vector<std::string_view> requested(keys.begin(), keys.end());
        requested.push_back(kId);
        return base().arguments(
            offsets, requested, [&](std::size_t index, std::span<const std::string_view> found) {
                std::vector<std::string_view> values(found.begin(), found.end() - 1);
                if (const auto inputs = m_execution->inputs(numberOf(found.back()))) {
                    for (std::size_t i = 0; i < keys.size(); ++i) {
                        if (const auto input = inputOf(keys[i]);
                            input != nullptr && values[i].empty()) {
                            values[i] = (*inputs).*input;
                        }
                    }
                }
                take(index, values);
            });
    }
    [[nodiscard]] Result<void> forEach(const TakeEvent& take, const std::stop_token& stop,
                                       Progress* progress) const override {
        return base().forEach(
            [&](const trace::ListedEvent& event) {
                trace::ListedEvent copy = event;
                const std::string json = withInputs(event.json);
                copy.json = json;
                return take(copy);
            },
            stop, progress);
    }
    [[nodiscard]] bool startsAnywhere() const override { return base().startsAnywhere(); }

private:
    [[nodiscard]] const trace::EventText& base() const { return *m_trace->eventText(); }

    // Missing arguments come first.
    [[nodiscard]] std::string withInputs(std::string_view json) const {
        if (json.find(kId) == std::string_view::npos) {
            return std::string(json);
        }
        std::string text(json);
        text.append(scan::kTextPadding, '\0');
        const scan::JsonText whole{text.data(), static_cast<std::uint32_t>(json.size()),
                                   scan::JsonKind::Object};
        std::size_t place = 0;
        std::int64_t id = 0;
        std::array<bool, kInputs.size()> has{};
        event::visitMembers(whole, [&](std::string_view key, const scan::JsonText& value) {
            if (key != "args" || value.kind != scan::JsonKind::Object) {
                return;
            }
            place = static_cast<std::size_t>(value.data - text.data()) + 1;
            event::visitMembers(value, [&](std::string_view name, const scan::JsonText& argument) {
                id = name == kId ? event::integerOr(argument, 0) : id;
                for (std::size_t i = 0; i < kInputs.size(); ++i) {
                    has[i] = has[i] || name == kInputs[i].first;
                }
            });
        });
        text.resize(json.size());
        const auto inputs = place == 0 ? nullptr : m_execution->inputs(id);
        if (inputs == nullptr) {
            return text;
        }
        std::string added;
        for (std::size_t i = 0; i < kInputs.size(); ++i) {
            if (!has[i]) {
                added +=
                    fmt::format("\"{}\": {}, ", kInputs[i].first, (*inputs).*kInputs[i].second);
            }
        }
        return text.insert(place, added);
    }

    std::shared_ptr<const trace::Trace> m_trace;
    std::shared_ptr<const ExecutionTrace> m_execution;
};

}  // namespace

Result<std::shared_ptr<const trace::Trace>> joined(
    const std::shared_ptr<const trace::Trace>& trace,
    std::shared_ptr<const ExecutionTrace> execution) {
    const std::string path = trace->info().path;
    if (trace->eventText() == nullptr) {
        return fail(
            fmt::format("'{}': its events have no text that inputs could be added to", path));
    }
    std::vector<std::uint64_t> offsets;
    for (trace::SliceId slice = 0; slice < trace->sliceCount(); ++slice) {
        if (trace->category(slice) == trace::Category::CpuOp) {
            offsets.push_back(trace->offset(slice));
        }
    }
    std::ranges::sort(offsets);
    std::atomic<bool> found = false;
    const auto read =
        trace->eventText()->argument(offsets, kId, [&](std::size_t, std::string_view json) {
            if (!found && execution->inputs(numberOf(json)) != nullptr) {
                found = true;
            }
        });
    if (!read) {
        return tl::unexpected(read.error());
    }
    if (!found) {
        return fail(fmt::format(
            "'{}': has no operator in common with the execution trace (by \"Record function id\"); "
            "record both in one run: torch.profiler.profile(execution_trace_observer=…)",
            path));
    }
    return trace::TraceBuilder::withEventText(
        *trace, std::make_shared<JoinedText>(trace, std::move(execution)));
}

}  // namespace kinetoscope::import::execution
