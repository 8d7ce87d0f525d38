// SPDX-License-Identifier: Apache-2.0
#include "core/query/sql/VirtualTable.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <algorithm>
#include <optional>

#include "core/base/Threads.h"
#include "core/query/sql/Walk.h"

namespace kinetoscope::query::sql {

namespace {

struct Connected {
    sqlite3_vtab base;
    VirtualTable* table;
};

struct Cursor {
    sqlite3_vtab_cursor base;
    VirtualTable* table;
    const Plan* plan;
    Bounds bounds;
    std::size_t file;
    std::optional<Walk> walk;
    const Rows* rows;
    std::size_t row;
    bool atEnd;
};

VirtualTable& tableOf(sqlite3_vtab* connected) {
    return *reinterpret_cast<Connected*>(connected)->table;
}

Cursor& cursorOf(sqlite3_vtab_cursor* cursor) {
    return *reinterpret_cast<Cursor*>(cursor);
}

// SQLite's own functions are in between: no exception may pass.
template <class Work>
int inC(sqlite3_vtab* connected, const Work& work) {
    try {
        work();
        return SQLITE_OK;
    } catch (const Stopped&) {
        return SQLITE_INTERRUPT;
    } catch (const std::bad_alloc&) {
        return SQLITE_NOMEM;
    } catch (const std::exception& error) {
        sqlite3_free(connected->zErrMsg);
        connected->zErrMsg = sqlite3_mprintf("%s", error.what());
        return SQLITE_ERROR;
    }
}

bool isWanted(const Cursor& cursor, std::size_t file) {
    const TableInfo& info = cursor.table->info();
    const NumberBounds* const rank =
        info.ofJob ? nullptr : cursor.bounds.number(static_cast<int>(info.columns.size()));
    const Material& material = cursor.table->material();
    return rank == nullptr ||
           (material.files[file].rank >= rank->low && material.files[file].rank <= rank->high);
}

void goToNext(Cursor& cursor) {
    VirtualTable& table = *cursor.table;
    while (true) {
        if (cursor.walk) {
            if (const auto row = cursor.walk->next()) {
                cursor.row = *row;
                return;
            }
            cursor.walk.reset();
            ++cursor.file;
        }
        while (cursor.file < table.parts() && !isWanted(cursor, cursor.file)) {
            ++cursor.file;
        }
        if (cursor.file >= table.parts() || cursor.bounds.nothing) {
            cursor.atEnd = true;
            return;
        }
        VirtualTable::Part& part = table.part(cursor.file);
        cursor.rows = part.rows.get();
        cursor.walk.emplace(table.info(), *part.rows, *part.orders, *cursor.plan, cursor.bounds,
                            table.material().window, table.material());
    }
}

void answer(sqlite3_context* context, const Cell& cell) {
    switch (cell.kind) {
        case Cell::Kind::Integer:
            sqlite3_result_int64(context, cell.integer);
            break;
        case Cell::Kind::Real:
            sqlite3_result_double(context, cell.real);
            break;
        case Cell::Kind::Text:
            // It lives as long as the trace or the table's rows.
            sqlite3_result_text64(context, cell.text.data() == nullptr ? "" : cell.text.data(),
                                  cell.text.size(), SQLITE_STATIC, SQLITE_UTF8);
            break;
        case Cell::Kind::Null:
            sqlite3_result_null(context);
            break;
    }
}

int connect(sqlite3* database, void* table, int, const char* const*, sqlite3_vtab** connected,
            char** message) {
    auto* made = new (std::nothrow) Connected{{}, static_cast<VirtualTable*>(table)};
    if (made == nullptr) {
        return SQLITE_NOMEM;
    }
    *connected = &made->base;
    int code = SQLITE_NOMEM;
    (void)inC(&made->base, [&] {
        const std::string list = "CREATE TABLE x(" + columnList(made->table->info()) + ")";
        code = sqlite3_declare_vtab(database, list.c_str());
    });
    sqlite3_vtab_config(database, SQLITE_VTAB_INNOCUOUS);
    if (code != SQLITE_OK) {
        *message = sqlite3_mprintf("%s", sqlite3_errmsg(database));
        delete made;
        *connected = nullptr;
    }
    return code;
}

int disconnect(sqlite3_vtab* connected) {
    delete reinterpret_cast<Connected*>(connected);
    return SQLITE_OK;
}

int bestIndex(sqlite3_vtab* connected, sqlite3_index_info* info) {
    return inC(connected, [&] {
        VirtualTable& table = tableOf(connected);
        info->idxNum =
            table.keep(makePlan(*info, table.info(), table.expectedRows(), table.parts() == 1));
    });
}

int open(sqlite3_vtab* connected, sqlite3_vtab_cursor** cursor) {
    auto* made = new (std::nothrow)
        Cursor{{}, &tableOf(connected), nullptr, {}, 0, std::nullopt, nullptr, 0, true};
    *cursor = made == nullptr ? nullptr : &made->base;
    return made == nullptr ? SQLITE_NOMEM : SQLITE_OK;
}

int close(sqlite3_vtab_cursor* cursor) {
    delete &cursorOf(cursor);
    return SQLITE_OK;
}

int filter(sqlite3_vtab_cursor* opened, int plan, const char*, int, sqlite3_value** values) {
    return inC(opened->pVtab, [&] {
        Cursor& cursor = cursorOf(opened);
        cursor.plan = &cursor.table->plan(plan);
        cursor.bounds = makeBounds(*cursor.plan, cursor.table->info(), values);
        cursor.walk.reset();
        cursor.file = 0;
        cursor.atEnd = false;
        goToNext(cursor);
    });
}

int next(sqlite3_vtab_cursor* cursor) {
    return inC(cursor->pVtab, [&] { goToNext(cursorOf(cursor)); });
}

int isAtEnd(sqlite3_vtab_cursor* cursor) {
    return cursorOf(cursor).atEnd ? 1 : 0;
}

int column(sqlite3_vtab_cursor* opened, sqlite3_context* context, int number) {
    return inC(opened->pVtab, [&] {
        const Cursor& cursor = cursorOf(opened);
        const bool isRank = static_cast<std::size_t>(number) >= cursor.table->info().columns.size();
        answer(context, isRank ? Cell::of(cursor.table->material().files[cursor.file].rank)
                               : cursor.rows->cell(cursor.row, number));
    });
}

int rowNumber(sqlite3_vtab_cursor* opened, sqlite3_int64* number) {
    const Cursor& cursor = cursorOf(opened);
    *number = static_cast<sqlite3_int64>(cursor.file << 32U | cursor.row);
    return SQLITE_OK;
}

// Without a way to create one: a table is there by its name alone.
sqlite3_module makeModule() {
    sqlite3_module module{};
    module.xConnect = connect;
    module.xBestIndex = bestIndex;
    module.xDisconnect = disconnect;
    module.xOpen = open;
    module.xClose = close;
    module.xFilter = filter;
    module.xNext = next;
    module.xEof = isAtEnd;
    module.xColumn = column;
    module.xRowid = rowNumber;
    return module;
}

}  // namespace

std::string quotedName(std::string_view name) {
    std::string quoted = "\"";
    for (const char c : name) {
        quoted += c == '"' ? "\"\"" : std::string(1, c);
    }
    return quoted + "\"";
}

std::string columnList(const TableInfo& info) {
    const auto typeName = [](ColumnType type) {
        return type == ColumnType::Integer ? "INTEGER" : type == ColumnType::Real ? "REAL" : "TEXT";
    };
    std::string list;
    for (const Column& column : info.columns) {
        list += fmt::format("{}{} {}", list.empty() ? "" : ", ", quotedName(column.name),
                            typeName(column.type));
    }
    return info.ofJob ? list : list + ", \"rank\" INTEGER";
}

Result<void> VirtualTable::addTo(sqlite3* database) {
    static const sqlite3_module kModule = makeModule();
    const std::string name(m_info.name);
    return sqlite3_create_module_v2(database, name.c_str(), &kModule, this, nullptr) == SQLITE_OK
               ? Result<void>()
               : fail(sqlite3_errmsg(database), ErrorKind::Output);
}

VirtualTable::Part& VirtualTable::part(std::size_t file) {
    m_parts.resize(parts());
    Part& part = m_parts[file];
    if (!part.rows) {
        part.rows = m_info.make(m_material, file);
        part.orders = std::make_unique<Orders>(*part.rows, m_info);
    }
    return part;
}

double VirtualTable::expectedRows() const {
    double rows = 0.0;
    for (std::size_t file = 0; file < parts(); ++file) {
        const bool isMade = file < m_parts.size() && m_parts[file].rows;
        rows += isMade ? static_cast<double>(m_parts[file].rows->count()) : m_info.usualRows;
    }
    return rows;
}

int VirtualTable::keep(Plan plan) {
    const auto known = std::ranges::find(m_plans, plan);
    if (known != m_plans.end()) {
        return static_cast<int>(known - m_plans.begin());
    }
    m_plans.push_back(std::move(plan));
    return static_cast<int>(m_plans.size() - 1);
}

}  // namespace kinetoscope::query::sql
