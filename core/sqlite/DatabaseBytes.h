// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace kinetoscope::sqlite {

/// Whether a file with this start is a database of SQLite 3.
[[nodiscard]] inline bool isDatabase(std::string_view head) {
    using namespace std::string_view_literals;
    return head.starts_with("SQLite format 3\0"sv);
}

/// The bytes of an untrusted database file. Safe to read from several threads.
class DatabaseBytes {
public:
    DatabaseBytes() = default;
    DatabaseBytes(const DatabaseBytes&) = delete;
    DatabaseBytes& operator=(const DatabaseBytes&) = delete;
    virtual ~DatabaseBytes() = default;

    [[nodiscard]] virtual std::uint64_t size() const = 0;
    /// Those that are there, if the end is missing.
    [[nodiscard]] virtual std::uint64_t readable() const { return size(); }
    /// Bytes read, fewer at the end alone; -1 where the system refuses.
    [[nodiscard]] virtual std::int64_t read(char* to, std::size_t capacity,
                                            std::uint64_t offset) const = 0;
};

}  // namespace kinetoscope::sqlite
