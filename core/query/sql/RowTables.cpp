// SPDX-License-Identifier: Apache-2.0
// Tables of the rows of a trace, and of the memory in its events.
#include <fmt/format.h>

#include "core/base/Threads.h"
#include "core/memory/TraceHistory.h"
#include "core/query/sql/Material.h"
#include "core/query/sql/RowList.h"

namespace kinetoscope::query::sql {

namespace {

std::string_view kindName(trace::TrackKind kind, bool ofGpu) {
    if (ofGpu) {
        return "stream";
    }
    return kind == trace::TrackKind::Thread  ? "thread"
           : kind == trace::TrackKind::Async ? "async"
                                             : "counter";
}

std::unique_ptr<Rows> threads(Material& material, std::size_t file) {
    FileFacts& facts = material.facts(file);
    const trace::Trace& trace = facts.trace();
    auto rows = std::make_unique<RowList>(findTable("threads")->columns.size());
    std::vector<std::int64_t> slices(trace.tracks().size());
    for (const trace::TrackId track : trace.trackIds()) {
        ++slices[track];
    }
    std::vector<const trace::GpuOperation*> operation(trace.tracks().size());
    for (const trace::GpuOperation& each : trace.gpuOperations()) {
        operation[trace.trackOf(each.slice)] = &each;
    }
    for (trace::TrackId id = 0; id < trace.tracks().size(); ++id) {
        const trace::Track& track = trace.tracks()[id];
        const trace::Process& process = trace.processes()[track.process];
        const trace::GpuOperation* const op = operation[id];
        rows->add({Cell::of(std::int64_t{id}), Cell::of(kindName(track.kind, op != nullptr)),
                   rows->keep(facts.rowNames().whole(id)), rows->keep(trace.rowIdText(process.pid)),
                   Cell::of(trace.text(process.name)), rows->keep(trace.rowIdText(track.tid)),
                   Cell::of(trace.text(track.name)),
                   op == nullptr ? Cell() : Cell::of(std::int64_t{op->gpu}),
                   op == nullptr ? Cell() : Cell::of(op->stream), Cell::of(slices[id])});
    }
    return rows;
}

// Both null if unknown: from before its first event, until after its last one.
struct Lifetime {
    Cell start;
    Cell end;
};

Lifetime lifetimeOf(const memory::Device& device, const memory::Block& block, TimeNs origin) {
    Lifetime life;
    if (block.from < device.allocated.size()) {
        life.start = Cell::of(device.allocated[block.from].time + origin);
    }
    if (block.to < device.allocated.size()) {
        life.end = Cell::of(device.allocated[block.to].time + origin);
    }
    return life;
}

void addBlocks(const memory::History& history, const memory::Device& device, TimeNs origin,
               RowList& rows) {
    const Cell name = rows.keep(device.name);
    for (const memory::Block& block : device.blocks) {
        const memory::Place& place = history.places[block.place];
        const auto [start, end] = lifetimeOf(device, block, origin);
        rows.add({name, Cell::of(block.bytes), start,
                  start.isNull() || end.isNull() ? Cell() : Cell::of(end.integer - start.integer),
                  end, rows.keepIfAny(history.name(place.operation)),
                  Cell::of(memory::purposeName(place.purpose)),
                  rows.keepIfAny(history.name(place.line)),
                  rows.keep(fmt::format("0x{:x}", block.address))});
    }
}

std::unique_ptr<Rows> memoryBlocks(Material& material, std::size_t file) {
    const trace::Trace& trace = material.facts(file).trace();
    auto rows = std::make_unique<RowList>(findTable("memory")->columns.size());
    const auto history = memory::historyOf(trace, material.stop);
    throwIfStopped(material.stop);
    if (history) {
        const TimeNs origin = material.shown(file, history->startNs);
        for (const memory::Device& device : history->devices) {
            addBlocks(*history, device, origin, *rows);
        }
    }
    return rows;
}

}  // namespace

std::vector<TableInfo> rowTables() {
    using enum ColumnType;
    TableInfo threadTable{
        .name = "threads",
        .about = "The rows of the trace: CPU threads, GPU streams, counters",
        .columns = {{"track", Integer, "", "referenced by slices.track and others", true},
                    {"kind", Text, "", "thread, stream, async or counter"},
                    {"label", Text, "", "label in the timeline: GPU 0, stream 7"},
                    {"pid", Text, "", "of its process"},
                    {"process", Text, "", "name of its process"},
                    {"tid", Text, "", "of the thread"},
                    {"name", Text, "", "of the thread"},
                    {"gpu", Integer, "", "of a stream"},
                    {"stream", Integer, "", "of a stream"},
                    {"slices", Integer, "", "how many lie on it"}},
        .usualRows = 50,
        .make = threads};
    TableInfo memoryTable{
        .name = "memory",
        .about = "Allocations from [memory] events (profile_memory=True)",
        .columns = {{"device", Text, "", "GPU 0, CPU"},
                    {"bytes", Integer, "bytes", "of the block"},
                    {"start", Integer, "ns", "when it was allocated; null: before the first event",
                     true},
                    {"dur", Integer, "ns", "lifetime, if both ends are known"},
                    {"end", Integer, "ns", "when it was freed; null: never"},
                    {"operation", Text, "", "the operator or function that allocated it"},
                    {"purpose", Text, "", "parameters, activations, gradients, …"},
                    {"line", Text, "", "line of the program, if recorded"},
                    {"address", Text, "", "of the block"}},
        .usualRows = 1e4,
        .make = memoryBlocks};
    return {std::move(threadTable), std::move(memoryTable)};
}

}  // namespace kinetoscope::query::sql
