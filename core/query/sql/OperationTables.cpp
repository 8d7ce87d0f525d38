// SPDX-License-Identifier: Apache-2.0
// Tables of what GPUs ran, and of the calls that launched it.
#include "core/query/sql/Material.h"
#include "core/query/sql/Table.h"

namespace kinetoscope::query::sql {

namespace {

// The data that the rows of both tables are read from.
class OperationRows : public Rows {
public:
    OperationRows(Material& material, std::size_t file)
        : m_material(material), m_facts(material.facts(file)), m_file(file) {}

protected:
    [[nodiscard]] const trace::Trace& trace() const { return m_facts.trace(); }
    [[nodiscard]] const trace::GpuOperation& operation(std::size_t row) const {
        return trace().gpuOperations()[row];
    }
    [[nodiscard]] Cell id(trace::SliceId slice) const {
        return slice == trace::kNoSlice ? Cell() : Cell::of(wholeId(m_file, slice));
    }
    [[nodiscard]] Cell time(TimeNs at) const { return Cell::of(m_material.shown(m_file, at)); }
    [[nodiscard]] FileFacts& facts() const { return m_facts; }

private:
    Material& m_material;
    FileFacts& m_facts;
    std::size_t m_file;
};

// 0: unknown.
Cell told(std::uint64_t value) {
    return Cell::unless(0, static_cast<std::int64_t>(value));
}

enum OperationColumn : int {
    Id,
    Name,
    Category,
    Start,
    Dur,
    End,
    Gpu,
    Stream,
    Correlation,
    Call,
    Operator,
    Family,
    Communication,
    Bytes,
    GridX,
    GridY,
    GridZ,
    BlockX,
    BlockY,
    BlockZ,
    Registers,
    Shared,
    Occupancy,
    Graph,
    Track
};

class GpuOperations final : public OperationRows {
public:
    using OperationRows::OperationRows;

    [[nodiscard]] std::size_t count() const override { return trace().gpuOperations().size(); }

    [[nodiscard]] Cell cell(std::size_t row, int column) const override {
        const trace::GpuOperation& op = operation(row);
        switch (column) {
            case Id:
                return id(op.slice);
            case Name:
                return Cell::of(trace().name(op.slice));
            case Category:
                return Cell::of(trace().categoryText(trace().categoryId(op.slice)));
            case Start:
                return time(trace().start(op.slice));
            case Dur:
                return Cell::of(trace().duration(op.slice));
            case End:
                return time(trace().end(op.slice));
            case Gpu:
                return Cell::of(std::int64_t{op.gpu});
            case Stream:
                return Cell::of(op.stream);
            case Correlation:
                return Cell::unless(trace::kNoId, trace().correlation(op.slice));
            case Track:
                return Cell::of(std::int64_t{trace().trackOf(op.slice)});
            default:
                return derived(row, op, column);
        }
    }
    [[nodiscard]] std::uint32_t code(std::size_t row, int column) const override {
        const trace::SliceId slice = operation(row).slice;
        return column == Name ? trace().nameId(slice) : trace().categoryId(slice);
    }
    [[nodiscard]] CodeTexts codeTexts(int column) const override {
        return column == Name ? CodeTexts(trace().names()) : categoryTexts(trace());
    }

private:
    [[nodiscard]] Cell derived(std::size_t row, const trace::GpuOperation& op, int column) const {
        const auto number = static_cast<trace::GpuOpId>(row);
        switch (column) {
            case Call:
                return id(facts().links().apiCall(number));
            case Operator:
                return id(facts().links().launchingOperator(number));
            case Family:
                return Cell::of(facts().kernelNames().of(number).family);
            case Communication:
                return Cell::of(std::int64_t{
                    analysis::isCommunication(trace(), facts().kernelNames(), number)});
            case Bytes:
                return trace().category(op.slice) == trace::Category::Kernel ? Cell()
                                                                             : told(op.bytes);
            default:
                return shape(op, column);
        }
    }
    [[nodiscard]] static Cell shape(const trace::GpuOperation& op, int column) {
        switch (column) {
            case GridX:
            case GridY:
            case GridZ:
                return told(op.grid[static_cast<std::size_t>(column - GridX)]);
            case BlockX:
            case BlockY:
            case BlockZ:
                return told(op.block[static_cast<std::size_t>(column - BlockX)]);
            case Registers:
                return told(op.registers);
            case Shared:
                return op.grid[0] == 0 ? Cell() : Cell::of(std::int64_t{op.sharedBytes});
            case Occupancy:
                return Cell::unless(-1, op.occupancyPercent);
            default:
                return told(op.graph);
        }
    }
};

enum LaunchColumn : int {
    Op,
    OpName,
    LaunchCall,
    CallName,
    LaunchOperator,
    OperatorName,
    Thread,
    CallStart,
    CallDur,
    OpStart,
    OpDur,
    OpEnd,
    Delay,
    LaunchGpu,
    LaunchStream,
    IsGraph
};

class LaunchRows final : public OperationRows {
public:
    LaunchRows(Material& material, std::size_t file) : OperationRows(material, file) {
        for (trace::GpuOpId number = 0; number < trace().gpuOperations().size(); ++number) {
            if (facts().links().apiCall(number) != trace::kNoSlice) {
                m_operations.push_back(number);
            }
        }
    }
    [[nodiscard]] std::size_t count() const override { return m_operations.size(); }

