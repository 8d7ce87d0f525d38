// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>

#include "core/import/Importer.h"
#include "core/import/source/InputFile.h"
#include "core/sqlite/Database.h"
#include "core/sqlite/WriteAheadLog.h"

namespace kinetoscope::import::database {

/// A database file that is read with several connections, and again later, together with a
/// write-ahead log next to it. Safe to use from any thread.
class DatabaseFile {
public:
    /// `input` starts at the file's start. A compressed file is unpacked into a nameless temporary
    /// one that lives as long as this.
    [[nodiscard]] static Result<std::shared_ptr<const DatabaseFile>> open(ImportInput& input);

    /// A separate connection. Fails if the file is no longer the one that was opened.
    [[nodiscard]] Result<sqlite::Database> connect(const std::stop_token& stop = {}) const;

    [[nodiscard]] std::uint64_t bytes() const { return m_identity.bytes; }
    /// With what stands in the write-ahead log.
    [[nodiscard]] std::uint64_t readableBytes() const {
        return m_log ? std::max(m_log->bytes(), bytes()) : bytes();
    }
    /// Pages that stand in the write-ahead log.
    [[nodiscard]] std::size_t logPages() const { return m_log ? m_log->pages() : 0; }
    /// Bytes that the database has by its header and that are not in the file.
    [[nodiscard]] std::uint64_t missingBytes() const { return m_missingBytes; }
    [[nodiscard]] bool changed() const;

private:
    DatabaseFile() = default;
    [[nodiscard]] Result<void> unpack(ImportInput& input);
    void readLog();
    [[nodiscard]] std::string logPath() const { return m_path + "-wal"; }
    [[nodiscard]] Result<std::shared_ptr<const source::InputFile>> file() const;
    [[nodiscard]] Result<std::shared_ptr<const sqlite::DatabaseBytes>> content() const;

    std::string m_path;
    source::FileIdentity m_identity;
    std::shared_ptr<const source::InputFile> m_unpacked;  // null: the file at m_path is it
    std::uint64_t m_missingBytes = 0;
    std::shared_ptr<const sqlite::WriteAheadLog> m_log;  // null: there is none
    source::FileIdentity m_logIdentity;
};

}  // namespace kinetoscope::import::database
