// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>

#include "core/base/Demangle.h"
#include "core/base/Wrapping.h"
#include "core/import/nsys/Tables.h"
#include "core/json/Json.h"
#include "core/stream/CaptureText.h"

namespace kinetoscope::import::nsys {

namespace {

using database::Argument;
using database::EventTable;
using database::Rows;
using database::Schema;
using database::Unit;

// Waits get a row of their own: they overlap with the stream's work.
constexpr std::int64_t kSyncTid = 1'000'000;
// Names are kept by the number of their text; others by that of what they are made of.
enum NameKind : unsigned {
    KernelName,
    CopyName,
    CopyNameOfMemories,
    MemsetName,
    GraphName,
    SyncName,
    RowName
};

template <class T>
T bounded(std::int64_t value) {
    constexpr auto kMax = static_cast<std::uint64_t>(std::numeric_limits<T>::max());
    return value < 0 ? T{0} : static_cast<T>(std::min(static_cast<std::uint64_t>(value), kMax));
}

// The first columns of every table of a GPU's work.
enum WorkColumn : std::size_t { Start, End, Device, Stream, Correlation, Pid, WorkColumns };

// A table with these and `own` columns; `hidden`: how many of the latter are no arguments.
EventTable workTable(const database::Table& table, std::initializer_list<std::string_view> own,
                     std::size_t hidden) {
    EventTable events;
    events.table = &table;
    events.columns = {"start", "end", "deviceId", "streamId", "correlationId", "globalPid"};
    events.columns.insert(events.columns.end(), own);
    events.hidden = events.columns;
    events.hidden.resize(WorkColumns + hidden);
    return events;
}

// Where work of a device is shown.
struct Place {
    GlobalId process;
    std::int32_t gpu = 0;
    std::int64_t stream = 0;
};

Place placeOf(const Report& report, const Rows& row) {
    Place place;
    place.process = {row.integer(Pid)};
    place.gpu = report.gpuOf(place.process, row.integer(Device));
    place.stream = wrappingSum(row.integer(Stream), report.streamBase(place.process, place.gpu));
    return place;
}

// Where no column has the graph's number, it is the upper half of its nodes'.
std::uint32_t graphOf(const Rows& row, std::size_t graph, std::size_t node) {
    constexpr unsigned kNodeBits = 32;
    return bounded<std::uint32_t>(row.isNull(graph) ? row.integer(node) >> kNodeBits
                                                    : row.integer(graph));
}

trace::TrackId streamTrack(Unit& unit, const Place& place) {
    return unit.builder.track({false, place.gpu}, {false, place.stream});
}

std::int64_t correlationOf(const Report& report, const Rows& row, GlobalId process) {
    const auto correlation = row.number(Correlation);
    return correlation ? wrappingSum(*correlation, report.idBase(process)) : trace::kNoId;
}

void addWork(const Report& report, const Rows& row, Unit& unit, trace::Category category,
             NameId name, TimeSpan span, trace::GpuOperation operation) {
    const Place place = placeOf(report, row);
    operation.slice = unit.addSlice(span, name, streamTrack(unit, place),
                                    static_cast<trace::CategoryId>(category), unit.offset(row),
                                    correlationOf(report, row, place.process));
    operation.gpu = place.gpu;
    operation.stream = place.stream;
    unit.builder.addGpuOperation(operation);
}

std::string kernelName(const Report& report, std::int64_t id) {
    const std::string_view text = report.text(id);
    return text.empty() ? fmt::format("kernel {}", id) : demangledName(text);
}

EventTable kernels(const database::Table& table, const Report& report) {
    enum : std::size_t {
        Demangled = WorkColumns,
        Registers,
        GridX,
        GridY,
        GridZ,
        BlockX,
        BlockY,
        BlockZ,
        Short,
        Mangled,
        Static,
        Dynamic,
        Graph,
        Node
    };
    EventTable events =
        workTable(table,
                  {"demangledName", "registersPerThread", "gridX", "gridY", "gridZ", "blockX",
                   "blockY", "blockZ", "shortName", "mangledName", "staticSharedMemory",
                   "dynamicSharedMemory", "graphId", "graphNodeId"},
                  8);
    events.read = [&report](const Rows& row, Unit& unit) {
        const auto span = unit.span(row, Start, End);
        if (!span) {
            return;
        }
        const std::size_t named = !row.isNull(Demangled) && row.integer(Demangled) != 0 ? Demangled
                                  : !row.isNull(Short)                                  ? Short
                                                                                        : Mangled;
        const std::int64_t id = row.integer(named);
        const NameId name =
            unit.names.of(unit.builder, KernelName, id, [&] { return kernelName(report, id); });
        trace::GpuOperation operation;
        for (std::size_t axis = 0; axis < 3; ++axis) {
            operation.grid[axis] = bounded<std::uint32_t>(row.integer(GridX + axis));
            operation.block[axis] = bounded<std::uint16_t>(row.integer(BlockX + axis));
        }
        operation.registers = bounded<std::uint16_t>(row.integer(Registers));
        operation.sharedBytes =
            bounded<std::uint32_t>(std::int64_t{bounded<std::uint32_t>(row.integer(Static))} +
                                   bounded<std::uint32_t>(row.integer(Dynamic)));
        operation.graph = graphOf(row, Graph, Node);
        addWork(report, row, unit, trace::Category::Kernel, name, *span, operation);
    };
    return events;
}

// "Unified HtoD" of "Unified Host-to-Device"; other words as they are.
std::string shortKind(std::string_view label) {
    constexpr std::string_view kTo = "-to-";
    const std::size_t to = label.find(kTo);
    const std::size_t word = to == std::string_view::npos ? to : label.rfind(' ', to);
    const std::size_t begin = word == std::string_view::npos ? 0 : word + 1;
    if (to == std::string_view::npos || to + kTo.size() >= label.size() || begin >= to) {
        return std::string(label);
    }
    return fmt::format("{}{}to{}", label.substr(0, begin), label[begin], label[to + kTo.size()]);
}

std::string copyName(const Report& report, std::int64_t kind, std::optional<std::int64_t> from,
                     std::optional<std::int64_t> to) {
    const std::string_view label = report.code("copyKind", kind);
    stream::format::CopyRecord plain{};
    plain.kind = bounded<std::uint8_t>(kind);
    const std::string known = stream::copyName(plain);  // "Memcpy HtoD (Unknown -> Unknown)"
    std::string name =
        label.empty() ? known.substr(0, known.find(" (")) : "Memcpy " + shortKind(label);
    const std::string_view source = from ? report.code("srcKind", *from) : std::string_view();
    const std::string_view target = to ? report.code("dstKind", *to) : std::string_view();
    if (!source.empty() && !target.empty()) {
        name += fmt::format(" ({} -> {})", source, target);
    }
    return name;
}

EventTable copies(const database::Table& table, const Report& report) {
    enum : std::size_t { Bytes = WorkColumns, Kind, From, To, Graph, Node };
    EventTable events =
        workTable(table, {"bytes", "copyKind", "srcKind", "dstKind", "graphId", "graphNodeId"}, 1);
    events.read = [&report](const Rows& row, Unit& unit) {
        const auto span = unit.span(row, Start, End);
        if (!span) {
            return;
        }
        const auto from = row.number(From);
        const auto to = row.number(To);
        const database::NameKey key{row.integer(Kind), from.value_or(0), to.value_or(0)};
        const NameId name =
            unit.names.of(unit.builder, from && to ? CopyNameOfMemories : CopyName, key,
                          [&] { return copyName(report, row.integer(Kind), from, to); });
        trace::GpuOperation operation;
        operation.bytes = bounded<std::uint64_t>(row.integer(Bytes));
        operation.graph = graphOf(row, Graph, Node);
        addWork(report, row, unit, trace::Category::GpuMemcpy, name, *span, operation);
    };
    return events;
}

EventTable memsets(const database::Table& table, const Report& report) {
    enum : std::size_t { Bytes = WorkColumns, Memory, Graph, Node };
    EventTable events = workTable(table, {"bytes", "memKind", "graphId", "graphNodeId"}, 1);
    events.read = [&report](const Rows& row, Unit& unit) {
        const auto span = unit.span(row, Start, End);
        if (!span) {
            return;
        }
        const std::int64_t memory = row.isNull(Memory) ? -1 : row.integer(Memory);
        const NameId name = unit.names.of(unit.builder, MemsetName, memory, [&] {
            const std::string_view word = report.code("memKind", memory);
            return fmt::format("Memset ({})", word.empty() ? "Device" : word);
        });
        trace::GpuOperation operation;
        operation.bytes = bounded<std::uint64_t>(row.integer(Bytes));
        operation.graph = graphOf(row, Graph, Node);
        addWork(report, row, unit, trace::Category::GpuMemset, name, *span, operation);
    };
    return events;
}

// Whole graphs, where the recording did not look at their nodes.
EventTable graphs(const database::Table& table, const Report& report) {
    enum : std::size_t { Graph = WorkColumns };
    EventTable events = workTable(table, {"graphId"}, 0);
    events.read = [&report](const Rows& row, Unit& unit) {
        const auto span = unit.span(row, Start, End);
        if (!span) {
            return;
        }
        const std::int64_t graph = row.integer(Graph);
        const NameId name = unit.names.of(unit.builder, GraphName, graph,
                                          [&] { return fmt::format("CUDA graph {}", graph); });
        trace::GpuOperation operation;
        operation.graph = bounded<std::uint32_t>(graph);
        addWork(report, row, unit, trace::Category::Kernel, name, *span, operation);
    };
    return events;
}

std::string_view syncName(const Report& report, std::int64_t type) {
    const std::string_view word = stream::synchronizationName(bounded<std::uint32_t>(type));
    const std::string_view label = report.code("syncType", type);
    return word != stream::synchronizationName(0) || label.empty() ? word : label;
}

EventTable synchronisations(const database::Table& table, const Report& report) {
    enum : std::size_t { Type = WorkColumns, Event };
    EventTable events = workTable(table, {"syncType", "eventId"}, 2);
    // A wait for the whole device names no stream: 0xffffffff.
    const auto isWhole = [](const Rows& row) {
        return row.isNull(Stream) || row.integer(Stream) < 0 ||
               row.integer(Stream) >= std::numeric_limits<std::uint32_t>::max();
    };
    events.read = [&report, isWhole](const Rows& row, Unit& unit) {
        const auto span = unit.span(row, Start, End);
        if (!span) {
            return;
        }
        const Place place = placeOf(report, row);
        const std::int64_t stream = isWhole(row) ? -1 : place.stream;
        const trace::TrackId track =
            unit.builder.track({false, place.gpu}, {false, kSyncTid + stream});
        const NameId label = unit.names.of(unit.builder, RowName, stream, [&] {
            return stream < 0 ? std::string("device (sync)")
                              : fmt::format("stream {} (sync)", stream);
        });
        unit.builder.setTrack(track, trace::RowField::Name, label);
        const std::int64_t type = row.integer(Type);
        const NameId name = unit.names.of(unit.builder, SyncName, type,
                                          [&] { return std::string(syncName(report, type)); });
        unit.addSlice(*span, name, track, static_cast<trace::CategoryId>(trace::Category::CudaSync),
                      unit.offset(row), correlationOf(report, row, place.process));
    };
    events.describe = [&report, isWhole](const Rows& row, std::vector<Argument>& arguments) {
        constexpr std::int64_t kEventSync = 1;
        constexpr std::int64_t kStreamWaitEvent = 2;
        const Place place = placeOf(report, row);
        const std::int64_t type = row.integer(Type);
        arguments.emplace_back("cuda_sync_kind", json::quotedJson(syncName(report, type)));
        arguments.emplace_back("stream", std::to_string(isWhole(row) ? -1 : place.stream));
        arguments.emplace_back("device", std::to_string(place.gpu));
        if (type == kEventSync || type == kStreamWaitEvent) {
            arguments.emplace_back(
                "wait_on_cuda_event_id",
                std::to_string(wrappingSum(row.integer(Event), report.idBase(place.process))));
        }
    };
    return events;
}

EventTable eventRecords(const database::Table& table, const Report& report) {
    enum : std::size_t { Event = WorkColumns };
    EventTable events = workTable(table, {"eventId"}, 1);
    events.columns[Start] = events.hidden[Start] = "timestamp";
    events.read = [&report](const Rows& row, Unit& unit) {
        const auto time = unit.time(row, Start);
        if (!time || *time == 0) {
            return;  // 0: the device's time was not requested
        }
        const Place place = placeOf(report, row);
        unit.addSlice({*time, *time + 1}, unit.builder.name("cudaEventRecord"),
                      streamTrack(unit, place),
                      static_cast<trace::CategoryId>(trace::Category::CudaEvent), unit.offset(row),
                      correlationOf(report, row, place.process));
    };
    events.describe = [&report](const Rows& row, std::vector<Argument>& arguments) {
        const Place place = placeOf(report, row);
        arguments.emplace_back("event_id", std::to_string(wrappingSum(
                                               row.integer(Event), report.idBase(place.process))));
        arguments.emplace_back("stream", std::to_string(place.stream));
        arguments.emplace_back("device", std::to_string(place.gpu));
    };
    return events;
}

}  // namespace

void addGpuTables(const Schema& schema, const Report& report, std::vector<EventTable>& tables) {
    using Make = EventTable (*)(const database::Table&, const Report&);
    constexpr std::array<std::pair<std::string_view, Make>, 7> kTables{{
        {"CUPTI_ACTIVITY_KIND_KERNEL", kernels},
        {"CUPTI_ACTIVITY_KIND_GRAPH_TRACE", graphs},
        {"CUPTI_ACTIVITY_KIND_MEMCPY", copies},
        {"CUPTI_ACTIVITY_KIND_MEMCPY2", copies},
        {"CUPTI_ACTIVITY_KIND_MEMSET", memsets},
        {"CUPTI_ACTIVITY_KIND_SYNCHRONIZATION", synchronisations},
        {"CUPTI_ACTIVITY_KIND_CUDA_EVENT", eventRecords},
    }};
    for (const auto& [name, make] : kTables) {
        if (const database::Table* table = schema.find(name)) {
            tables.push_back(make(*table, report));
        }
    }
}

}  // namespace kinetoscope::import::nsys
