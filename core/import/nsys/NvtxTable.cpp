// SPDX-License-Identifier: Apache-2.0
#include "core/import/database/RangeText.h"
#include "core/import/nsys/Tables.h"
#include "core/json/Json.h"

namespace kinetoscope::import::nsys {

namespace {

using database::Argument;
using database::EventTable;
using database::RangeText;
using database::rangeText;
using database::Rows;
using database::Schema;
using database::Unit;

enum Column : std::size_t { Start, End, Type, Tid, Text, TextId, Domain, Category };

std::string_view textOf(const Report& report, const Rows& row) {
    const std::string_view text = row.text(Text);
    return text.empty() && !row.isNull(TextId) ? report.text(row.integer(TextId)) : text;
}

// Ranges without an end may have 0 or -1.
bool isOpen(const Rows& row) {
    return row.isNull(End) || (row.integer(End) <= 0 && row.integer(End) < row.integer(Start));
}

enum class Shown : std::uint8_t { Nothing, Mark, Range, FreeRange };

Shown shownAs(const Rows& row) {
    if (row.isNull(Type)) {
        return isOpen(row) ? Shown::Mark : Shown::Range;
    }
    switch (row.integer(Type)) {
        case NvtxMark:
        case NvtxtMark:
            return Shown::Mark;
        case NvtxPushPop:
        case NvtxtPushPop:
            return Shown::Range;
        case NvtxStartEnd:
        case NvtxtStartEnd:
            return Shown::FreeRange;
        default:
            return Shown::Nothing;  // names of domains, categories and threads
    }
}

void addRange(const Report& report, const Rows& row, Unit& unit, GlobalId thread, bool isFree) {
    const bool open = isOpen(row);
    const auto span = unit.span(row, Start, open ? Start : End);
    if (!span) {
        return;
    }
    const RangeText text = rangeText(textOf(report, row));
    // Ranges that may begin and end anywhere overlap with what the thread does.
    const trace::RowId pid{false, report.rowOf(thread)};
    const trace::TrackId track =
        isFree ? unit.builder.track(
                     pid, {true, static_cast<std::int64_t>(unit.builder.name("NVTX ranges"))},
                     trace::TrackKind::Async)
               : unit.builder.track(pid, {false, thread.tid()});
    const trace::Category category =
        text.isOperator ? trace::Category::CpuOp : trace::Category::UserAnnotation;
    const trace::SliceId slice =
        unit.addSlice(*span, unit.builder.name(text.name), track,
                      static_cast<trace::CategoryId>(category), unit.offset(row));
    if (open) {
        unit.issues.add(trace::Issue::UnfinishedBegin, unit.offset(row),
                        [&] { return std::string(text.name); });
        unit.open.emplace_back(slice, span->start);
    }
}

void addMark(const Report& report, const Rows& row, Unit& unit, GlobalId thread) {
    if (const auto time = unit.time(row, Start)) {
        unit.builder.addInstant(
            {*time, unit.builder.name(textOf(report, row)),
             unit.builder.track({false, report.rowOf(thread)}, {false, thread.tid()}),
             static_cast<trace::CategoryId>(trace::Category::UserAnnotation), 't',
             unit.offset(row)});
    }
}

void keepName(const Report& report, const Rows& row, GlobalId thread) {
    if (row.integer(Type) == NvtxDomainCreate) {
        report.keepNvtxName(thread, row.integer(Domain), std::nullopt, textOf(report, row));
    } else if (row.integer(Type) == NvtxCategory) {
        report.keepNvtxName(thread, row.integer(Domain), row.integer(Category),
                            textOf(report, row));
    }
}

void describeRow(const Report& report, const Rows& row, std::vector<Argument>& arguments) {
    const GlobalId thread{row.integer(Tid)};
    const std::string_view text = textOf(report, row);
    const RangeText range = rangeText(text);
    if (!range.shapes.empty()) {
        arguments.emplace_back("Input Dims", range.shapes);
    }
    if (range.name.size() != text.size()) {
        arguments.emplace_back("text", json::quotedJson(text));
    }
    const std::int64_t domain = row.integer(Domain);
    if (const std::string name = report.nvtxName(thread, domain); !name.empty()) {
        arguments.emplace_back("domain", json::quotedJson(name));
    }
    if (const std::string name = report.nvtxName(thread, domain, row.number(Category));
        !row.isNull(Category) && !name.empty()) {
        arguments.emplace_back("NVTX category", json::quotedJson(name));
    }
}

}  // namespace

void addNvtxTable(const Schema& schema, const Report& report, std::vector<EventTable>& tables) {
    const database::Table* table = schema.find("NVTX_EVENTS");
    if (table == nullptr) {
        return;
    }
    EventTable events;
    events.table = table;
    events.columns = {"start", "end",    "eventType", "globalTid",
                      "text",  "textId", "domainId",  "category"};
    events.hidden = {"start", "end", "globalTid", "text", "textId"};
    events.read = [&report](const Rows& row, Unit& unit) {
        const GlobalId thread{row.integer(Tid)};
        const Shown shown = shownAs(row);
        if (shown == Shown::Mark) {
            addMark(report, row, unit, thread);
        } else if (shown != Shown::Nothing) {
            addRange(report, row, unit, thread, shown == Shown::FreeRange);
        } else {
            keepName(report, row, thread);
        }
    };
    events.describe = [&report](const Rows& row, std::vector<Argument>& arguments) {
        describeRow(report, row, arguments);
    };
    tables.push_back(std::move(events));
}

}  // namespace kinetoscope::import::nsys
