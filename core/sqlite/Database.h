// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "core/base/Result.h"
#include "core/sqlite/DatabaseBytes.h"
#include "core/sqlite/Statement.h"

struct sqlite3;

namespace kinetoscope::sqlite {

/// One connection, for one thread at a time. Statements must not outlive it.
class Database {
public:
    /// A database from anywhere, to be read alone: SQLite sees these bytes and no other file,
    /// whatever is written in them. Triggers, views, extensions and virtual tables of the file are
    /// not run; a row longer than the file (and 1 MiB) or than 64 MiB, computed or stored, is an
    /// error. `name` is for messages. That the content is sound is found out as it is read.
    [[nodiscard]] static Result<Database> openForeign(std::shared_ptr<const DatabaseBytes> bytes,
                                                      std::string name, Watch watch = {});
    /// An empty one in memory, to be read and written.
    [[nodiscard]] static Result<Database> inMemory(Watch watch = {});

    Database(Database&&) noexcept;
    Database& operator=(Database&&) noexcept;
    Database(const Database&) = delete;
    Database& operator=(const Database&) = delete;
    ~Database();

    /// The first statement of `sql`. Fails with SQLite's reason, which names what it stumbled over.
    [[nodiscard]] Result<Statement> prepare(std::string_view sql) const;
    /// The same; `rest` is what follows the statement. Where there is only blank space or a
    /// comment, the statement has no handle().
    [[nodiscard]] Result<Statement> prepare(std::string_view sql, std::string_view& rest) const;
    /// Runs all statements of `sql`, ignoring their rows.
    [[nodiscard]] Result<void> run(std::string_view sql) const;
    /// From the next row on.
    void watch(Watch watch) const;

    /// The file of openForeign(); null for one in memory.
    [[nodiscard]] std::shared_ptr<const DatabaseBytes> bytes() const;
    /// The latest arguments of watch().
    [[nodiscard]] const Watch& watched() const;
    /// For what only SQLite's own functions can do.
    [[nodiscard]] sqlite3* handle() const;

private:
    struct State;
    explicit Database(std::unique_ptr<State> state);
    void guardForeign() const;
    [[nodiscard]] Result<void> loadSchema() const;

    std::unique_ptr<State> m_state;
};

}  // namespace kinetoscope::sqlite
