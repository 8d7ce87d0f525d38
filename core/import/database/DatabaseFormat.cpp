// SPDX-License-Identifier: Apache-2.0
#include "core/import/database/DatabaseFormat.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/import/database/ReadTables.h"
#include "core/import/database/TableEvents.h"

namespace kinetoscope::import::database {

namespace {

std::string unknownTables(const std::string& path, const Schema& schema,
                          std::span<const DatabaseFormat* const> formats) {
    constexpr std::size_t kNamed = 5;
    std::string tables;
    for (std::size_t i = 0; i < std::min(schema.tables().size(), kNamed); ++i) {
        tables += (i == 0 ? "" : ", ") + schema.tables()[i].name;
    }
    std::string known;
    for (const DatabaseFormat* format : formats) {
        known += (known.empty() ? "" : "; ") + std::string(format->name());
    }
    return fmt::format(
        "'{}': is a SQLite database, but not of a known profiler ({}); known are: {}", path,
        tables.empty() ? "it has no tables" : "its first tables are " + tables, known);
}

// What holds rows with a time and is not read is said; many tables of a report are small lists.
void logUnread(const Schema& schema, std::span<const EventTable> tables, trace::ImportLog& log) {
    for (const Table& table : schema.tables()) {
        const bool isRead = std::ranges::any_of(
            tables, [&](const EventTable& events) { return events.table == &table; });
        const bool hasTime =
            table.has("start") || table.has("timestamp") || table.has("rawTimestamp");
        if (!isRead && hasTime && table.rows.first <= table.rows.last) {
            log.add("table_not_read", trace::Severity::Info, 0,
                    fmt::format("{}: its rows are not shown", table.name));
        }
    }
    for (const std::string& table : schema.unreadable()) {
        log.add("damaged_table", trace::Severity::DataLoss, 0, table);
    }
    if (schema.leftOut() > 0) {
        log.add("too_many_tables", trace::Severity::DataLoss, 0,
                fmt::format("only the first {} tables by name are read",
                            schema.tables().size() + schema.unreadable().size()),
                schema.leftOut());
    }
}

void logFile(const ImportInput& input, const DatabaseFile& file, trace::ImportLog& log) {
    trace::IssueCounter issues;
    if (const auto& issue = input.text.source().issue()) {
        issues.add(issue->issue, file.bytes(), [&] { return issue->example; });
    } else if (file.missingBytes() > 0) {
        issues.add(trace::Issue::TruncatedText, file.bytes(), [&] {
            return fmt::format("the database has {} more bytes by its header", file.missingBytes());
        });
    }
    if (file.logPages() > 0) {
        log.add("write_ahead_log", trace::Severity::Info, 0,
                fmt::format("{} pages were read from '{}-wal'", file.logPages(), input.path));
    }
    if (file.changed()) {
        issues.add(trace::Issue::FileChanged, file.bytes(), [&] {
            return fmt::format("'{}': was written to while it was read", input.path);
        });
    }
    issues.addTo(log);
}

}  // namespace

Result<std::shared_ptr<const trace::Trace>> readDatabase(
    ImportInput& input, std::span<const DatabaseFormat* const> formats) {
    const auto file = DatabaseFile::open(input);
    if (!file) {
        return tl::unexpected(file.error());
    }
    const auto database = (*file)->connect(input.options.stop);
    auto read = database ? Schema::of(*database) : tl::unexpected(database.error());
    if (!read) {
        return tl::unexpected(read.error());
    }
    const auto schema = std::make_shared<const Schema>(std::move(*read));
    const auto format = std::ranges::find_if(
        formats, [&](const DatabaseFormat* one) { return one->recognises(*schema); });
    if (format == formats.end()) {
        return fail(unknownTables(input.path, *schema, formats));
    }
    trace::TraceBuilder builder;
    trace::RunInfo& info = builder.info();
    info.path = input.path;
    info.fileBytes = input.fileBytes;
    info.textBytes = (*file)->bytes();
    auto plan = (*format)->plan(*database, *schema, info, builder.log());
    if (!plan) {
        return tl::unexpected(plan.error());
    }
    if (const std::string_view compression = input.text.source().compression();
        !compression.empty()) {
        info.format += fmt::format(", {}", compression);
    }
    if (auto done = readTables(**file, plan->tables, input.options, builder); !done) {
        return tl::unexpected(done.error());
    }
    logUnread(*schema, plan->tables, builder.log());
    logFile(input, **file, builder.log());
    trace::TraceBuilder rows;
    plan->nameRows(rows);
    std::vector<std::string> metadata = metadataOf(*rows.finish());
    plan->nameRows(builder);
    builder.setEventText(tableEvents(
        *file, std::move(plan->tables), std::move(metadata), std::move(plan->words),
        std::make_shared<std::pair<std::shared_ptr<const Schema>, std::shared_ptr<const void>>>(
            schema, std::move(plan->owner))));
    return builder.finish();
}

}  // namespace kinetoscope::import::database
