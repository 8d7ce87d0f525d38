// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include "core/base/Ascii.h"
#include "core/base/Wrapping.h"
#include "core/import/nsys/Tables.h"

namespace kinetoscope::import::nsys {

namespace {

using database::EventTable;
using database::Rows;
using database::Schema;
using database::Table;
using database::Unit;

constexpr std::int64_t kOverheadPid = -1;  // as Kineto has it

enum Column : std::size_t { Start, End, Tid, Correlation, Name, Overhead };

// Calls of MPI and UCX have a text, the others a name.
std::string_view nameColumn(const Table& table) {
    return table.has("nameId") ? "nameId" : "textId";
}

EventTable calls(const Table& table) {
    EventTable events;
    events.table = &table;
    const std::string_view name = nameColumn(table);
    events.columns = {"start", "end", "globalTid", "correlationId", name, "overheadType"};
    events.hidden = {"start", "end", "globalTid", "correlationId", name};
    return events;
}

trace::TrackId threadOf(const Report& report, Unit& unit, GlobalId thread) {
    return unit.builder.track({false, report.rowOf(thread)}, {false, thread.tid()});
}

std::int64_t correlationOf(const Report& report, const Rows& row, GlobalId thread) {
    const auto correlation = row.number(Correlation);
    return correlation ? wrappingSum(*correlation, report.idBase(thread)) : trace::kNoId;
}

NameId nameOf(const Report& report, const Rows& row, Unit& unit) {
    const std::int64_t id = row.integer(Name);
    return unit.names.of(unit.builder, 0, id, [&] {
        const std::string_view text = report.text(id);
        return text.empty() ? "call " + std::to_string(id) : std::string(callName(text));
    });
}

EventTable apiCalls(const Table& table, const Report& report) {
    EventTable events = calls(table);
    events.read = [&report](const Rows& row, Unit& unit) {
        const auto span = unit.span(row, Start, End);
        if (!span) {
            return;
        }
        const GlobalId thread{row.integer(Tid)};
        const NameId name = nameOf(report, row, unit);
        const std::string_view text = unit.builder.text(name);
        // "cuLaunchKernel" is the driver's, "cudaLaunchKernel" the runtime's.
        const bool driver = text.starts_with("cu") && !text.starts_with("cuda");
        unit.addSlice(*span, name, threadOf(report, unit, thread),
                      static_cast<trace::CategoryId>(driver ? trace::Category::Driver
                                                            : trace::Category::Runtime),
                      unit.offset(row), correlationOf(report, row, thread));
    };
    return events;
}

EventTable overheads(const Table& table, const Report& report) {
    EventTable events = calls(table);
    events.read = [&report](const Rows& row, Unit& unit) {
        const auto span = unit.span(row, Start, End);
        if (!span) {
            return;
        }
        std::string_view text = report.text(row.integer(Name));
        text = text.empty() ? report.code("overheadType", row.integer(Overhead)) : text;
        const trace::TrackId track =
            unit.builder.track({false, kOverheadPid}, {false, GlobalId{row.integer(Tid)}.tid()});
        unit.addSlice(*span, unit.builder.name(text.empty() ? "Overhead" : text), track,
                      static_cast<trace::CategoryId>(trace::Category::Overhead), unit.offset(row));
    };
    return events;
}

// Calls of any other library that was traced; `category` is what Kineto has no word for.
EventTable otherCalls(const Table& table, const Report& report, std::string category) {
    EventTable events = calls(table);
    events.read = [&report, category = std::move(category)](const Rows& row, Unit& unit) {
        const auto span = unit.span(row, Start, End);
        if (!span) {
            return;
        }
        const GlobalId thread{row.integer(Tid)};
        unit.addSlice(*span, nameOf(report, row, unit), threadOf(report, unit, thread),
                      unit.builder.otherCategory(category), unit.offset(row));
    };
    return events;
}

// "osrt" of "OSRT_API", "mpi_collectives" of "MPI_COLLECTIVES_EVENTS".
std::string categoryOf(std::string_view table) {
    std::string word(table);
    std::ranges::transform(word, word.begin(), asciiLower);
    for (const std::string_view end : {"_api", "_events"}) {
        if (word.ends_with(end)) {
            word.resize(word.size() - end.size());
        }
    }
    return word;
}

}  // namespace

std::string_view callName(std::string_view text) {
    const std::size_t version = text.rfind("_v");
    if (version == std::string_view::npos || text.size() - version < 6) {
        return text;  // a driver's name may end in "_v2", which is part of it
    }
    const bool digits =
        std::ranges::all_of(text.substr(version + 2), [](char c) { return c >= '0' && c <= '9'; });
    return digits ? text.substr(0, version) : text;
}

void addCallTables(const Schema& schema, const Report& report, std::vector<EventTable>& tables) {
    constexpr std::string_view kOverheadTables[] = {"CUPTI_ACTIVITY_KIND_OVERHEAD",
                                                    "PROFILER_OVERHEAD"};
    for (const std::string_view name :
         {"CUPTI_ACTIVITY_KIND_RUNTIME", "CUPTI_ACTIVITY_KIND_DRIVER"}) {
        if (const Table* table = schema.find(name)) {
            tables.push_back(apiCalls(*table, report));
        }
    }
    for (const std::string_view name : kOverheadTables) {
        if (const Table* table = schema.find(name)) {
            tables.push_back(overheads(*table, report));
        }
    }
    const Table* const ranges = schema.find("NVTX_EVENTS");  // are no calls
    for (const Table& table : schema.tables()) {
        const bool isTaken =
            &table == ranges || std::ranges::any_of(tables, [&](const EventTable& taken) {
                return taken.table == &table;
            });
        if (!isTaken && table.has("start") && table.has("end") && table.has("globalTid") &&
            table.has(nameColumn(table))) {
            tables.push_back(otherCalls(table, report, categoryOf(table.name)));
        }
    }
}

}  // namespace kinetoscope::import::nsys
