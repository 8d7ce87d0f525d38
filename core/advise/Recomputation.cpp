// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/advise/HostTime.h"
#include "core/advise/Rule.h"
#include "core/text/Format.h"

namespace kinetoscope::advise {

namespace {

using trace::SliceId;

// Operators that only a forward pass calls: their backwards have other names.
bool isForwardOnly(std::string_view name) {
    static constexpr std::array<std::string_view, 11> kNames{"aten::linear",
                                                             "aten::layer_norm",
                                                             "aten::rms_norm",
                                                             "aten::batch_norm",
                                                             "aten::group_norm",
                                                             "aten::conv1d",
                                                             "aten::conv2d",
                                                             "aten::conv3d",
                                                             "aten::dropout",
                                                             "aten::embedding",
                                                             "aten::scaled_dot_product_attention"};
    return std::ranges::find(kNames, name) != kNames.end();
}

bool isBackward(std::string_view name) {
    return name.starts_with("autograd::engine::evaluate_function");
}

/// Forward operators inside of a backward pass, by start.
struct Recomputed {
    std::vector<SliceId> operators;
    ThreadSpans spans;
    TimeNs hostNs = 0;
};

Recomputed findRecomputed(const trace::Trace& trace) {
    NameSet forwardNames(trace, isForwardOnly);
    NameSet backwardNames(trace, isBackward);
    ThreadSpans backward;
    std::vector<SliceId> forward;
    for (SliceId slice = 0; slice < trace.sliceCount(); ++slice) {
        if (trace.category(slice) != trace::Category::CpuOp) {
            continue;
        }
        if (backwardNames.has(trace.nameId(slice))) {
            backward[trace.trackOf(slice)].push_back(trace.span(slice));
        } else if (forwardNames.has(trace.nameId(slice))) {
            forward.push_back(slice);
        }
    }
    std::map<trace::TrackId, query::CoveredTime> covered;
    for (auto& [track, spans] : backward) {
        covered.emplace(track, query::unionOfUnsorted(std::move(spans)));
    }
    Recomputed found;
    for (const SliceId slice : forward) {
        const auto around = covered.find(trace.trackOf(slice));
        if (around != covered.end() && trace.duration(slice) > 0 &&
            around->second.inside(trace.span(slice)) == trace.duration(slice)) {
            found.operators.push_back(slice);
            found.spans[trace.trackOf(slice)].push_back(trace.span(slice));
        }
    }
    return found;
}

Found findRecomputation(const Material& material) {
    const trace::Trace& trace = material.trace();
    Recomputed found = findRecomputed(trace);
    if (found.operators.empty()) {
        return {{}, hasOperators(trace) ? "" : std::string(kNoOperators)};
    }
    std::map<trace::TrackId, query::CoveredTime> covered;
    for (const auto& [track, spans] : found.spans) {
        covered.emplace(track, query::unionOfUnsorted(spans));
    }
    TimeNs ns = 0;
    std::uint64_t kernels = 0;
    Finding finding;
    for (trace::GpuOpId id = 0; id < trace.gpuOperations().size(); ++id) {
        const SliceId call = material.links().apiCall(id);
        const auto inside =
            call == trace::kNoSlice ? covered.end() : covered.find(trace.trackOf(call));
        if (inside != covered.end() && inside->second.inside(trace.span(call)) > 0) {
            finding.changes.push_back({.node = material.nodeOf(id), .scale = 0.0F});
            ns = addTime(ns, trace.duration(material.sliceOf(id)));
            ++kernels;
        }
    }
    const auto steps = static_cast<TimeNs>(material.steps());
    finding.title = fmt::format("The backward pass recomputes forward work, {}{} on the GPU",
                                text::formatDuration(ns / steps), material.each("a step"));
    finding.todo =
        "Checkpoint fewer layers if memory allows, or keep expensive activations (selective "
        "checkpointing).";
    finding.whatIf = "the recomputed operators and the work they launch take no time";
    finding.evidence = {
        {"operators" + material.each("a step"), perStep(found.operators.size(), material.steps()),
         "Forward operators (aten::linear, norms, attention…) inside a backward function of "
         "autograd",
         "whole trace"},
        {"GPU time" + material.each("a step"), text::formatDuration(ns / steps),
         "Of what they launched", "whole trace"},
        {"GPU operations" + material.each("a step"), perStep(kernels, material.steps()), "",
         "whole trace"}};
    dropHostTime(material.graph(), std::move(found.spans), Waits::Dropped, finding.changes);
    finding.events = longestEvents(trace, std::move(found.operators));
    return {{std::move(finding)}, {}};
}

}  // namespace

Rule recomputationRule() {
    return {
        {"recomputation", "Recomputation",
         "Forward operators run again inside the backward pass, as with activation checkpointing."},
        findRecomputation,
        false};
}

}  // namespace kinetoscope::advise
