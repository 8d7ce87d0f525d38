// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "core/import/database/DatabaseFile.h"
#include "core/import/database/EventTable.h"

namespace kinetoscope::import::database {

/// Reads the rows of the tables into `builder`, table after table, with as many threads as
/// `options` allows: the same trace for any number of them. Damage ends a stretch of a table, is
/// counted, and reading goes on behind it. Fails with ErrorKind::Cancelled after a stop.
[[nodiscard]] Result<void> readTables(const DatabaseFile& file, std::span<const EventTable> tables,
                                      const LoadOptions& options, trace::TraceBuilder& builder);

}  // namespace kinetoscope::import::database
