// SPDX-License-Identifier: Apache-2.0
#include "core/import/nsys/NsysFormat.h"

#include <algorithm>

#include "core/base/Ascii.h"
#include "core/import/database/LatestEnd.h"
#include "core/import/database/RowNumbers.h"
#include "core/import/nsys/Report.h"
#include "core/import/nsys/Tables.h"

namespace kinetoscope::import::nsys {

namespace {

// Ranges may lack their end. That of the trace is known only after all of its rows.
void keepLatestEnd(std::vector<database::EventTable>& tables) {
    const auto latest = std::make_shared<database::LatestEnd>();
    for (database::EventTable& table : tables) {
        table.read = [latest, read = std::move(table.read)](const database::Rows& row,
                                                            database::Unit& unit) {
            read(row, unit);
            latest->reach(unit.latest, &unit);
        };
        table.traceEnd = [latest] { return latest->time(); };
    }
}

}  // namespace

bool NsysFormat::recognises(const database::Schema& schema) const {
    // Tables exist only if they have rows; an empty recording still names its exporter.
    constexpr std::string_view kActivity = "CUPTI_ACTIVITY_KIND_";
    return schema.has("NVTX_EVENTS") || schema.has("META_DATA_EXPORT") ||
           schema.has("EXPORT_META_DATA") || schema.has("OSRT_API") ||
           std::ranges::any_of(schema.tables(), [&](const database::Table& table) {
               return equalIgnoringCase(std::string_view(table.name).substr(0, kActivity.size()),
                                        kActivity);
           });
}

Result<database::DatabaseFormat::Plan> NsysFormat::plan(const sqlite::Database& database,
                                                        const database::Schema& schema,
                                                        trace::RunInfo& info,
                                                        trace::ImportLog& log) const {
    const auto report = std::make_shared<Report>();
    if (auto read = report->read(database, schema, log); !read) {
        return tl::unexpected(read.error());
    }
    report->describe(database, schema, info);
    Plan plan;
    addGpuTables(schema, *report, plan.tables);
    addCallTables(schema, *report, plan.tables);
    addNvtxTable(schema, *report, plan.tables);
    addSampleTables(schema, *report, plan.tables);
    if (schema.has("NVTX_EVENTS")) {
        keepLatestEnd(plan.tables);
    }
    if (auto numbered = database::numberRows(database, plan.tables); !numbered) {
        return tl::unexpected(numbered.error());
    }
    plan.words = report;
    plan.nameRows = [report](trace::TraceBuilder& builder) { report->nameRows(builder); };
    return plan;
}

}  // namespace kinetoscope::import::nsys
