// SPDX-License-Identifier: Apache-2.0
#include "core/report/Explain.h"

#include <algorithm>
#include <array>
#include <vector>

#include "core/report/Figures.h"
#include "core/report/RooflineTable.h"

namespace kinetoscope::report {

namespace {

// Headings, columns of tables and compat figures: what is not a figure of one GPU.
constexpr auto kOthers = std::to_array<FigureText>({
    // The window and how busy a GPU was in it.
    {"gpu", "GPU",
     "Index of the GPU: the process id of its operations in the trace, or their argument "
     "\"device\". ? (in files -1): not known.",
     ""},
    {"wall_ns", "Wall time",
     "Wall time of all runs in the trace, measured without a profiler; given per run by --wall-ms. "
     "Busy is then also shown as a share of it.",
     "ns"},
    // Breakdown.
    {"breakdown", "Breakdown",
     "The window in four parts that sum to it exactly: compute, exposed communication, exposed "
     "copies, and idle time.",
     "ns"},
    {"idle", "Idle, by reason",
     "The idle time of the GPU by what the operation that ended it had waited for. The parts sum "
     "to Idle to the nanosecond. A gap can have several parts: host until the operation is "
     "launched, launch for 30 µs from then or from the gap's start, whichever is later, dependency "
     "beyond.",
     "ns"},
    {"gaps", "Idle gaps",
     "Spans of at least 1 µs in which the GPU was idle, longest first (--gaps N): when, why, and "
     "what ended them. The reason is that of the longest part. The host activity is what the "
     "launching thread did for the longest time before the launch, at its outermost level inside "
     "steps: an operator, Python function, annotation or API call; empty if nothing was recorded "
     "for most of that time.",
     ""},
    // Operations.
    {"operations", "Operations", "Number of kernels, copies and memsets that start in the window.",
     ""},
    // Why streams waited.
    {"idle_gaps", "Why streams waited",
     "Gaps between the operations of one stream, by reason, summed over the GPU's streams and "
     "clipped to the window. A stream can wait while another one works, so the sum can exceed the "
     "idle time. A gap runs from the latest end of the operations before it to the start of the "
     "next.",
     "ns"},
    // Launches.
    {"launches", "Launches",
     "How API calls and GPU operations are linked: both carry the same correlation id. The launch "
     "delay is the operation's start minus the call's end; it is often negative, because the call "
     "may still be running when the GPU starts.",
     ""},
    // Categories and kernels.
    {"categories", "Categories",
     "All GPU operations that start in the window, grouped by Inductor category, family, launching "
     "operator or stream. The default is the Inductor category if the trace has at least one "
     "Inductor kernel (triton_*), otherwise the family.",
     ""},
    {"category", "Inductor category",
     "What TorchInductor made the kernel for, by the prefix of its name: triton_poi is "
     "triton_pointwise, triton_red triton_reduction, triton_per triton_persistent_reduction, "
     "triton_for foreach, triton_tem and triton_mm template, triton_spl split_scan, any other "
     "triton_ triton_unknown; everything else is unknown.",
     ""},
    {"family", "Family",
     "What a kernel does, judged by its name: gemm, conv, attention, norm, reduce, elementwise and "
     "so on; the first match in an ordered list of patterns decides.",
     ""},
    {"operator", "Launching operator",
     "The operator with the External id of the GPU operation, as long as it encloses the API call "
     "in time; otherwise the innermost operator around the API call on its thread.",
     ""},
    {"total_ns", "Total", "Durations added up.", "ns"},
    {"percent_of_sum", "Share",
     "Total of the row as a share of the totals of all rows; not a share of the window.", "%"},
    {"count", "Count", "Number of launches that start in the window.", ""},
    {"mean_ns", "Mean", "Mean duration of a launch.", "ns"},
    {"median_ns", "Median",
     "Median: half of the launches are shorter, half are longer; the mean of the middle two for an "
     "even count.",
     "ns"},
    {"min_ns", "Shortest", "Duration of the shortest launch.", "ns"},
    {"max_ns", "Longest", "Duration of the longest launch.", "ns"},
    {"std_ns", "Standard deviation",
     "Standard deviation of the durations with n - 1 in the denominator; 0 for a single launch.",
     "ns"},
    {"kernel_counters", "Counters by kernel",
     "Means of the GPU's sampled counters (kscope record --counters, or counters on the GPU's row "
     "of a trace) over launches of a kernel that last at least five samples and have the GPU to "
     "themselves. A sample counts from its time until the next one's.",
     ""},
    {"grid", "Grid", "Grid size (blocks in x, y and z) of the most frequent launch shape.",
     "blocks"},
    {"block", "Block", "Block size (threads in x, y and z) of the most frequent launch shape.",
     "threads"},
    {"registers", "Registers", "Registers per thread of the most frequent launch shape.", ""},
    {"shared_bytes", "Shared memory",
     "Shared memory per block, static and dynamic, of the most frequent launch shape.", "bytes"},
    {"occupancy", "Occupancy",
     "Achieved occupancy as estimated by the profiler, for the most frequent launch shape; empty "
     "if the trace does not have it.",
     "%"},
    {"shapes", "Shapes",
     "Number of different launch shapes: combinations of grid, block, registers and shared memory. "
     "The row shows the most frequent one; of equally frequent ones, the one seen first.",
     ""},
    {"mm_conv", "mm/conv", "At least one launch of this kernel counts as mm/conv.", ""},
    // Steps.
    {"steps", "Steps",
     "ProfilerStep#N spans on the CPU. If there are none, annotations text#N of one thread that "
     "are outside any other annotation and count up by one; of several such texts the most "
     "frequent, then the earliest. Annotations of collectives, optimizers and compiled graphs are "
     "never steps. A step ends with its span or with the last GPU work its process launched inside "
     "the span, whichever is later. Of a trace made by kscope cut, only the steps in its window "
     "count; if no span lies in it as a whole, those that overlap it.",
     ""},
    {"cpu_end_ns", "End on the CPU", "End of the step's span on the CPU.", "ns"},
    {"steps.busy_ns", "GPU busy of a step",
     "Length of the union of all GPUs' operations inside the step; also given per GPU.", "ns"},
    {"steps.kernels", "Kernels of a step",
     "Number of kernels whose API call began inside the step's span on the CPU.", ""},
    // Roofline.
    {"roofline", "Roofline",
     "For every operator its work, its achieved rates, and the GPU's limits: dense peak by data "
     "type and memory bandwidth from resources/gpus.json, each with its source. Shapes come from "
     "the calls' arguments; docs/roofline.md lists the operators.",
     ""},
    {"coverage", "Coverage",
     "Share of kernel time whose operator, shapes and types are known and modelled. The rest is "
     "left out of the rows, never estimated.",
     ""},
    // Compat.
    {"compat", "Compat",
     "Figures as PyTorch's own scripts compute them, for comparison with old numbers. They count "
     "annotations and waiting as GPU work and can exceed 100 %.",
     ""},
    {"utilization", "Utilization (compat)",
     "Merged time of every complete event on a row that the trace labels as a GPU, annotations and "
     "synchronisation included, over the wall time of all runs. Kineto labels the process ids 0 to "
     "15, so a program that runs as process 1 counts too.",
     ""},
    {"mm_conv_utilization", "mm/conv utilization (compat)",
     "The same for events with gemm, conv, cutlass or wgrad in their name.", ""},
    {"gpu_busy", "GPU busy (compat)",
     "Self times of all device events of one run, added up, over the wall time of one run.", ""},
    {"wall_ms", "Wall time (compat)",
     "Wall time of one run: the one given with --wall-ms, else the length of the trace divided by "
     "the number of runs.",
     "ms"},
});

}  // namespace

std::span<const FigureText> figureTexts() {
    static const std::vector<FigureText> all = [] {
        std::vector<FigureText> texts;
        for (const Figure& figure : gpuFigures()) {
            texts.push_back({figure.name(), figure.label, figure.definition, figure.unit});
        }
        texts.insert(texts.end(), kOthers.begin(), kOthers.end());
        for (const RooflineColumn& column : rooflineColumns()) {
            if (!column.definition.empty()) {
                texts.push_back({column.key, column.title, column.definition, column.unit});
            }
        }
        return texts;
    }();
    return all;
}

const FigureText* explainFigure(std::string_view key) {
    const auto all = figureTexts();
    const auto found = std::ranges::find(all, key, &FigureText::key);
    return found == all.end() ? nullptr : &*found;
}

}  // namespace kinetoscope::report
