// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace kinetoscope::sqlite {

/// The bytes of an untrusted database file. Safe to read from several threads.
class DatabaseBytes {
public:
    DatabaseBytes() = default;
    DatabaseBytes(const DatabaseBytes&) = delete;
    DatabaseBytes& operator=(const DatabaseBytes&) = delete;
    virtual ~DatabaseBytes() = default;

    [[nodiscard]] virtual std::uint64_t size() const = 0;
    /// Bytes read, fewer at the end alone; -1 where the system refuses.
    [[nodiscard]] virtual std::int64_t read(char* to, std::size_t capacity,
                                            std::uint64_t offset) const = 0;
};

}  // namespace kinetoscope::sqlite
