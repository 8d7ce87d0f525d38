// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sqlite3.h>

#include <memory>
#include <string>

#include "core/sqlite/DatabaseBytes.h"

namespace kinetoscope::sqlite {

/// A file system of SQLite in which there is one file, that cannot be written, and nothing else: no
/// journal, no write-ahead log, no temporary file. Registered as long as it lives.
class BytesVfs {
public:
    explicit BytesVfs(std::shared_ptr<const DatabaseBytes> bytes);
    BytesVfs(const BytesVfs&) = delete;
    BytesVfs& operator=(const BytesVfs&) = delete;
    ~BytesVfs();

    [[nodiscard]] const char* name() const { return m_name.c_str(); }
    [[nodiscard]] const std::shared_ptr<const DatabaseBytes>& bytes() const { return m_bytes; }

private:
    std::shared_ptr<const DatabaseBytes> m_bytes;
    std::string m_name;
    sqlite3_vfs m_vfs{};
};

}  // namespace kinetoscope::sqlite
