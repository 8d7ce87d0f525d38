// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/Explain.h"

#include <algorithm>
#include <array>

namespace kinetoscope {

namespace {

constexpr auto kFigures = std::to_array<FigureText>({
    // The window and how busy a GPU was in it.
    {"gpu", "GPU",
     "Number of the GPU: the process id that its operations carry in the trace, or their argument "
     "\"device\".",
     ""},
    {"window_ns", "Window",
     "The time that every share is a share of. Unless you choose another one it goes, for each GPU "
     "by itself, from the start of its first operation to the end of its last. You may choose the "
     "whole trace (first event to last), a step, or a selection in time since the first event. "
     "Unions and sums are clipped to the window; counts, categories and the kernel table take the "
     "operations that start inside it, with their whole durations. All times are those of the "
     "trace: a profiler slows a program down, so they are longer than without it.",
     "ns"},
    {"wall_ns", "Wall time",
     "Time of all runs in the trace, measured without a profiler and given with --wall-ms for one "
     "run. Busy is then also shown as a share of it.",
     "ns"},
    {"busy_ns", "GPU busy",
     "Length of the union of all GPU operations (kernels, copies, memsets) in the window: time in "
     "which at least one of them ran. Waiting for streams, events, annotations and profiler "
     "overhead are no GPU work. It never exceeds the window, however many streams overlap.",
     "ns"},
    {"kernel_busy_ns", "Kernel busy",
     "Length of the union of the kernels alone in the window: GPU busy without copies and memsets.",
     "ns"},
    {"kernel_time_sum_ns", "Sum of kernel times",
     "Durations of all kernels added up, clipped to the window. Where kernels overlap it exceeds "
     "kernel busy, and can exceed the window.",
     "ns"},
    {"mm_conv_ns", "Matrix multiplications and convolutions",
     "Length of the union of all mm/conv kernels in the window. Names of Triton kernels decide "
     "first: triton_poi, _red, _per, _for and _spl never count; triton_mm, triton_bmm and "
     "triton_tem with mm or conv in the name always do. Then the launching operator: aten::mm, "
     "addmm, _addmm_activation, bmm, baddbmm, _scaled_mm, convolution, _convolution, "
     "convolution_backward, cudnn_convolution* and miopen_* count, their layout conversions apart. "
     "Kernels of other operators, or of none, count when the rules for names file them under gemm "
     "or conv.",
     "ns"},
    {"operator_ns", "mm/conv by operator",
     "Durations of the mm/conv kernels that count because of the operator that launched them, "
     "added up and clipped to the window.",
     "ns"},
    {"name_ns", "mm/conv by name",
     "Durations of the mm/conv kernels that count because of their own name, added up and clipped "
     "to the window. No kernel is in both this sum and the one by operator.",
     "ns"},
    {"layout_ns", "Layout conversions",
     "Durations of the kernels that matrix multiplications and convolutions launched only to "
     "convert the layout of their data, added up and clipped to the window. They are not part of "
     "mm/conv.",
     "ns"},
    // Breakdown.
    {"breakdown", "Breakdown",
     "The window in four parts that sum to it exactly: computing, communication that nothing "
     "hides, copies that nothing hides, and idle time.",
     "ns"},
    {"compute_ns", "Compute", "Length of the union of the kernels that are no communication.",
     "ns"},
    {"exposed_comm_ns", "Exposed communication",
     "Time in which communication kernels ran and no other kernel did. A kernel is communication "
     "when its name begins with nccl, in any case, or when the trace names its collective.",
     "ns"},
    {"exposed_copy_ns", "Exposed copies", "Time in which copies or memsets ran and no kernel did.",
     "ns"},
    {"idle_ns", "Idle", "The window without GPU busy: nothing at all ran.", "ns"},
    // Operations.
    {"operations", "Operations", "Number of kernels, copies and memsets that start in the window.",
     ""},
    {"kernel", "Kernels", "Number of kernels that start in the window.", ""},
    {"memcpy", "Copies", "Number of copies that start in the window.", ""},
    {"memset", "Memsets", "Number of memsets that start in the window.", ""},
    // Why streams waited.
    {"idle_gaps", "Why streams waited",
     "Gaps between the operations of one stream, by reason, added up over the streams of the GPU "
     "and clipped to the window. A stream can wait while another one works, so the sum can exceed "
     "the idle time. A gap goes from the latest end of the operations before it to the start of "
     "the next.",
     "ns"},
    {"host_wait_ns", "Host wait",
     "The API call that launched the next operation began only after the gap did: the CPU was "
     "late.",
     "ns"},
    {"kernel_wait_ns", "Kernel wait",
     "The launch came in time and the gap, without profiler overhead, is shorter than 30 µs: what "
     "the GPU needs between two operations.",
     "ns"},
    {"other_ns", "Other waiting",
     "The launch came in time or is not known, and the gap is 30 µs or longer: waiting for another "
     "stream, for an event, or for memory.",
     "ns"},
    {"overhead_ns", "Profiler overhead",
     "Time inside gaps in which the profiler itself was at work (events of the category overhead). "
     "It is taken out before the other reasons.",
     "ns"},
    {"inside_graph_ns", "Inside a graph",
     "Gaps between two operations of one CUDA graph launch, which share its correlation.", "ns"},
    // Launches.
    {"launches", "Launches",
     "How API calls and GPU operations belong together: both carry the same correlation. The "
     "launch delay is the operation's start minus the call's end, with its sign; it is often "
     "negative, because a short call still runs when the GPU begins.",
     ""},
    {"linked", "Linked operations",
     "GPU operations whose API call is in the trace: it has the same correlation. Two exceptions "
     "on "
     "ROCm: where no call has a correlation, the External id is it; and kernels without one (those "
     "of communication), all on one stream, belong in order to the launches of kernels that "
     "launched nothing else, if they are as many.",
     ""},
    {"unlinked", "Operations without a launch",
     "GPU operations whose API call is not in the trace.", ""},
    {"graph_operations", "Operations of graph launches",
     "Linked operations that share their API call with others or name a CUDA graph. A delay of "
     "their own means nothing, so they have none.",
     ""},
    {"before_api_start", "Earlier than their launch",
     "Linked operations that start before their API call begins. That is impossible: the clocks of "
     "CPU and GPU disagree in this trace.",
     ""},
    {"negative_delay", "Negative delays",
     "Operations that start before their API call has returned. This is normal.", ""},
    {"median_delay_ns", "Median launch delay",
     "Median of the launch delays of all linked operations that no graph launched.", "ns"},
    {"max_delay_ns", "Longest launch delay",
     "Largest launch delay of the linked operations that no graph launched.", "ns"},
    // Categories and kernels.
    {"categories", "Categories",
     "All GPU operations of all GPUs that start in the window, in groups: by Inductor category, by "
     "family, by launching operator or by stream. Where nobody chooses it is the Inductor category "
     "if at least one kernel of the trace is Inductor's (triton_*), else the family.",
     ""},
    {"category", "Inductor category",
     "What TorchInductor made the kernel for, by the prefix of its name: triton_poi is "
     "triton_pointwise, triton_red triton_reduction, triton_per triton_persistent_reduction, "
     "triton_for foreach, triton_tem and triton_mm template, triton_spl split_scan, any other "
     "triton_ triton_unknown; everything else is unknown.",
     ""},
    {"family", "Family",
     "What a kernel does, by its name: gemm, conv, attention, norm, reduce, elementwise and so on, "
     "from an ordered list of patterns; the first that fits decides.",
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
     "Half of the launches are shorter, half are longer; halfway between the middle two of an even "
     "count.",
     "ns"},
    {"min_ns", "Shortest", "Duration of the shortest launch.", "ns"},
    {"max_ns", "Longest", "Duration of the longest launch.", "ns"},
    {"std_ns", "Standard deviation",
     "Standard deviation of the durations with n - 1 in the denominator; 0 for a single launch.",
     "ns"},
    {"grid", "Grid", "Blocks in x, y and z of the most frequent launch shape.", "blocks"},
    {"block", "Block", "Threads in x, y and z of the most frequent launch shape.", "threads"},
    {"registers", "Registers", "Registers of each thread of the most frequent launch shape.", ""},
    {"shared_bytes", "Shared memory",
     "Shared memory of a block, static and dynamic, of the most frequent launch shape.", "bytes"},
    {"occupancy", "Occupancy",
     "Achieved occupancy as the profiler estimated it when recording, for the most frequent launch "
     "shape; empty where the trace does not tell.",
     "%"},
    {"shapes", "Shapes",
     "Number of different launch shapes: combinations of grid, block, registers and shared memory. "
     "The row shows the most frequent one; of equally frequent ones, the one seen first.",
     ""},
    {"mm_conv", "mm/conv", "Some launch of this kernel counts as mm/conv.", ""},
    // Steps.
    {"steps", "Steps",
     "Spans ProfilerStep#N of the CPU. Without any, annotations text#N of one thread that lie in "
     "no other annotation and whose N count up by one; of several such texts the most frequent, "
     "then the earliest. Annotations of collectives, of optimizers and of compiled graphs are "
     "never steps. A step ends with its span or with the last GPU work that its process launched "
     "inside the span, whichever is later.",
     ""},
    {"cpu_end_ns", "End on the CPU", "End of the step's span on the CPU alone.", "ns"},
    {"steps.busy_ns", "GPU busy of a step",
     "Length of the union of the operations of all GPUs inside the step; each GPU alone beside it.",
     "ns"},
    {"steps.kernels", "Kernels of a step",
     "Number of kernels whose API call began inside the step's span on the CPU.", ""},
    // Compat.
    {"compat", "Compat",
     "Figures as PyTorch's own scripts compute them, for comparison with old numbers. They count "
     "annotations and waiting as GPU work and can pass 100 %.",
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
    return kFigures;
}

const FigureText* explainFigure(std::string_view key) {
    const auto found = std::ranges::find(kFigures, key, &FigureText::key);
    return found == kFigures.end() ? nullptr : &*found;
}

}  // namespace kinetoscope
