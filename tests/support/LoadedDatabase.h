// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sqlite3.h>

#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tests/support/DatabaseText.h"

namespace kinetoscope::test {

/// A copy of a database in memory, as SQLite itself sees it and can change it. Damaged ones end
/// after a while.
class LoadedDatabase {
public:
    explicit LoadedDatabase(std::string_view bytes) {
        constexpr int kSteps = 1'000;
        sqlite3* handle = nullptr;
        (void)sqlite3_open(":memory:", &handle);
        m_handle.reset(handle);
        sqlite3_progress_handler(handle, kSteps, isOver, &m_turnsLeft);
        auto* const copy = static_cast<unsigned char*>(sqlite3_malloc64(bytes.size()));
        std::memcpy(copy, bytes.data(), bytes.size());
        const auto size = static_cast<sqlite3_int64>(bytes.size());
        m_isLoaded = sqlite3_deserialize(handle, "main", copy, size, size,
                                         SQLITE_DESERIALIZE_FREEONCLOSE |
                                             SQLITE_DESERIALIZE_RESIZEABLE) == SQLITE_OK;
    }
    LoadedDatabase(const LoadedDatabase&) = delete;
    LoadedDatabase& operator=(const LoadedDatabase&) = delete;
    ~LoadedDatabase() = default;

    [[nodiscard]] bool isLoaded() const { return m_isLoaded; }
    /// By SQLite's own check.
    [[nodiscard]] bool isSound() const {
        return texts("PRAGMA integrity_check(1)") == std::vector<std::string>{"ok"};
    }

    /// All statements, up to one that fails.
    void run(const std::string& sql) const {
        (void)sqlite3_exec(m_handle.get(), sql.c_str(), nullptr, nullptr, nullptr);
    }

    /// The first column of the first rows.
    [[nodiscard]] std::vector<std::string> texts(const std::string& sql) const {
        constexpr std::size_t kMostRows = 200;
        std::vector<std::string> found;
        sqlite3_stmt* statement = nullptr;
        (void)sqlite3_prepare_v2(m_handle.get(), sql.c_str(), -1, &statement, nullptr);
        while (statement != nullptr && found.size() < kMostRows &&
               sqlite3_step(statement) == SQLITE_ROW) {
            const auto* const text =
                reinterpret_cast<const char*>(sqlite3_column_text(statement, 0));
            found.emplace_back(text == nullptr ? "" : text);
        }
        (void)sqlite3_finalize(statement);
        return found;
    }

    [[nodiscard]] std::string bytes() const { return serialized(m_handle.get()); }

private:
    struct Close {
        void operator()(sqlite3* handle) const { (void)sqlite3_close(handle); }
    };

    static int isOver(void* turnsLeft) { return --*static_cast<int*>(turnsLeft) <= 0 ? 1 : 0; }

    int m_turnsLeft = 10'000;
    bool m_isLoaded = false;
    std::unique_ptr<sqlite3, Close> m_handle;
};

}  // namespace kinetoscope::test
