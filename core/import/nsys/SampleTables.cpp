// SPDX-License-Identifier: Apache-2.0
// Events that are neither calls nor work of a stream: metrics, allocations, page faults, context
// switches.
#include <cmath>

#include "core/import/nsys/Tables.h"
#include "core/json/Json.h"

namespace kinetoscope::import::nsys {

namespace {

using database::Argument;
using database::EventTable;
using database::Rows;
using database::Schema;
using database::Table;
using database::Unit;

trace::RowId textRow(Unit& unit, std::string_view text) {
    return {true, static_cast<std::int64_t>(unit.builder.name(text))};
}

EventTable metrics(const Table& table, const Report& report) {
    enum : std::size_t { Time, RawTime, Type, Metric, Value };
    EventTable events;
    events.table = &table;
    events.columns = {"timestamp", "rawTimestamp", "typeId", "metricId", "value"};
    events.read = [&report](const Rows& row, Unit& unit) {
        const auto time = unit.time(row, row.isNull(Time) ? RawTime : Time);
        if (!time) {
            return;
        }
        constexpr std::int64_t kGpuOfType = 0xff;
        const std::int64_t type = row.integer(Type);
        const std::int64_t metric = row.integer(Metric);
        const NameId name = unit.names.of(unit.builder, 1, database::NameKey{type, metric}, [&] {
            const std::string_view text = report.metric(type, metric);
            return text.empty() ? "metric " + std::to_string(metric) : std::string(text);
        });
        const trace::TrackId track =
            unit.builder.track({false, type & kGpuOfType}, {true, static_cast<std::int64_t>(name)},
                               trace::TrackKind::Counter);
        if (row.isNull(Value) || !std::isfinite(row.real(Value))) {
            unit.issues.add(trace::Issue::CounterWithoutValue, unit.offset(row),
                            [&] { return std::string(unit.builder.text(name)); });
            ++unit.skipped;
            return;
        }
        unit.builder.addCounter({*time, track, kEmptyName, row.real(Value), unit.offset(row)});
    };
    return events;
}

// As `[memory]` events of the profiler, so that their figures can be had.
EventTable allocations(const Table& table, const Report& report) {
    enum : std::size_t { Time, Pid, Device, Address, Bytes, Kind, Operation };
    EventTable events;
    events.table = &table;
    events.columns = {"start", "globalPid", "deviceId",           "address",
                      "bytes", "memKind",   "memoryOperationType"};
    events.hidden = {"start", "globalPid", "deviceId", "address", "bytes"};
    events.read = [&report](const Rows& row, Unit& unit) {
        if (const auto time = unit.time(row, Time)) {
            const GlobalId process{row.integer(Pid)};
            unit.builder.addInstant(
                {*time, unit.builder.name("[memory]"),
                 unit.builder.track({false, report.rowOf(process)}, textRow(unit, "CUDA memory")),
                 static_cast<trace::CategoryId>(trace::Category::CpuInstantEvent), 't',
                 unit.offset(row)});
        }
    };
    events.describe = [&report](const Rows& row, std::vector<Argument>& arguments) {
        constexpr std::int64_t kFree = 1;
        constexpr std::int64_t kPinned = 1;
        const std::int64_t bytes = std::max<std::int64_t>(row.integer(Bytes), 0);
        const bool onHost = !row.isNull(Kind) && row.integer(Kind) <= kPinned;
        const GlobalId process{row.integer(Pid)};
        arguments.emplace_back("Addr", std::to_string(row.integer(Address)));
        arguments.emplace_back("Bytes",
                               std::to_string(row.integer(Operation) == kFree ? -bytes : bytes));
        arguments.emplace_back("Device Type", onHost ? "0" : "1");
        arguments.emplace_back(
            "Device Id",
            onHost ? "-1" : std::to_string(report.gpuOf(process, row.integer(Device))));
    };
    return events;
}

EventTable gpuPageFaults(const Table& table, const Report& report) {
    enum : std::size_t { Start, End, Pid, Device };
    EventTable events;
    events.table = &table;
    events.columns = {"start", "end", "globalPid", "deviceId"};
    events.hidden = {"start", "end", "globalPid", "deviceId"};
    events.read = [&report](const Rows& row, Unit& unit) {
        if (const auto span = unit.span(row, Start, End)) {
            const std::int32_t gpu = report.gpuOf({row.integer(Pid)}, row.integer(Device));
            unit.addSlice(*span, unit.builder.name("GPU page faults"),
                          unit.builder.track({false, gpu}, textRow(unit, "page faults")),
                          unit.builder.otherCategory("page_fault"), unit.offset(row));
        }
    };
    return events;
}

EventTable cpuPageFaults(const Table& table, const Report& report) {
    enum : std::size_t { Time, Pid };
    EventTable events;
    events.table = &table;
    events.columns = {"start", "globalPid"};
    events.hidden = {"start", "globalPid"};
    events.read = [&report](const Rows& row, Unit& unit) {
        if (const auto time = unit.time(row, Time)) {
            const GlobalId process{row.integer(Pid)};
            unit.builder.addInstant(
                {*time, unit.builder.name("CPU page fault"),
                 unit.builder.track({false, report.rowOf(process)}, textRow(unit, "page faults")),
                 unit.builder.otherCategory("page_fault"), 't', unit.offset(row)});
        }
    };
    return events;
}

EventTable contextSwitches(const Table& table, const Report& report) {
    enum : std::size_t { Time, Tag, Gpu };
    EventTable events;
    events.table = &table;
    events.columns = {"timestamp", "tag", "gpuId"};
    events.hidden = {"timestamp"};
    events.read = [&report](const Rows& row, Unit& unit) {
        if (const auto time = unit.time(row, Time)) {
            const std::string_view word = report.code("tag", row.integer(Tag));
            unit.builder.addInstant(
                {*time, unit.builder.name(word.empty() ? "context switch" : word),
                 unit.builder.track({false, row.integer(Gpu)}, textRow(unit, "context switches")),
                 unit.builder.otherCategory("context_switch"), 't', unit.offset(row)});
        }
    };
    return events;
}

}  // namespace

void addSampleTables(const Schema& schema, const Report& report, std::vector<EventTable>& tables) {
    using Make = EventTable (*)(const Table&, const Report&);
    constexpr std::pair<std::string_view, Make> kTables[] = {
        {"CUDA_GPU_MEMORY_USAGE_EVENTS", allocations},
        {"CUDA_UM_GPU_PAGE_FAULT_EVENTS", gpuPageFaults},
        {"CUDA_UM_CPU_PAGE_FAULT_EVENTS", cpuPageFaults},
        {"GPU_CONTEXT_SWITCH_EVENTS", contextSwitches},
        {"GPU_METRICS", metrics},
    };
    for (const auto& [name, make] : kTables) {
        if (const Table* table = schema.find(name)) {
            tables.push_back(make(*table, report));
        }
    }
}

}  // namespace kinetoscope::import::nsys
