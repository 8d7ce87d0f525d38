// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sqlite3.h>

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>

#include "core/sqlite/Database.h"

namespace kinetoscope::test {

/// The bytes of a connection's database; empty where memory is short.
inline std::string serialized(sqlite3* handle) {
    sqlite3_int64 size = 0;
    const std::unique_ptr<unsigned char, void (*)(void*)> bytes(
        sqlite3_serialize(handle, "main", &size, 0), sqlite3_free);
    return bytes == nullptr ? std::string()
                            : std::string(reinterpret_cast<const char*>(bytes.get()),
                                          static_cast<std::size_t>(size));
}

/// The bytes of the database file that `sql` makes.
inline std::string databaseOf(std::string_view sql) {
    const auto database = sqlite::Database::inMemory();
    const auto done = database ? database->run(sql) : tl::unexpected(database.error());
    if (!done) {
        throw std::runtime_error(done.error().message);
    }
    return serialized(database->handle());
}

/// A database file in memory.
class BytesInMemory final : public sqlite::DatabaseBytes {
public:
    explicit BytesInMemory(std::string bytes) : m_bytes(std::move(bytes)) {}

    [[nodiscard]] std::uint64_t size() const override { return m_bytes.size(); }
    [[nodiscard]] std::int64_t read(char* to, std::size_t capacity,
                                    std::uint64_t offset) const override {
        const std::size_t from = std::min<std::size_t>(offset, m_bytes.size());
        return static_cast<std::int64_t>(m_bytes.copy(to, capacity, from));
    }

private:
    std::string m_bytes;
};

}  // namespace kinetoscope::test
