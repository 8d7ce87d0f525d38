// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/import/database/DatabaseFile.h"
#include "core/import/database/EventTable.h"
#include "core/import/database/Schema.h"

namespace kinetoscope::import::database {

/// A profiler's schema, recognised by its tables. Formats have no state.
class DatabaseFormat {
public:
    DatabaseFormat() = default;
    DatabaseFormat(const DatabaseFormat&) = delete;
    DatabaseFormat& operator=(const DatabaseFormat&) = delete;
    virtual ~DatabaseFormat() = default;

    /// Whose it is, for messages: "Nsight Systems (nsys export --type sqlite)".
    [[nodiscard]] virtual std::string_view name() const = 0;
    [[nodiscard]] virtual bool recognises(const Schema& schema) const = 0;

    /// How the database becomes a trace.
    struct Plan {
        std::vector<EventTable> tables;  ///< in the order of their events
        std::shared_ptr<const ColumnWords> words = nullptr;
        std::shared_ptr<const void> owner = nullptr;  ///< what the tables' functions look at
        /// Names the rows of a trace.
        std::function<void(trace::TraceBuilder& builder)> nameRows;
    };
    /// Reads what is not an event; `schema` lives as long as the plan. Adds to `info` and `log`.
    [[nodiscard]] virtual Result<Plan> plan(const sqlite::Database& database, const Schema& schema,
                                            trace::RunInfo& info, trace::ImportLog& log) const = 0;
};

/// A trace of the database by what its tables are known as. `input` begins with it.
[[nodiscard]] Result<std::shared_ptr<const trace::Trace>> readDatabase(
    ImportInput& input, std::span<const DatabaseFormat* const> formats);

}  // namespace kinetoscope::import::database
