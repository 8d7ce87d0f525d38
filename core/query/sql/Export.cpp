// SPDX-License-Identifier: Apache-2.0
// Writes the tables as a database for other programs.
#include <fmt/format.h>
#include <sqlite3.h>

#include <filesystem>
#include <system_error>

#include "core/base/Threads.h"
#include "core/query/sql/Guard.h"
#include "core/query/sql/Material.h"
#include "core/query/sql/QueryDatabase.h"
#include "core/query/sql/VirtualTable.h"
#include "core/text/OutputFile.h"

namespace kinetoscope::query::sql {

namespace {

std::string quotedText(std::string_view text) {
    std::string quoted = "'";
    for (const char c : text) {
        quoted += c == '\'' ? "''" : std::string(1, c);
    }
    return quoted + "'";
}

// The meaning of the columns, as a table beside the others.
std::string describe(const TableInfo& info) {
    std::string rows;
    for (const Column& column : info.columns) {
        rows +=
            fmt::format("INSERT INTO out.columns VALUES ({}, {}, {}, {});", quotedText(info.name),
                        quotedText(column.name), quotedText(column.unit), quotedText(column.about));
    }
    return rows;
}

std::string copyOf(const TableInfo& info) {
    const std::string name = quotedName(info.name);
    return fmt::format("CREATE TABLE out.{0}({1});INSERT INTO out.{0} SELECT * FROM main.{0};",
                       name, columnList(info));
}

std::string indicesOf(const TableInfo& info) {
    std::string made;
    for (const Column& column : info.columns) {
        if (column.indexed) {
            made += fmt::format("CREATE INDEX out.{} ON {}({});",
                                quotedName(fmt::format("{}_{}", info.name, column.name)),
                                quotedName(info.name), quotedName(column.name));
        }
    }
    return made;
}

}  // namespace

Result<void> QueryDatabase::exportTo(const std::string& path, const std::stop_token& stop) {
    return guarded([&]() -> Result<void> {
        setWindow(std::nullopt);
        m_material->stop = stop;
        m_material->until.reset();
        m_guard->begin({.time = {}, .bytes = 0}, stop);
        const Guard::Lifted lifted(m_database->handle());
        const auto run = [&](const std::string& sql) -> Result<void> {
            auto done = m_database->run(sql);
            return done ? done
                        : tl::unexpected(m_guard->reason().value_or(
                              Error{"'" + path + "': " + done.error().message, ErrorKind::Output}));
        };
        // The file has another name until it is whole: a journal on the disk would protect nothing,
        // and stay behind when the disk is full. None at all is refused to a guarded connection.
        auto done = run(
            "ATTACH " + quotedText(path) +
            " AS out;PRAGMA out.journal_mode=MEMORY;PRAGMA out.synchronous=OFF;BEGIN;"
            "CREATE TABLE out.columns(\"table\" TEXT, \"column\" TEXT, unit TEXT, about TEXT);");
        for (const TableInfo& info : allTables()) {
            done = done ? run(describe(info) + copyOf(info) + indicesOf(info)) : done;
        }
        done = done ? run("COMMIT;") : done;
        const auto ended = run(done ? "DETACH out;" : "ROLLBACK;DETACH out;");
        return done ? ended : done;
    });
}

Result<std::uint64_t> writeDatabase(QueryDatabase& database, const std::string& path,
                                    const std::stop_token& stop) {
    auto file = text::OutputFile::create(path);
    if (!file) {
        return tl::unexpected(file.error());
    }
    if (file->temporary().empty()) {
        return fail("'" + path + "': is not a regular file: a database cannot be written there");
    }
    if (auto done = database.exportTo(file->temporary(), stop); !done) {
        return tl::unexpected(done.error());
    }
    std::error_code unknown;
    const auto bytes = std::filesystem::file_size(file->temporary(), unknown);
    return file->commit().map([&] { return static_cast<std::uint64_t>(bytes); });
}

}  // namespace kinetoscope::query::sql
