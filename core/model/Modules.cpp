// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <tuple>
#include <unordered_map>

#include "core/model/LaunchedCalls.h"
#include "core/query/InnermostEnclosing.h"

namespace kinetoscope::model {

namespace {

constexpr std::string_view kModule = "nn.Module: ";

/// Where and when an arrow from forward to backward ends.
struct End {
    trace::TrackId track = 0;
    TimeNs time = 0;
    friend bool operator<(const End& a, const End& b) {
        return std::tie(a.track, a.time) < std::tie(b.track, b.time);
    }
    friend bool operator==(const End&, const End&) = default;
};

struct Arrow {
    End forward;
    End backward;
    trace::SliceId forwardSlice = trace::kNoSlice;
    trace::SliceId backwardSlice = trace::kNoSlice;
};

// Of either end the last one of an id counts; a file may have the second first.
std::vector<Arrow> arrowsOf(const trace::Trace& trace) {
    std::unordered_map<std::int64_t, End> begun;
    std::unordered_map<std::int64_t, End> ended;
    for (const trace::FlowPoint& point : trace.flows()) {
        if (trace::categoryKind(point.category) == trace::Category::FwdBwd) {
            (point.phase == 's' ? begun : ended)[point.id] = {point.track, point.time};
        }
    }
    std::vector<Arrow> arrows;
    for (const auto& [id, end] : ended) {
        if (const auto from = begun.find(id); from != begun.end()) {
            arrows.push_back({.forward = from->second, .backward = end});
        }
    }
    return arrows;
}

// The longest operator that begins where an arrow ends.
void findSlices(const trace::Trace& trace, std::vector<Arrow>& arrows) {
    std::vector<std::pair<End, trace::SliceId*>> ends;
    for (Arrow& arrow : arrows) {
        ends.emplace_back(arrow.forward, &arrow.forwardSlice);
        ends.emplace_back(arrow.backward, &arrow.backwardSlice);
    }
    const auto endOf = [](const auto& end) { return end.first; };
    std::ranges::sort(ends, std::less(), endOf);
    for (trace::SliceId slice = 0; slice < trace.sliceCount() && !ends.empty(); ++slice) {
        if (trace.category(slice) != trace::Category::CpuOp) {
            continue;
        }
        const End here{trace.trackOf(slice), trace.start(slice)};
        auto at = std::ranges::lower_bound(ends, here, std::less(), endOf);
        for (; at != ends.end() && at->first == here; ++at) {
            trace::SliceId& found = *at->second;
            if (found == trace::kNoSlice || trace.duration(slice) > trace.duration(found)) {
                found = slice;
            }
        }
    }
}

/// For each slice of `inner` the innermost of `outer` on its track; kNoSlice without.
std::vector<trace::SliceId> enclosing(const trace::Trace& trace, std::vector<query::Encloser> outer,
                                      const std::vector<trace::SliceId>& inner) {
    std::vector<query::EncloserQuery> queries;
    for (std::uint32_t i = 0; i < inner.size(); ++i) {
        if (inner[i] != trace::kNoSlice) {
            queries.push_back({trace.trackOf(inner[i]), inner[i], i});
        }
    }
    std::vector<trace::SliceId> answers(inner.size(), trace::kNoSlice);
    query::findInnermostEnclosing(trace, outer, queries, answers);
    return answers;
}

}  // namespace

std::vector<trace::SliceId> forwardOperators(const trace::Trace& trace,
                                             const std::vector<trace::SliceId>& slices) {
    std::vector<Arrow> arrows = arrowsOf(trace);
    findSlices(trace, arrows);
    std::vector<query::Encloser> backward;
    std::unordered_map<trace::SliceId, trace::SliceId> forwardOf;
    for (const Arrow& arrow : arrows) {
        if (arrow.backwardSlice != trace::kNoSlice && arrow.forwardSlice != trace::kNoSlice) {
            backward.push_back({trace.trackOf(arrow.backwardSlice), arrow.backwardSlice});
            forwardOf.emplace(arrow.backwardSlice, arrow.forwardSlice);
        }
    }
    std::vector<trace::SliceId> forward = enclosing(trace, backward, slices);
    for (trace::SliceId& slice : forward) {
        slice = slice == trace::kNoSlice ? slice : forwardOf.at(slice);
    }
    return forward;
}

std::vector<NameId> modulesOf(const trace::Trace& trace, const LaunchedCalls& calls) {
    std::vector<query::Encloser> modules;
    for (trace::SliceId slice = 0; slice < trace.sliceCount(); ++slice) {
        if (trace.category(slice) == trace::Category::PythonFunction &&
            trace.name(slice).starts_with(kModule)) {
            modules.push_back({trace.trackOf(slice), slice});
        }
    }
    std::vector<NameId> names(calls.calls.size(), kEmptyName);
    if (modules.empty()) {
        return names;
    }
    std::vector<trace::SliceId> slices;
    std::ranges::transform(calls.calls, std::back_inserter(slices), &LaunchedCall::slice);
    std::vector<trace::SliceId> found = enclosing(trace, modules, slices);
    const std::vector<trace::SliceId> forward = forwardOperators(trace, slices);
    const std::vector<trace::SliceId> ofForward = enclosing(trace, modules, forward);
    for (std::size_t i = 0; i < names.size(); ++i) {
        const trace::SliceId module = found[i] != trace::kNoSlice ? found[i] : ofForward[i];
        names[i] = module == trace::kNoSlice ? kEmptyName : trace.nameId(module);
    }
    return names;
}

}  // namespace kinetoscope::model
