// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "core/advise/HostTime.h"
#include "core/advise/Rule.h"
#include "core/text/Format.h"

namespace kinetoscope::advise {

namespace {

using trace::Category;
using trace::SliceId;

// "enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__", as PyTorch marks it.
bool isLoading(std::string_view name) {
    return name.starts_with("enumerate(DataLoader)") ||
           (name.find("DataLoader") != std::string_view::npos && name.ends_with("__next__"));
}

Found findDataLoader(const Material& material) {
    const trace::Trace& trace = material.trace();
    NameSet names(trace, isLoading);
    std::vector<SliceId> loads;
    ThreadSpans spans;
    TimeNs ns = 0;
    for (SliceId slice = 0; slice < trace.sliceCount(); ++slice) {
        const Category category = trace.category(slice);
        if ((category == Category::CpuOp || category == Category::UserAnnotation) &&
            names.has(trace.nameId(slice))) {
            loads.push_back(slice);
            spans[trace.trackOf(slice)].push_back(trace.span(slice));
            ns = addTime(ns, trace.duration(slice));
        }
    }
    if (loads.empty()) {
        return {{}, hasOperators(trace) ? "" : std::string(kNoOperators)};
    }
    const auto steps = static_cast<TimeNs>(material.steps());
    Finding finding;
    finding.title = fmt::format("The program waits for the data loader, {}{}",
                                text::formatDuration(ns / steps), material.each("a step"));
    finding.todo =
        "Use more workers (num_workers), persistent_workers=True or a larger prefetch_factor; move "
        "decoding and augmentation to the GPU or out of the loop.";
    finding.whatIf = "the next batch is always ready";
    finding.evidence = {
        {"batches" + material.each("a step"), perStep(loads.size(), material.steps()),
         "Slices that PyTorch records around next() of a DataLoader", "whole trace"},
        {"time in them" + material.each("a step"), text::formatDuration(ns / steps), "",
         "whole trace"}};
    dropHostTime(material.graph(), std::move(spans), Waits::Dropped, finding.changes);
    finding.events = longestEvents(trace, std::move(loads));
    return {{std::move(finding)}, {}};
}

}  // namespace

Rule dataLoaderRule() {
    return {{"data-loader", "Waiting for the data loader",
             "The loop asks for a batch that is not ready."},
            findDataLoader,
            false};
}

}  // namespace kinetoscope::advise
