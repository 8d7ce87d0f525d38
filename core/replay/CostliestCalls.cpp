// SPDX-License-Identifier: Apache-2.0
#include "core/replay/CostliestCalls.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <queue>
#include <span>
#include <unordered_map>

#include "core/analysis/OperatorShapes.h"
#include "core/base/Threads.h"
#include "core/query/Intervals.h"
#include "core/query/LaunchLinks.h"
#include "core/replay/CallInputs.h"

namespace kinetoscope::replay {

namespace {

constexpr char kSeparator = '\x1f';  // no argument has it unescaped
constexpr std::size_t kMaxLeftOut = 100;

/// Groups calls and turns the costliest groups into inputs.
class Finder {
public:
    Finder(const trace::Trace& trace, const CostliestOptions& options)
        : m_trace(trace),
          m_options(options),
          m_links(trace),
          m_launches(launchesOf(trace, m_links, options.name)),
          m_inputs(trace, InnerLaunches(trace, m_links), m_launches, m_calls, options.stop) {}

    [[nodiscard]] Result<CostliestCalls> find() {
        if (m_launches.empty()) {
            return fail(m_options.name.empty()
                            ? "the trace has no GPU work"
                            : fmt::format("no {} in the trace launches GPU work", m_options.name));
        }
        makeCalls();
        if (const auto grouped = makeGroups(); !grouped) {
            return tl::unexpected(grouped.error());
        }
        std::ranges::stable_sort(m_groups, std::ranges::greater(), &Group::totalNs);
        CostliestCalls found = take();
        if (found.operators.empty() && found.origin.leftOut.empty()) {
            return fail(fmt::format("no {} of the shapes {} in the trace launches GPU work",
                                    m_options.name, m_options.shapes));
        }
        describe(found.origin);
        return found;
    }

private:
    [[nodiscard]] trace::SliceId sliceOf(std::size_t launch) const {
        return m_trace.gpuOperations()[m_launches[launch].operation].slice;
    }

    // What nothing is known of is a call of its own.
    void makeCalls() {
        for (std::size_t i = 0; i < m_launches.size();) {
            throwIfStopped(m_options.stop);
            Call call{m_launches[i].graph ? trace::kNoSlice : m_launches[i].owner, i, i + 1, 0};
            query::UnionLength busy;
            busy.add(m_trace.span(sliceOf(i)));
            while (call.owner != trace::kNoSlice && call.end < m_launches.size() &&
                   m_launches[call.end].owner == call.owner && !m_launches[call.end].graph) {
                busy.add(m_trace.span(sliceOf(call.end++)));
            }
            call.timeNs = busy.total();
            i = call.end;
            m_calls.push_back(call);
        }
    }

    [[nodiscard]] NameId nameOf(const Call& call) const {
        return m_trace.nameId(call.owner == trace::kNoSlice ? sliceOf(call.begin) : call.owner);
    }

    // Arguments are read of the costliest names only: as many as could be among the first.
    [[nodiscard]] Result<void> makeGroups() {
        struct Named {
            std::vector<std::size_t> calls;
            TimeNs totalNs = 0;
        };
        std::map<std::pair<NameId, int>, Named> byName;
        for (std::size_t i = 0; i < m_calls.size(); ++i) {
            const bool graph = m_launches[m_calls[i].begin].graph;
            const int kind = m_calls[i].owner != trace::kNoSlice ? 0 : graph ? 2 : 1;
            Named& named = byName[{nameOf(m_calls[i]), kind}];
            named.calls.push_back(i);
            named.totalNs = addTime(named.totalNs, m_calls[i].timeNs);
        }
        std::vector<std::pair<const std::pair<NameId, int>, Named>*> order;
        order.reserve(byName.size());
        for (auto& entry : byName) {
            order.push_back(&entry);
        }
        std::ranges::stable_sort(order, std::ranges::greater(),
                                 [](const auto* entry) { return entry->second.totalNs; });
        for (auto* entry : order) {
            if (entry->second.totalNs < leastOfTop()) {
                break;
            }
            const auto [name, kind] = entry->first;
            const std::string_view text = m_trace.text(name);
            std::string reason = reasonFor(text, kind == 0, kind == 2);
            if (!reason.empty()) {
                m_groups.push_back({std::string(text),
                                    std::move(reason),
                                    {},
                                    std::move(entry->second.calls),
                                    entry->second.totalNs,
                                    {}});
                continue;
            }
            const std::size_t before = m_groups.size();
            if (auto read = readGroups(text, entry->second.calls); !read) {
                return read;
            }
            for (Group& group : std::span(m_groups).subspan(before)) {
                make(group);
            }
        }
        return {};
    }

    void make(Group& group) {
        auto made = m_inputs.of(group);
        if (!made) {
            group.reason = made.error().message;
            return;
        }
        group.made = std::move(*made);
        m_topTimes.push(group.totalNs);
        if (m_topTimes.size() > m_options.top) {
            m_topTimes.pop();
        }
    }

    // The time that a group needs to be among the first.
    [[nodiscard]] TimeNs leastOfTop() const {
        return m_topTimes.empty() || m_topTimes.size() < m_options.top ? 0 : m_topTimes.top();
    }