    [[nodiscard]] Cell cell(std::size_t row, int column) const override {
        const trace::GpuOpId number = m_operations[row];
        const trace::GpuOperation& op = operation(number);
        const trace::SliceId call = facts().links().apiCall(number);
        switch (column) {
            case Op:
                return id(op.slice);
            case OpName:
                return Cell::of(trace().name(op.slice));
            case LaunchCall:
                return id(call);
            case CallName:
                return Cell::of(trace().name(call));
            case Thread:
                return Cell::of(std::int64_t{trace().trackOf(call)});
            case CallStart:
                return time(trace().start(call));
            case CallDur:
                return Cell::of(trace().duration(call));
            case OpStart:
                return time(trace().start(op.slice));
            case OpDur:
                return Cell::of(trace().duration(op.slice));
            case OpEnd:
                return time(trace().end(op.slice));
            case LaunchGpu:
                return Cell::of(std::int64_t{op.gpu});
            case LaunchStream:
                return Cell::of(op.stream);
            default:
                return linked(number, column);
        }
    }
    [[nodiscard]] std::uint32_t code(std::size_t row, int column) const override {
        const trace::GpuOpId number = m_operations[row];
        return trace().nameId(column == OpName ? operation(number).slice
                                               : facts().links().apiCall(number));
    }
    [[nodiscard]] CodeTexts codeTexts(int /*column*/) const override {
        return CodeTexts(trace().names());
    }

private:
    [[nodiscard]] Cell linked(trace::GpuOpId number, int column) const {
        const LaunchLinks& links = facts().links();
        const trace::SliceId launcher = links.launchingOperator(number);
        switch (column) {
            case LaunchOperator:
                return id(launcher);
            case OperatorName:
                return launcher == trace::kNoSlice ? Cell() : Cell::of(trace().name(launcher));
            case Delay:
                return links.isGraphLaunch(number)
                           ? Cell()
                           : Cell::of(trace().start(operation(number).slice) -
                                      trace().end(links.apiCall(number)));
            default:
                return Cell::of(std::int64_t{links.isGraphLaunch(number)});
        }
    }

    std::vector<trace::GpuOpId> m_operations;
};

template <class Made>
std::unique_ptr<Rows> make(Material& material, std::size_t file) {
    return std::make_unique<Made>(material, file);
}

}  // namespace

std::vector<TableInfo> operationTables() {
    using enum ColumnType;
    TableInfo operations{
        .name = "gpu_ops",
        .about = "Every execution of a kernel, copy or memset",
        .columns = {{"id", Integer, "", "its slice id", true, true},
                    {"name", Code, "", "full name of the kernel, as in the file", true},
                    {"category", Code, "", "kernel, gpu_memcpy or gpu_memset", true},
                    {"start", Integer, "ns", "since the first event", true},
                    {"dur", Integer, "ns", "duration"},
                    {"end", Integer, "ns", "start + dur"},
                    {"gpu", Integer, "", "number of the GPU", true},
                    {"stream", Integer, "", "the queue that it ran in", true},
                    {"correlation", Integer, "", "shared with the call that launched it", true,
                     true},
                    {"call", Integer, "", "slice of the API call that launched it", true, true},
                    {"operator", Integer, "", "slice of the operator that launched it", true, true},
                    {"family", Text, "", "gemm, conv, norm, copy, comm, triton, …"},
                    {"communication", Integer, "", "1 for NCCL and other communication kernels"},
                    {"bytes", Integer, "bytes", "bytes moved or set by copies and memsets"},
                    {"grid_x", Integer, "", "blocks of the grid"},
                    {"grid_y", Integer, "", "blocks of the grid"},
                    {"grid_z", Integer, "", "blocks of the grid"},
                    {"block_x", Integer, "", "threads of a block"},
                    {"block_y", Integer, "", "threads of a block"},
                    {"block_z", Integer, "", "threads of a block"},
                    {"registers", Integer, "", "of a thread"},
                    {"shared_bytes", Integer, "bytes", "shared memory of a block"},
                    {"occupancy", Integer, "%", "estimated achieved occupancy"},
                    {"graph", Integer, "", "number of its CUDA graph"},
                    {"track", Integer, "", "its row: threads.track"}},
        .usualRows = 1e5,
        .make = make<GpuOperations>};
    TableInfo launches{
        .name = "launches",
        .about = "GPU operations whose API call is in the trace, with that call",
        .columns = {{"id", Integer, "", "slice of the GPU operation", true, true},
                    {"name", Code, "", "of the GPU operation", true},
                    {"call", Integer, "", "slice of the API call", true, true},
                    {"call_name", Code, "", "cudaLaunchKernel, …", true},
                    {"operator", Integer, "", "slice of the operator that launched it", true, true},
                    {"operator_name", Text, "", "its name"},
                    {"track", Integer, "", "the calling thread: threads.track"},
                    {"call_start", Integer, "ns", "of the API call, since the first event", true},
                    {"call_dur", Integer, "ns", "of the API call"},
                    {"start", Integer, "ns", "of the GPU operation", true},
                    {"dur", Integer, "ns", "of the GPU operation"},
                    {"end", Integer, "ns", "of the GPU operation"},
                    {"delay", Integer, "ns",
                     "from the end of the call to the operation's start; null in graphs"},
                    {"gpu", Integer, "", "number of the GPU", true},
                    {"stream", Integer, "", "the queue that it ran in", true},
                    {"in_graph", Integer, "", "1: launched with others by a CUDA graph"}},
        .usualRows = 1e5,
        .make = make<LaunchRows>};
    return {std::move(operations), std::move(launches)};
}

}  // namespace kinetoscope::query::sql
