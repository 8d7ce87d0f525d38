// SPDX-License-Identifier: Apache-2.0
// Tables of sums: kernels, operators and steps as the panels of the window have them.
#include <cmath>

#include "core/analysis/KernelTable.h"
#include "core/analysis/Operators.h"
#include "core/base/SaturatedTime.h"
#include "core/base/Threads.h"
#include "core/query/sql/Material.h"
#include "core/query/sql/RowList.h"

namespace kinetoscope::query::sql {

namespace {

Cell told(std::int64_t value) {
    return Cell::unless(0, value);
}

analysis::WindowScope scopeOf(const Material& material, std::size_t file) {
    const auto window = material.windowOf(file);
    return window ? analysis::WindowScope{.perGpu = false, .takesAll = false, .span = *window}
                  : analysis::WindowScope{};
}

std::unique_ptr<Rows> kernels(Material& material, std::size_t file) {
    FileFacts& facts = material.facts(file);
    auto rows = std::make_unique<RowList>(findTable("kernels")->columns.size());
    for (const analysis::KernelRow& row :
         analysis::kernelTable(facts.trace(), facts.timeline(), scopeOf(material, file),
                               facts.kernelNames(), facts.mmConv())) {
        rows->add({Cell::of(facts.trace().text(row.name)),
                   rows->keep(row.shortName),
                   Cell::of(std::int64_t{row.gpu}),
                   rows->keep(row.family),
                   rows->keep(row.category),
                   Cell::of(std::int64_t{row.mmConv}),
                   Cell::of(static_cast<std::int64_t>(row.count)),
                   Cell::of(row.totalNs),
                   Cell::of(row.meanNs),
                   Cell::of(row.medianNs),
                   Cell::of(row.minNs),
                   Cell::of(row.maxNs),
                   Cell::of(row.stdNs),
                   told(row.grid[0]),
                   told(row.grid[1]),
                   told(row.grid[2]),
                   told(row.block[0]),
                   told(row.block[1]),
                   told(row.block[2]),
                   told(row.registers),
                   row.grid[0] == 0 ? Cell() : Cell::of(std::int64_t{row.sharedBytes}),
                   Cell::unless(-1, row.occupancyPercent),
                   Cell::of(static_cast<std::int64_t>(row.shapes))});
    }
    return rows;
}

std::int64_t nanoseconds(double us) {
    return saturatedTime(std::round(us * 1e3));
}

std::unique_ptr<Rows> operators(Material& material, std::size_t file) {
    auto rows = std::make_unique<RowList>(findTable("operators")->columns.size());
    const trace::Trace& trace = material.facts(file).trace();
    analysis::OperatorOptions options;
    options.byShape = false;
    options.stop = material.stop;
    if (const auto window = material.windowOf(file)) {
        const TimeNs first = trace.extent().start;
        options.window.kind = analysis::WindowKind::Range;
        options.window.range = {window->start - first, window->end - first};
    }
    const auto table = orOutOfMemory(analysis::makeOperatorTable(trace, options));
    throwIfStopped(material.stop);
    if (!table) {
        return rows;  // no time in common with the window
    }
    const auto id = [&](trace::SliceId slice) {
        return slice == trace::kNoSlice ? Cell() : Cell::of(wholeId(file, slice));
    };
    for (const analysis::OperatorRow& row : table->rows) {
        rows->add({rows->keep(row.name), Cell::of(std::string_view(row.onGpu ? "GPU" : "CPU")),
                   Cell::of(std::int64_t{row.annotation}),
                   Cell::of(static_cast<std::int64_t>(row.count)),
                   Cell::of(nanoseconds(row.selfCpuUs)), Cell::of(nanoseconds(row.cpuUs)),
                   Cell::of(nanoseconds(row.selfGpuUs)), Cell::of(nanoseconds(row.gpuUs)),
                   id(row.first), id(row.longest)});
    }
    return rows;
}

std::unique_ptr<Rows> steps(Material& material, std::size_t file) {
    auto rows = std::make_unique<RowList>(findTable("steps")->columns.size());
    for (const analysis::Step& step : material.facts(file).steps()) {
        rows->add({Cell::of(step.number), rows->keep(step.name),
                   Cell::of(material.shown(file, step.span.start)), Cell::of(step.span.duration()),
                   Cell::of(material.shown(file, step.span.end)),
                   Cell::of(material.shown(file, step.cpuEndNs)), Cell::of(step.busyNs),
                   Cell::of(static_cast<std::int64_t>(step.kernels))});
    }
    return rows;
}

}  // namespace

std::vector<TableInfo> sumTables() {
    using enum ColumnType;
    TableInfo kernelTable{
        .name = "kernels",
        .about = "One row per kernel name and GPU; with a window, launches that start in it",
        .columns = {{"name", Text, "", "as the file has it"},
                    {"short_name", Text, "",
                     "without template arguments, parameters and namespaces"},
                    {"gpu", Integer, "", "number of the GPU"},
                    {"family", Text, "", "gemm, conv, norm, copy, comm, triton, …"},
                    {"category", Text, "", "of Inductor: triton_pointwise, …, unknown"},
                    {"mm_conv", Integer, "", "1: matrix multiplication or convolution"},
                    {"count", Integer, "", "how often it ran"},
                    {"sum", Integer, "ns", "of the durations"},
                    {"mean", Real, "ns", "of the durations"},
                    {"median", Real, "ns", "of the durations"},
                    {"min", Integer, "ns", "shortest"},
                    {"max", Integer, "ns", "longest"},
                    {"std", Real, "ns", "standard deviation (n - 1); 0 for a single launch"},
                    {"grid_x", Integer, "", "blocks of the most frequent grid"},
                    {"grid_y", Integer, "", "blocks of the most frequent grid"},
                    {"grid_z", Integer, "", "blocks of the most frequent grid"},
                    {"block_x", Integer, "", "threads of its blocks"},
                    {"block_y", Integer, "", "threads of its blocks"},
                    {"block_z", Integer, "", "threads of its blocks"},
                    {"registers", Integer, "", "of a thread"},
                    {"shared_bytes", Integer, "bytes", "shared memory of a block"},
                    {"occupancy", Integer, "%", "estimated achieved occupancy"},
                    {"shapes", Integer, "", "different launch shapes"}},
        .sums = true,
        .usualRows = 200,
        .make = kernels};
    TableInfo operatorTable{
        .name = "operators",
        .about = "Operators and annotations by name, counted like torch.profiler's key_averages()",
        .columns = {{"name", Text, "", "aten::mm, …; of GPU rows the kernel"},
                    {"side", Text, "", "CPU or GPU"},
                    {"annotation", Integer, "", "1: a range marked by the program"},
                    {"count", Integer, "", "how often it ran"},
                    {"self_cpu", Integer, "ns", "self CPU time, without children"},
                    {"total_cpu", Integer, "ns", "CPU time"},
                    {"self_gpu", Integer, "ns", "GPU work with its External id"},
                    {"total_gpu", Integer, "ns", "and that of all children"},
                    {"first", Integer, "", "slice of the first one"},
                    {"longest", Integer, "", "slice of the longest one"}},
        .sums = true,
        .usualRows = 500,
        .make = operators};
    TableInfo stepTable{.name = "steps",
                        .about = "Iterations: ProfilerStep#N, or numbered annotations",
                        .columns = {{"number", Integer, "", "N"},
                                    {"name", Text, "", "as the file has it"},
                                    {"start", Integer, "ns", "since the first event", true},
                                    {"dur", Integer, "ns", "until its GPU work has finished"},
                                    {"end", Integer, "ns", "start + dur"},
                                    {"cpu_end", Integer, "ns", "end of the CPU span alone"},
                                    {"busy", Integer, "ns", "in which a GPU worked"},
                                    {"kernels", Integer, "", "launched inside"}},
                        .usualRows = 30,
                        .make = steps};
    return {std::move(kernelTable), std::move(operatorTable), std::move(stepTable)};
}

}  // namespace kinetoscope::query::sql
