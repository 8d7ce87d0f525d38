// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "core/advise/HostTime.h"
#include "core/advise/Rule.h"
#include "core/model/RooflineRows.h"
#include "core/text/Format.h"

namespace kinetoscope::advise {

namespace {

using trace::GpuOpId;
using trace::SliceId;

// Smaller copies are of latency, not of bytes.
constexpr std::uint64_t kMinBytes = 65'536;
// Bytes a nanosecond of PCIe 5.0 with 16 lanes, for traces without a pinned copy to go by.
constexpr double kLinkRate = 63.0;

bool isHostToDevice(std::string_view name) {
    return name.find("HtoD") != std::string_view::npos;
}

/// What copies from pageable memory take, and pinned ones beside them.
struct Uploads {
    std::vector<GpuOpId> pageable;
    std::uint64_t bytes = 0;
    TimeNs ns = 0;
    double pinnedRate = 0.0;  ///< bytes a nanosecond of the fastest pinned copy; 0: none
};

Uploads findUploads(const Material& material) {
    const trace::Trace& trace = material.trace();
    Uploads uploads;
    for (GpuOpId id = 0; id < trace.gpuOperations().size(); ++id) {
        const SliceId slice = material.sliceOf(id);
        const std::uint64_t bytes = trace.gpuOperations()[id].bytes;
        if (!isHostToDevice(trace.name(slice)) || bytes < kMinBytes) {
            continue;
        }
        if (isPageableUpload(trace.name(slice))) {
            uploads.pageable.push_back(id);
            uploads.bytes = model::addWork(uploads.bytes, bytes);
            uploads.ns = addTime(uploads.ns, trace.duration(slice));
        } else if (trace.duration(slice) > 0) {
            uploads.pinnedRate =
                std::max(uploads.pinnedRate,
                         static_cast<double>(bytes) / static_cast<double>(trace.duration(slice)));
        }
    }
    return uploads;
}

std::string rateText(double bytesPerNs) {
    return fmt::format("{:.1f} GB/s", bytesPerNs);
}

void changeCopies(const Material& material, const Uploads& uploads, Finding& finding) {
    const trace::Trace& trace = material.trace();
    const double rate = uploads.pinnedRate > 0.0 ? uploads.pinnedRate : kLinkRate;
    std::vector<SliceId> calls;
    for (const GpuOpId id : uploads.pageable) {
        const auto duration = static_cast<double>(trace.duration(material.sliceOf(id)));
        const double needed = static_cast<double>(trace.gpuOperations()[id].bytes) / rate;
        finding.changes.push_back(
            {.node = material.nodeOf(id),
             .scale = duration > 0 ? static_cast<float>(std::min(1.0, needed / duration)) : 1.0F});
        if (const SliceId call = material.links().apiCall(id); call != trace::kNoSlice) {
            calls.push_back(call);
        }
    }
    std::ranges::sort(calls);
    for (path::NodeId id = 0; id < material.graph().nodes.size(); ++id) {
        const path::Node& node = material.graph().nodes[id];
        if (node.kind == path::NodeKind::Wait && std::ranges::binary_search(calls, node.slice)) {
            finding.changes.push_back({.node = id, .scale = 0.0F, .free = true});
        }
    }
}

Found findPageableCopies(const Material& material) {
    const Uploads uploads = findUploads(material);
    if (uploads.pageable.empty()) {
        return {};
    }
    if (!hasApiCalls(material.trace())) {
        return {{}, std::string(kNoApiCalls)};
    }
    const std::size_t steps = material.steps();
    Finding finding;
    finding.title = fmt::format("{}{} are copied from pageable memory, {}",
                                text::formatBytes(uploads.bytes / steps), material.each("a step"),
                                rateText(static_cast<double>(uploads.bytes) /
                                         static_cast<double>(std::max<TimeNs>(1, uploads.ns))));
    finding.todo =
        "Pin the memory (DataLoader(pin_memory=True), tensor.pin_memory()) and copy with "
        "non_blocking=True.";
    finding.whatIf = "the calls return at once, and the copies run at the rate below";
    finding.evidence = {
        {"copies" + material.each("a step"), perStep(uploads.pageable.size(), steps),
         "Copies of 64 KiB and more from pageable host memory to a GPU", "whole trace"},
        {"time of them" + material.each("a step"), durationPerStep(uploads.ns, steps),
         "Sum of the copies, on all GPUs", "whole trace"},
        {"rate of pinned copies",
         uploads.pinnedRate > 0.0 ? rateText(uploads.pinnedRate)
                                  : rateText(kLinkRate) + ", PCIe 5.0: none in the trace",
         "Rate of the fastest copy of 64 KiB or more from pinned memory", "whole trace"}};
    std::vector<SliceId> copies;
    copies.reserve(uploads.pageable.size());
    for (const GpuOpId id : uploads.pageable) {
        copies.push_back(material.sliceOf(id));
    }
    finding.events = longestEvents(material.trace(), std::move(copies));
    changeCopies(material, uploads, finding);
    return {{std::move(finding)}, {}};
}

}  // namespace

bool isPageableUpload(std::string_view copyName) {
    return isHostToDevice(copyName) && (copyName.find("Pageable") != std::string_view::npos ||
                                        copyName.find("Pagable") != std::string_view::npos);
}

Rule pageableCopiesRule() {
    return {{"pageable-copies", "Copies from pageable memory",
             "The driver copies pageable memory piece by piece through its own staging buffer, and "
             "the call waits for it."},
            findPageableCopies};
}

}  // namespace kinetoscope::advise
