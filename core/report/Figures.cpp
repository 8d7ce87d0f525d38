// SPDX-License-Identifier: Apache-2.0
#include "core/report/Figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "core/text/Format.h"

namespace kinetoscope::report {

namespace {

using G = const GpuReport&;

bool hasDelays(G gpu) {
    return gpu.launches.linked > gpu.launches.graphOperations;
}

bool hasGaps(G gpu) {
    const analysis::StreamGaps& gaps = gpu.streamGaps;
    return gaps.hostWaitNs + gaps.kernelWaitNs + gaps.otherNs + gaps.overheadNs +
               gaps.insideGraphNs >
           0;
}

constexpr auto kFigures = std::to_array<Figure>({
    {.key = "window_ns",
     .label = "Window",
     .unit = "ns",
     .definition =
         "The time span that all shares refer to. By default it runs, for each GPU separately, "
         "from the start of its first operation to the end of its last. Other choices are the "
         "whole trace (first slice to last), a step, or a range relative to the first event. "
         "Unions and sums are clipped to the window; counts, categories and the kernel table take "
         "the operations that start inside it, with their full durations. All times are as "
         "recorded: profiling slows a program down, so they are longer than without it.",
     .group = FigureGroup::Busy,
     .value = [](G gpu) -> FigureValue { return gpu.window.duration(); },
     .isShare = true,
     .isCompared = true},
    {.key = "busy_ns",
     .label = "GPU busy",
     .unit = "ns",
     .definition =
         "Length of the union of all GPU operations (kernels, copies, memsets) in the window: time "
         "in which at least one of them ran. Waiting for streams, events, annotations and profiler "
         "overhead are not GPU work. It never exceeds the window, however many streams overlap.",
     .group = FigureGroup::Busy,
     .value = [](G gpu) -> FigureValue { return gpu.busyNs; },
     .isShare = true,
     .isCompared = true},
    {.key = "kernel_busy_ns",
     .label = "Kernel busy",
     .unit = "ns",
     .definition =
         "Length of the union of kernels in the window: GPU busy without copies and memsets.",
     .group = FigureGroup::Busy,
     .value = [](G gpu) -> FigureValue { return gpu.kernelBusyNs; },
     .isShare = true,
     .isCompared = true},
    {.key = "mm_conv_ns",
     .label = "mm/conv",
     .unit = "ns",
     .definition =
         "Matrix multiplications and convolutions: length of the union of all mm/conv kernels in "
         "the window. Names of Triton kernels decide first: triton_poi, _red, _per, _for and _spl "
         "never count; triton_mm, triton_bmm and triton_tem with mm or conv in the name always do. "
         "Then the launching operator: aten::mm, addmm, _addmm_activation, bmm, baddbmm, "
         "_scaled_mm, convolution, _convolution, convolution_backward, cudnn_convolution* and "
         "miopen_* count, their layout conversions apart. Kernels of other operators, or of none, "
         "count when the rules for names file them under gemm or conv.",
     .group = FigureGroup::Busy,
     .value = [](G gpu) -> FigureValue { return gpu.mmConv.unionNs; },
     .isShare = true,
     .isCompared = true},
    {.key = "mm_conv_by.operator_ns",
     .label = "mm/conv by operator, sum",
     .unit = "ns",
     .definition = "Sum of the durations of mm/conv kernels that count because of their launching "
                   "operator, clipped to the window.",
     .group = FigureGroup::Busy,
     .value = [](G gpu) -> FigureValue { return gpu.mmConv.operatorNs; }},
    {.key = "mm_conv_by.name_ns",
     .label = "mm/conv by kernel name, sum",
     .unit = "ns",
     .definition = "Sum of the durations of mm/conv kernels that count because of their own name, "
                   "clipped to the window. No kernel is in both this sum and the one by operator.",
     .group = FigureGroup::Busy,
     .value = [](G gpu) -> FigureValue { return gpu.mmConv.nameNs; }},
    {.key = "mm_conv_by.layout_ns",
     .label = "Layout conversions, sum",
     .unit = "ns",
     .definition =
         "Sum of the durations of kernels that matrix multiplications and convolutions launched "
         "only to convert data layouts, clipped to the window. They are not part of mm/conv.",
     .group = FigureGroup::Busy,
     .value = [](G gpu) -> FigureValue { return gpu.mmConv.layoutNs; }},
    {.key = "kernel_time_sum_ns",
     .label = "Kernel time, sum",
     .unit = "ns",
     .definition = "Sum of the durations of all kernels, clipped to the window. If kernels overlap "
                   "it exceeds kernel busy, and it can exceed the window.",
     .group = FigureGroup::Busy,
     .value = [](G gpu) -> FigureValue { return gpu.kernelTimeSumNs; },
     .isCompared = true},
    {.key = "breakdown.compute_ns",
     .label = "Compute",
     .unit = "ns",
     .definition = "Length of the union of the kernels that are not communication.",
     .group = FigureGroup::Breakdown,
     .value = [](G gpu) -> FigureValue { return gpu.breakdown.computeNs; },
     .isShare = true,
     .isCompared = true},
    {.key = "breakdown.exposed_comm_ns",
     .label = "Exposed communication",
     .unit = "ns",
     .definition = "Time in which communication kernels ran and no other kernel did. A kernel is "
                   "communication if its name starts with nccl (in any case) or if the trace names "
                   "its collective.",
     .group = FigureGroup::Breakdown,
     .value = [](G gpu) -> FigureValue { return gpu.breakdown.exposedCommNs; },
     .isShare = true,
     .isCompared = true},
    {.key = "breakdown.exposed_copy_ns",
     .label = "Exposed copies",
     .unit = "ns",
     .definition = "Time in which copies or memsets ran and no kernel did.",
     .group = FigureGroup::Breakdown,
     .value = [](G gpu) -> FigureValue { return gpu.breakdown.exposedCopyNs; },
     .isShare = true,
     .isCompared = true},
    {.key = "breakdown.idle_ns",
     .label = "Idle",
     .unit = "ns",
     .definition = "The window minus GPU busy: nothing ran.",
     .group = FigureGroup::Breakdown,
     .value = [](G gpu) -> FigureValue { return gpu.breakdown.idleNs; },
     .isShare = true,
     .isCompared = true},
    {.key = "longest_gap_ns",
     .label = "Longest idle gap",
     .unit = "ns",
     .definition = "Longest span in the window without any operation on the GPU, and where it is; "
                   "the first of equally long gaps.",
     .group = FigureGroup::Breakdown,
     .value = [](G gpu) -> FigureValue { return gpu.longestGap.duration(); },
     .place =
         [](G gpu) {
             return gpu.longestGap.duration() > 0 ? std::optional(gpu.longestGap) : std::nullopt;
         },
     .isShare = true},
    {.key = "idle.host_ns",
     .label = analysis::idleReasonLabel(analysis::IdleReason::Host),
     .unit = "ns",
     .definition =
         "The next operation had not been launched yet: from the end of the last operation to the "
         "start of the API call that launched the next one. The host was late.",
     .group = FigureGroup::Idle,
     .value = [](G gpu) -> FigureValue { return gpu.idle.hostNs; },
     .isShown = [](G gpu) { return gpu.breakdown.idleNs > 0; },
     .isShare = true,
     .isCompared = true},
    {.key = "idle.launch_ns",
     .label = analysis::idleReasonLabel(analysis::IdleReason::Launch),
     .unit = "ns",
     .definition = "The first 30 µs after the start of that call or of the gap, whichever is "
                   "later: what a launch takes to reach the GPU.",
     .group = FigureGroup::Idle,
     .value = [](G gpu) -> FigureValue { return gpu.idle.launchNs; },
     .isShown = [](G gpu) { return gpu.breakdown.idleNs > 0; },
     .isShare = true,
     .isCompared = true},
    {.key = "idle.dependency_ns",
     .label = analysis::idleReasonLabel(analysis::IdleReason::Dependency),
     .unit = "ns",
     .definition = "After those 30 µs: the operation was launched and waited for something else, "
                   "such as an event, another stream, a copy or a collective.",
     .group = FigureGroup::Idle,
     .value = [](G gpu) -> FigureValue { return gpu.idle.dependencyNs; },
     .isShown = [](G gpu) { return gpu.breakdown.idleNs > 0; },
     .isShare = true,
     .isCompared = true},
    {.key = "idle.graph_ns",
     .label = analysis::idleReasonLabel(analysis::IdleReason::Graph),
     .unit = "ns",
     .definition = "Between two operations of one CUDA graph launch.",
     .group = FigureGroup::Idle,
     .value = [](G gpu) -> FigureValue { return gpu.idle.graphNs; },
     .isShown = [](G gpu) { return gpu.breakdown.idleNs > 0; },
     .isShare = true,
     .isCompared = true},
    {.key = "idle.profiler_ns",
     .label = analysis::idleReasonLabel(analysis::IdleReason::Profiler),
     .unit = "ns",
     .definition = "The profiler itself was working (events of category overhead). This is "
                   "subtracted before the other reasons.",
     .group = FigureGroup::Idle,
     .value = [](G gpu) -> FigureValue { return gpu.idle.profilerNs; },
     .isShown = [](G gpu) { return gpu.breakdown.idleNs > 0; },
     .isShare = true,
     .isCompared = true},
    {.key = "idle.unknown_ns",
     .label = analysis::idleReasonLabel(analysis::IdleReason::Unknown),
     .unit = "ns",
     .definition =
         "The launch of the next operation is not in the trace, or there was no next operation.",
     .group = FigureGroup::Idle,
     .value = [](G gpu) -> FigureValue { return gpu.idle.unknownNs; },
     .isShown = [](G gpu) { return gpu.breakdown.idleNs > 0; },
     .isShare = true,
     .isCompared = true},
    {.key = "operations.kernel",
     .label = "Kernels",
     .unit = "",
     .definition = "Number of kernels that start in the window.",
     .group = FigureGroup::Operations,
     .value = [](G gpu) -> FigureValue { return gpu.operations.kernel; }},
    {.key = "operations.memcpy",
     .label = "Copies",
     .unit = "",
     .definition = "Number of copies that start in the window.",
     .group = FigureGroup::Operations,
     .value = [](G gpu) -> FigureValue { return gpu.operations.memcpy; }},
    {.key = "operations.memset",
     .label = "Memsets",
     .unit = "",
     .definition = "Number of memsets that start in the window.",
     .group = FigureGroup::Operations,
     .value = [](G gpu) -> FigureValue { return gpu.operations.memset; }},
    {.key = "idle_gaps.host_wait_ns",
     .label = "Host wait",
     .unit = "ns",
     .definition = "The API call that launched the next operation started only after the gap did: "
                   "the CPU was late.",
     .group = FigureGroup::StreamGaps,
     .value = [](G gpu) -> FigureValue { return gpu.streamGaps.hostWaitNs; },
     .isShown = hasGaps},
    {.key = "idle_gaps.kernel_wait_ns",
     .label = "Kernel wait",
     .unit = "ns",
     .definition = "The launch was in time and the gap, minus profiler overhead, is shorter than "
                   "30 µs: what the GPU needs between two operations.",
     .group = FigureGroup::StreamGaps,
     .value = [](G gpu) -> FigureValue { return gpu.streamGaps.kernelWaitNs; },
     .isShown = hasGaps},
    {.key = "idle_gaps.other_ns",
     .label = "Other waiting",
     .unit = "ns",
     .definition = "The launch was in time or is unknown, and the gap is 30 µs or longer: waiting "
                   "for another stream, an event, or memory.",
     .group = FigureGroup::StreamGaps,
     .value = [](G gpu) -> FigureValue { return gpu.streamGaps.otherNs; },
     .isShown = hasGaps},
    {.key = "idle_gaps.overhead_ns",
     .label = "Profiler overhead",
     .unit = "ns",
     .definition = "Time inside gaps in which the profiler itself was working (events of category "
                   "overhead). This is subtracted before the other reasons.",
     .group = FigureGroup::StreamGaps,
     .value = [](G gpu) -> FigureValue { return gpu.streamGaps.overheadNs; },
     .isShown = hasGaps},
    {.key = "idle_gaps.inside_graph_ns",
     .label = "Inside graph launches",
     .unit = "ns",
     .definition =
         "Gaps between two operations of one CUDA graph launch, which share its correlation id.",
     .group = FigureGroup::StreamGaps,
     .value = [](G gpu) -> FigureValue { return gpu.streamGaps.insideGraphNs; },
     .isShown = hasGaps},
    {.key = "launches.linked",
     .label = "Linked to a launch",
     .unit = "",
     .definition =
         "GPU operations whose API call is in the trace, with the same correlation id. Two "
         "exceptions on ROCm: if no call has a correlation id, the External id is used; and "
         "kernels without one (communication), all on one stream, are matched in order to the "
         "launches that launched nothing else, if there are equally many.",
     .group = FigureGroup::Launches,
     .value = [](G gpu) -> FigureValue { return gpu.launches.linked; }},
    {.key = "launches.unlinked",
     .label = "Without a launch",
     .unit = "",
     .definition = "GPU operations whose API call is not in the trace.",
     .group = FigureGroup::Launches,
     .value = [](G gpu) -> FigureValue { return gpu.launches.unlinked; },
     .isShown = [](G gpu) { return gpu.launches.unlinked > 0; }},
    {.key = "launches.graph_operations",
     .label = "In graph launches",
     .unit = "",
     .definition = "Linked operations that share their API call with others or belong to a CUDA "
                   "graph. A launch delay of their own is meaningless, so they have none.",
     .group = FigureGroup::Launches,
     .value = [](G gpu) -> FigureValue { return gpu.launches.graphOperations; },
     .isShown = [](G gpu) { return gpu.launches.graphOperations > 0; }},
    {.key = "launches.before_api_start",
     .label = "Before the launch started (clock skew)",
     .unit = "",
     .definition = "Linked operations that start before their API call does. This is impossible: "
                   "CPU and GPU clocks disagree in this trace.",
     .group = FigureGroup::Launches,
     .value = [](G gpu) -> FigureValue { return gpu.launches.beforeApiStart; },
     .isShown = [](G gpu) { return gpu.launches.beforeApiStart > 0; }},
    {.key = "launches.negative_delay",
     .label = "Before the launch returned",
     .unit = "",
     .definition = "Operations that start before their API call has returned. This is normal.",
     .group = FigureGroup::Launches,
     .value = [](G gpu) -> FigureValue { return gpu.launches.negativeDelay; },
     .isShown = [](G gpu) { return gpu.launches.negativeDelay > 0; }},
    {.key = "launches.median_delay_ns",
     .label = "Median launch delay",
     .unit = "ns",
     .definition = "Median launch delay of all linked operations not launched by a graph.",
     .group = FigureGroup::Launches,
     .value =
         [](G gpu) { return hasDelays(gpu) ? FigureValue(gpu.launches.medianDelayNs) : nullptr; },
     .isShown = hasDelays},
    {.key = "launches.max_delay_ns",
     .label = "Longest launch delay",
     .unit = "ns",
     .definition = "Largest launch delay of linked operations not launched by a graph.",
     .group = FigureGroup::Launches,
     .value = [](G gpu) { return hasDelays(gpu) ? FigureValue(gpu.launches.maxDelayNs) : nullptr; },
     .isShown = hasDelays},
});

}  // namespace

std::int64_t Figure::number(const GpuReport& gpu) const {
    return std::visit(
        [](auto number) -> std::int64_t {
            if constexpr (std::is_null_pointer_v<decltype(number)>) {
                return 0;
            } else if constexpr (std::is_floating_point_v<decltype(number)>) {
                return static_cast<std::int64_t>(std::llround(number));
            } else {
                return static_cast<std::int64_t>(number);
            }
        },
        value(gpu));
}

std::span<const Figure> gpuFigures() {
    return kFigures;
}

const Figure* findFigure(std::string_view key) {
    const auto found = std::ranges::find_if(
        kFigures, [&](const Figure& figure) { return figure.key == key || figure.name() == key; });
    return found == kFigures.end() ? nullptr : &*found;
}

std::string midSentence(std::string_view label) {
    const auto isCapital = [](char c) { return c >= 'A' && c <= 'Z'; };
    std::string text(label);
    if (text.size() > 1 && isCapital(text[0]) && !isCapital(text[1])) {
        text[0] = static_cast<char>(text[0] + ('a' - 'A'));
    }
    return text;
}

std::vector<const Figure*> shownFigures(FigureGroup group, const GpuReport& gpu) {
    std::vector<const Figure*> shown;
    for (const Figure& figure : kFigures) {
        if (figure.group == group && (figure.isShown == nullptr || figure.isShown(gpu))) {
            shown.push_back(&figure);
        }
    }
    return shown;
}

std::string placeText(const Figure& figure, const GpuReport& gpu, TimeNs origin) {
    const auto place = figure.place == nullptr ? std::nullopt : figure.place(gpu);
    return place ? fmt::format("from {} to {} after the first event",
                               text::formatDuration(place->start - origin),
                               text::formatDuration(place->end - origin))
                 : std::string();
}

}  // namespace kinetoscope::report
