// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <unordered_map>

#include "core/sqlite/DatabaseBytes.h"

namespace kinetoscope::sqlite {

/// Pages that a program that still runs, or did not end well, has committed but not yet written
/// into the database itself, in a file next to it whose name ends in "-wal".
class WriteAheadLog {
public:
    /// Nothing where no page was committed, and for a database of another page size.
    [[nodiscard]] static std::shared_ptr<const WriteAheadLog> read(const DatabaseBytes& log,
                                                                   const DatabaseBytes& database);

    /// The database with these pages in place of its own, as SQLite sees both together. `log` is
    /// what was read.
    [[nodiscard]] static std::shared_ptr<const DatabaseBytes> apply(
        std::shared_ptr<const WriteAheadLog> pages, std::shared_ptr<const DatabaseBytes> log,
        std::shared_ptr<const DatabaseBytes> database);

    [[nodiscard]] std::size_t pages() const { return m_places.size(); }
    /// Of the whole database.
    [[nodiscard]] std::uint64_t bytes() const { return m_bytes; }

private:
    class Bytes;

    std::unordered_map<std::uint64_t, std::uint64_t> m_places;  // of pages in the log
    std::uint64_t m_pageBytes = 0;
    std::uint64_t m_bytes = 0;
};

}  // namespace kinetoscope::sqlite
