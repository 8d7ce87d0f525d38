// SPDX-License-Identifier: Apache-2.0
#include "core/query/CallContext.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <tuple>

#include "core/query/LaunchIds.h"
#include "core/query/SlicesInView.h"

namespace kinetoscope::query {

namespace {

constexpr std::size_t kMaxParents = 256;
/// More slices inside take longer than a click may.
constexpr std::size_t kMaxInside = 200'000;

trace::SliceId callOf(const trace::Trace& trace, trace::SliceId operation,
                      std::span<const FlowArrow> arrows) {
    trace::SliceId call = trace::kNoSlice;
    for (const FlowArrow& arrow : arrows) {
        const bool launches = arrow.kind == FlowKind::Launch && arrow.to == operation;
        if (launches &&
            (call == trace::kNoSlice || trace.start(arrow.from) <= trace.start(operation))) {
            call = arrow.from;
        }
    }
    return call;
}

trace::SliceId operatorOfId(const trace::Trace& trace, trace::SliceId operation) {
    const std::int64_t id = trace.externalId(operation);
    if (id == trace::kNoId || LaunchIds(trace).areExternal(operation)) {
        return trace::kNoSlice;
    }
    for (trace::SliceId slice = 0; slice < trace.sliceCount(); ++slice) {
        if (trace.category(slice) == trace::Category::CpuOp && trace.externalId(slice) == id &&
            sourceOf(trace, slice) == sourceOf(trace, operation)) {
            return slice;
        }
    }
    return trace::kNoSlice;
}

bool isBackwardFlow(const trace::FlowPoint& flow, char phase) {
    return flow.phase == phase && trace::categoryKind(flow.category) == trace::Category::FwdBwd;
}

/// The forward operator of the innermost of the slices that is a backward one.
trace::SliceId forwardOf(LaneIndex& index, std::span<const trace::SliceId> chain) {
    const trace::Trace& trace = index.trace();
    const auto isOperator = [&](trace::SliceId slice) {
        return trace.category(slice) == trace::Category::CpuOp;
    };
    const auto outermost = std::find_if(chain.rbegin(), chain.rend(), isOperator);
    if (outermost == chain.rend()) {
        return trace::kNoSlice;
    }
    // An operator's flow comes when it begins, so before what it launches.
    const TimeSpan span{trace.start(*outermost), trace.start(chain.front())};
    const trace::FlowPoint* best = nullptr;
    auto bestPlace = chain.end();
    for (const trace::FlowPoint& flow : trace.flows()) {
        if (isBackwardFlow(flow, 'f') && flow.track == trace.trackOf(*outermost) &&
            span.start <= flow.time && flow.time <= span.end) {
            const auto at = innermostAt(index, flow.track, flow.time);
            const auto place = at ? std::ranges::find(chain, *at) : chain.end();
            if (place < bestPlace) {
                best = &flow;
                bestPlace = place;
            }
        }
    }
    if (best == nullptr) {
        return trace::kNoSlice;
    }
    const auto source = sourceOfTrack(trace, best->track);
    for (const trace::FlowPoint& flow : trace.flows()) {
        if (isBackwardFlow(flow, 's') && flow.id == best->id && flow.name == best->name &&
            sourceOfTrack(trace, flow.track) == source) {
            return innermostAt(index, flow.track, flow.time).value_or(trace::kNoSlice);
        }
    }
    return trace::kNoSlice;
}

template <class IsWanted>
trace::SliceId firstPython(const trace::Trace& trace, std::span<const trace::SliceId> chain,
                           IsWanted isWanted) {
    const auto found = std::ranges::find_if(chain, [&](trace::SliceId slice) {
        return trace.category(slice) == trace::Category::PythonFunction &&
               isWanted(trace.name(slice));
    });
    return found == chain.end() ? trace::kNoSlice : *found;
}

void findPython(const trace::Trace& trace, std::span<const trace::SliceId> chain,
                CallContext& context) {
    if (context.module == trace::kNoSlice) {
        context.module = firstPython(
            trace, chain, [](std::string_view name) { return name.starts_with("nn.Module: "); });
    }
    if (context.python == trace::kNoSlice) {
        context.python = firstPython(trace, chain, isProgramLine);
    }
    if (context.python == trace::kNoSlice) {
        context.python = firstPython(trace, chain, isPythonLine);
    }
}

}  // namespace

bool isPythonLine(std::string_view name) {
    const auto open = name.find(".py(");
    return open != std::string_view::npos && open > 0 &&
           name.find("): ", open) != std::string_view::npos;
}

bool isProgramLine(std::string_view name) {
    static constexpr std::array<std::string_view, 6> kPackages{
        "site-packages/", "dist-packages/", "/torch/", "lib/python", "importlib", "<frozen"};
    static constexpr std::array<std::string_view, 9> kModules{
        "torch/",   "threading.py(", "contextlib.py(", "functools.py(", "runpy.py(",
        "enum.py(", "inspect.py(",   "warnings.py(",   "collections/"};
    return isPythonLine(name) &&
           std::ranges::none_of(
               kPackages,
               [&](std::string_view part) { return name.find(part) != std::string_view::npos; }) &&
           std::ranges::none_of(kModules,
                                [&](std::string_view part) { return name.starts_with(part); });
}

std::vector<trace::SliceId> enclosingSlices(LaneIndex& index, trace::SliceId slice,
                                            std::size_t most) {
    std::vector<trace::SliceId> found;
    for (auto outer = enclosing(index, slice); outer && found.size() < most;
         outer = enclosing(index, *outer)) {
        found.push_back(*outer);
    }
    return found;
}

CallContext callContext(LaneIndex& index, trace::SliceId operation,
                        std::span<const FlowArrow> arrows) {
    const trace::Trace& trace = index.trace();
    CallContext context;
    context.call = callOf(trace, operation, arrows);
    std::vector<trace::SliceId> chain;
    if (context.call != trace::kNoSlice) {
        chain = enclosingSlices(index, context.call, kMaxParents);
    } else if (const trace::SliceId one = operatorOfId(trace, operation); one != trace::kNoSlice) {
        chain = enclosingSlices(index, one, kMaxParents);
        chain.insert(chain.begin(), one);
    }
    const auto launcher = std::ranges::find_if(chain, [&](trace::SliceId slice) {
        return trace.category(slice) == trace::Category::CpuOp;
    });
    context.launcher = launcher == chain.end() ? trace::kNoSlice : *launcher;
    context.forward = forwardOf(index, chain);
    findPython(trace, chain, context);
    if (context.forward != trace::kNoSlice) {
        findPython(trace, enclosingSlices(index, context.forward, kMaxParents), context);
    }
    context.parents = std::move(chain);
    return context;
}

GpuWork gpuWorkInside(LaneIndex& index, trace::SliceId slice, std::size_t most) {
    const trace::Trace& trace = index.trace();
    const LaunchIds ids(trace);
    const LanePlace place = index.placeOf(slice);
    const TimeSpan span = trace.span(slice);
    const auto startOf = [&](trace::SliceId id) { return trace.start(id); };
    GpuWork work;
    std::vector<std::int64_t> launched;
    std::size_t seen = 0;
    for (std::size_t below = place.lane + 1U; below < index.laneCount(place.track); ++below) {
        const auto slices = index.lane(place.track, below).slices;
        auto at = std::ranges::lower_bound(slices, span.start, {}, startOf);
        for (; at != slices.end() && trace.start(*at) < span.end; ++at) {
            if (++seen > kMaxInside) {
                work.isTooMuch = true;
                return work;
            }
            if (trace::isApiCall(trace.category(*at)) && trace.end(*at) <= span.end &&
                ids.of(*at) != trace::kNoId) {
                launched.push_back(ids.of(*at));
            }
        }
    }
    std::ranges::sort(launched);
    for (const trace::GpuOperation& operation : trace.gpuOperations()) {
        if (!launched.empty() && std::ranges::binary_search(launched, ids.of(operation.slice)) &&
            sourceOf(trace, operation.slice) == sourceOf(trace, slice)) {
            ++work.count;
            work.total = addTime(work.total, trace.duration(operation.slice));
            work.longest.push_back(operation.slice);
        }
    }
    const auto byLength = [&](trace::SliceId id) { return std::tuple(-trace.duration(id), id); };
    const std::size_t listed = std::min(most, work.longest.size());
    std::ranges::partial_sort(
        work.longest, work.longest.begin() + static_cast<std::ptrdiff_t>(listed), {}, byLength);
    work.longest.resize(listed);
    return work;
}

}  // namespace kinetoscope::query
