// SPDX-License-Identifier: Apache-2.0
#include "core/import/rocm/RocpdFormat.h"

#include <algorithm>
#include <array>
#include <set>

#include "core/base/Ascii.h"
#include "core/import/database/RangeText.h"
#include "core/import/database/RowNumbers.h"
#include "core/import/rocm/Recording.h"
#include "core/import/rocm/RocmNames.h"
#include "core/json/Json.h"

namespace kinetoscope::import::rocm {

namespace {

using database::Argument;
using database::EventTable;
using database::Rows;
using database::Schema;
using database::Table;
using database::Unit;

constexpr std::string_view kDispatches = "rocpd_kernel_dispatch";
constexpr std::string_view kRegions = "rocpd_region";
constexpr std::string_view kCopies = "rocpd_memory_copy";
constexpr std::string_view kAllocations = "rocpd_memory_allocate";

void addWork(const Recording& recording, Unit& unit, TimeSpan span, trace::Category category,
             std::string_view name, std::uint64_t offset, std::int64_t event,
             trace::GpuOperation operation) {
    operation.slice =
        unit.addSlice(span, unit.builder.name(name),
                      unit.builder.track({false, operation.gpu}, {false, operation.stream}),
                      idOf(category), offset, recording.correlation(event));
    unit.builder.addGpuOperation(operation);
}

EventTable dispatches(const Table& table, const Recording& recording) {
    enum : std::size_t {
        Start,
        End,
        Agent,
        Kernel,
        Queue,
        Stream,
        Event,
        Shared,
        GroupX,
        GroupY,
        GroupZ,
        GridX,
        GridY,
        GridZ
    };
    EventTable events;
    events.table = &table;
    events.columns = {"start",
                      "end",
                      "agent_id",
                      "kernel_id",
                      "queue_id",
                      "stream_id",
                      "event_id",
                      "group_segment_size",
                      "workgroup_size_x",
                      "workgroup_size_y",
                      "workgroup_size_z",
                      "grid_size_x",
                      "grid_size_y",
                      "grid_size_z"};
    events.hidden = {"start",
                     "end",
                     "guid",
                     "nid",
                     "agent_id",
                     "stream_id",
                     "event_id",
                     "group_segment_size",
                     "workgroup_size_x",
                     "workgroup_size_y",
                     "workgroup_size_z",
                     "grid_size_x",
                     "grid_size_y",
                     "grid_size_z"};
    events.read = [&recording](const Rows& row, Unit& unit) {
        const auto span = unit.span(row, Start, End);
        if (!span) {
            return;
        }
        const Recording::Agent* agent = recording.agent(row.integer(Agent));
        const Recording::Kernel* kernel = recording.kernel(row.integer(Kernel));
        trace::GpuOperation operation;
        operation.gpu = agent == nullptr ? bounded<std::int32_t>(row.integer(Agent)) : agent->gpu;
        operation.stream = recording.stream(row.integer(row.isNull(Stream) ? Queue : Stream));
        for (std::size_t axis = 0; axis < 3; ++axis) {
            const std::int64_t group = row.integer(GroupX + axis);
            operation.block[axis] = bounded<std::uint16_t>(group);
            operation.grid[axis] = blocksOf(row.integer(GridX + axis), group);
        }
        operation.registers = kernel == nullptr ? 0 : bounded<std::uint16_t>(kernel->registers);
        operation.sharedBytes = bounded<std::uint32_t>(row.integer(Shared));
        addWork(recording, unit, *span, trace::Category::Kernel,
                kernel == nullptr ? "kernel " + std::to_string(row.integer(Kernel)) : kernel->name,
                unit.offset(row), row.integer(Event), operation);
    };
    return events;
}

EventTable copies(const Table& table, const Recording& recording) {
    enum : std::size_t { Start, End, Name, To, From, Size, Queue, Stream, Event };
    EventTable events;
    events.table = &table;
    events.columns = {"start", "end",      "name_id",   "dst_agent_id", "src_agent_id",
                      "size",  "queue_id", "stream_id", "event_id"};
    events.hidden = {"start", "end", "guid", "nid", "name_id", "size", "stream_id", "event_id"};
    events.read = [&recording](const Rows& row, Unit& unit) {
        const auto span = unit.span(row, Start, End);
        if (!span) {
            return;
        }
        const Recording::Agent* to = recording.agent(row.integer(To));
        const Recording::Agent* from = recording.agent(row.integer(From));
        trace::GpuOperation operation;
        // That of the GPU which takes part, of two the one that the bytes come to.
        operation.gpu = to != nullptr && to->isGpu       ? to->gpu
                        : from != nullptr && from->isGpu ? from->gpu
                                                         : 0;
        operation.stream = recording.stream(row.integer(row.isNull(Stream) ? Queue : Stream));
        operation.bytes = bounded<std::uint64_t>(row.integer(Size));
        addWork(recording, unit, *span, trace::Category::GpuMemcpy,
                copyName(recording.text(row.integer(Name))), unit.offset(row), row.integer(Event),
                operation);
    };
    return events;
}

EventTable regions(const Table& table, const Recording& recording) {
    enum : std::size_t { Start, End, Pid, Tid, Name, Event, More };
    EventTable events;
    events.table = &table;
    events.columns = {"start", "end", "pid", "tid", "name_id", "event_id", "extdata"};
    events.hidden = {"start", "end", "guid", "nid", "pid", "tid", "name_id", "event_id"};
    events.read = [&recording](const Rows& row, Unit& unit) {
        const auto span = unit.span(row, Start, End);
        if (!span) {
            return;
        }
        const std::int64_t event = row.integer(Event);
        const std::string_view kind = recording.category(event);
        const trace::TrackId track =
            recording.track(unit.builder, row.integer(Pid), row.integer(Tid));
        const std::string_view name = recording.text(row.integer(Name));
        if (kind.find("MARKER") == std::string_view::npos) {
            const bool isHip = kind.find("HIP") != std::string_view::npos || kind.empty();
            const bool isHsa = kind.find("HSA") != std::string_view::npos;
            unit.addSlice(*span, unit.builder.name(name), track,
                          isHip   ? idOf(trace::Category::Runtime)
                          : isHsa ? idOf(trace::Category::Driver)
                                  : unit.builder.otherCategory(kind),
                          unit.offset(row), recording.correlation(event));
            return;
        }
        // The program's name for its range is beside the name of the call.
        std::string said(recording.message(event));
        said = said.empty() && row.text(More).size() > 2 ? messageIn(row.text(More)) : said;
        const auto range = database::rangeText(said.empty() ? name : std::string_view(said));
        unit.addSlice(
            *span, unit.builder.name(range.name), track,
            idOf(range.isOperator ? trace::Category::CpuOp : trace::Category::UserAnnotation),
            unit.offset(row));
    };
    events.describe = [&recording](const Rows& row, std::vector<Argument>& arguments) {
        const std::int64_t event = row.integer(Event);
        if (const auto kind = recording.category(event); !kind.empty()) {
            arguments.emplace_back("category", json::quotedJson(kind));
        }
        if (const auto range = database::rangeText(recording.message(event));
            !range.shapes.empty()) {
            arguments.emplace_back("Input Dims", range.shapes);
        }
    };
    return events;
}

EventTable allocations(const Table& table, const Recording& recording) {
    enum : std::size_t { Time, Pid, Tid, Agent, Type, Address, Size };
    EventTable events;
    events.table = &table;
    events.columns = {"start", "pid", "tid", "agent_id", "type", "address", "size"};
    events.hidden = {"start", "guid", "nid", "pid", "tid", "address", "size", "event_id"};
    events.read = [&recording](const Rows& row, Unit& unit) {
        if (const auto time = unit.time(row, Time)) {
            unit.builder.addInstant(
                {*time, unit.builder.name("[memory]"),
                 recording.track(unit.builder, row.integer(Pid), row.integer(Tid)),
                 idOf(trace::Category::CpuInstantEvent), 't', unit.offset(row)});
        }
    };
    events.describe = [&recording](const Rows& row, std::vector<Argument>& arguments) {
        const Recording::Agent* agent = recording.agent(row.integer(Agent));
        const bool onGpu = agent != nullptr && agent->isGpu;
        const std::int64_t bytes = std::max<std::int64_t>(row.integer(Size), 0);
        arguments.emplace_back("Addr", std::to_string(row.integer(Address)));
        arguments.emplace_back("Bytes", std::to_string(row.text(Type) == "FREE" ? -bytes : bytes));
        arguments.emplace_back("Device Type", onGpu ? "1" : "0");
        arguments.emplace_back("Device Id", onGpu ? std::to_string(agent->gpu) : "-1");
    };
    return events;
}

// What stands behind the names of the sets of tables: "" or "_" and a number, in small letters.
std::set<std::string> suffixesOf(const Schema& schema) {
    std::set<std::string> suffixes;
    for (const Table& table : schema.tables()) {
        for (const std::string_view name : {kDispatches, kRegions, kCopies}) {
            std::string own = table.name;
            std::ranges::transform(own, own.begin(), asciiLower);
            const std::string rest = own.substr(std::min(name.size(), own.size()));
            if (own.starts_with(name) && (rest.empty() || rest.starts_with("_"))) {
                suffixes.insert(rest);
            }
        }
    }
    return suffixes;
}

}  // namespace

bool RocpdFormat::recognises(const Schema& schema) const {
    return !suffixesOf(schema).empty();
}

Result<database::DatabaseFormat::Plan> RocpdFormat::plan(const sqlite::Database& database,
                                                         const Schema& schema, trace::RunInfo& info,
                                                         trace::ImportLog& log) const {
    const auto recordings = std::make_shared<std::vector<std::unique_ptr<Recording>>>();
    std::unordered_set<std::int64_t> described;
    for (const std::string& suffix : suffixesOf(schema)) {
        recordings->push_back(std::make_unique<Recording>(suffix, std::ssize(*recordings)));
        if (auto read = recordings->back()->read(database, schema, log); !read) {
            return tl::unexpected(read.error());
        }
        recordings->back()->describe(info, described);
    }
    info.format = "rocpd, SQLite";
    Plan plan;
    using Make = EventTable (*)(const Table&, const Recording&);
    constexpr std::array<std::pair<std::string_view, Make>, 4> kTables{
        {{kDispatches, dispatches},
         {kCopies, copies},
         {kRegions, regions},
         {kAllocations, allocations}}};
    for (const auto& [name, make] : kTables) {
        for (const auto& recording : *recordings) {
            if (const Table* table = recording->table(schema, name)) {
                plan.tables.push_back(make(*table, *recording));
            }
        }
    }
    if (auto numbered = database::numberRows(database, plan.tables); !numbered) {
        return tl::unexpected(numbered.error());
    }
    plan.nameRows = [recordings](trace::TraceBuilder& builder) {
        for (const auto& recording : *recordings) {
            recording->nameRows(builder);
        }
    };
    plan.owner = recordings;
    return plan;
}

}  // namespace kinetoscope::import::rocm