    [[nodiscard]] Result<void> readGroups(std::string_view name, std::vector<std::size_t>& calls) {
        const trace::EventText* text = m_trace.eventText();
        std::ranges::sort(calls, {},
                          [&](std::size_t i) { return m_trace.offset(m_calls[i].owner); });
        std::vector<std::uint64_t> offsets(calls.size());
        std::ranges::transform(calls, offsets.begin(),
                               [&](std::size_t i) { return m_trace.offset(m_calls[i].owner); });
        std::unordered_map<std::string, std::size_t> places;
        const auto take = [&](std::size_t i, std::span<const std::string_view> values) {
            throwIfStopped(m_options.stop);
            std::string key;
            for (const std::string_view value : values) {
                key += value;
                key += kSeparator;
            }
            const auto [place, isNew] = places.try_emplace(std::move(key), m_groups.size());
            if (isNew) {
                Group& group = m_groups.emplace_back();
                group.name = name;
                std::ranges::copy(values, group.texts.begin());
            }
            Group& group = m_groups[place->second];
            group.calls.push_back(calls[i]);
            group.totalNs = addTime(group.totalNs, m_calls[calls[i]].timeNs);
        };
        if (text == nullptr) {
            const std::vector<std::string_view> none(model::kCallKeys.size());
            for (std::size_t i = 0; i < calls.size(); ++i) {
                take(i, none);
            }
            return {};
        }
        return text->arguments(offsets, model::kCallKeys, take);
    }

    [[nodiscard]] CostliestCalls take() {
        CostliestCalls found;
        for (Group& group : m_groups) {
            if (found.operators.size() == m_options.top) {
                break;
            }
            const std::string shapes = group.texts[CallInputs::kDims].empty()
                                           ? std::string()
                                           : analysis::inputShapes(group.texts[CallInputs::kDims]);
            if (!m_options.shapes.empty() && shapes != m_options.shapes) {
                continue;
            }
            if (group.made) {
                found.operators.push_back(std::move(*group.made));
            } else if (found.origin.leftOut.size() < kMaxLeftOut) {
                found.origin.leftOut.push_back({group.name, shapes,
                                                static_cast<std::int64_t>(group.calls.size()),
                                                static_cast<double>(group.totalNs), group.reason});
            }
        }
        return found;
    }

    void describe(bench::results::TraceOrigin& origin) const {
        origin.path = m_trace.info().path;
        const auto& first = m_trace.gpuOperations()[m_launches.front().operation];
        if (const trace::DeviceProperties* device = m_trace.info().device(first.gpu)) {
            origin.device = device->name;
        }
        for (const Call& call : m_calls) {
            origin.totalNs += static_cast<double>(call.timeNs);
        }
    }

    const trace::Trace& m_trace;
    const CostliestOptions& m_options;
    query::LaunchLinks m_links;
    std::vector<Launch> m_launches;
    std::vector<Call> m_calls;
    CallInputs m_inputs;
    std::vector<Group> m_groups;
    /// Of the groups that can be measured, those of the most time: the least of them at the top.
    std::priority_queue<TimeNs, std::vector<TimeNs>, std::greater<>> m_topTimes;
};

// The operator that an event is, or that launched it.
trace::SliceId operatorAt(const trace::Trace& trace, std::uint64_t offset) {
    for (trace::SliceId slice = 0; slice < trace.sliceCount(); ++slice) {
        if (trace.offset(slice) == offset && trace.category(slice) == trace::Category::CpuOp) {
            return slice;
        }
    }
    for (trace::GpuOpId id = 0; id < trace.gpuOperations().size(); ++id) {
        if (trace.offset(trace.gpuOperations()[id].slice) == offset) {
            return query::LaunchLinks(trace).launchingOperator(id);
        }
    }
    return trace::kNoSlice;
}

// Name and shapes of the event that was chosen, where one was.
Result<CostliestOptions> chosen(const trace::Trace& trace, const CostliestOptions& options) {
    CostliestOptions made = options;
    if (!options.event) {
        return made;
    }
    const trace::SliceId slice = operatorAt(trace, *options.event);
    if (slice == trace::kNoSlice) {
        return fail(fmt::format("the event at byte {} is not an operator", *options.event));
    }
    made.name = trace.name(slice);
    if (const trace::EventText* text = trace.eventText()) {
        const std::uint64_t offset = trace.offset(slice);
        const auto read = text->argument(
            std::span(&offset, 1), "Input Dims", [&](std::size_t, std::string_view json) {
                made.shapes = json.empty() ? "" : analysis::inputShapes(json);
            });
        if (!read) {
            return tl::unexpected(read.error());
        }
    }
    return made;
}

}  // namespace

Result<CostliestCalls> costliestCalls(const trace::Trace& trace, const CostliestOptions& options) {
    return guarded([&]() -> Result<CostliestCalls> {
        const auto all = chosen(trace, options);
        return all ? Finder(trace, *all).find() : tl::unexpected(all.error());
    });
}

}  // namespace kinetoscope::replay
