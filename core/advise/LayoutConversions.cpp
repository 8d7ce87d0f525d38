// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "core/advise/Rule.h"
#include "core/analysis/MmConv.h"
#include "core/text/Format.h"

namespace kinetoscope::advise {

namespace {

using trace::GpuOpId;

Found findLayoutConversions(const Material& material) {
    const trace::Trace& trace = material.trace();
    const std::vector<analysis::MmConvKind> kinds =
        analysis::classifyMmConv(trace, material.names(), material.links());
    std::vector<trace::SliceId> slices;
    TimeNs ns = 0;
    Finding finding;
    for (GpuOpId id = 0; id < kinds.size(); ++id) {
        if (kinds[id] == analysis::MmConvKind::Layout ||
            material.names().of(id).family == "layout") {
            slices.push_back(material.sliceOf(id));
            ns = addTime(ns, trace.duration(slices.back()));
            finding.changes.push_back({.node = material.nodeOf(id), .scale = 0.0F});
        }
    }
    if (slices.empty()) {
        return {};
    }
    const auto steps = static_cast<TimeNs>(material.steps());
    finding.title =
        fmt::format("{} layout conversions{} around convolutions and matrix products",
                    perStep(slices.size(), material.steps()), material.each("per step"));
    finding.todo =
        "Use model.to(memory_format=torch.channels_last), for the inputs too; keep tensors "
        "contiguous for matrix products.";
    finding.whatIf = "the conversions take no time on the GPU";
    finding.evidence = {
        {"conversions" + material.each("a step"), perStep(slices.size(), material.steps()),
         "Kernels that only change a tensor's memory layout, like cuDNN's nchwToNhwc",
         "whole trace"},
        {"time of them" + material.each("a step"), text::formatDuration(ns / steps),
         "Sum of the kernels", "whole trace"},
        {"kernel", std::string(trace.name(slices.front())), "", ""}};
    finding.events = longestEvents(trace, std::move(slices));
    return {{std::move(finding)}, {}};
}

}  // namespace

Rule layoutRule() {
    return {{"layout-conversions", "Layout conversions",
             "Tensors change their memory layout before or after a convolution or matrix product."},
            findLayoutConversions};
}

}  // namespace kinetoscope::advise
