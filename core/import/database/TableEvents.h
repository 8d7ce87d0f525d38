// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "core/import/database/DatabaseFile.h"
#include "core/import/database/EventTable.h"
#include "core/trace/EventText.h"

namespace kinetoscope::import::database {

/// Words rows of event tables as Kineto would write such events; the rest of their columns stand
/// under their own names. `metadata`: the events that name rows, each a whole object. `words` may
/// be null; what the tables' functions refer to must live in `owner`.
[[nodiscard]] std::shared_ptr<const trace::EventText> tableEvents(
    std::shared_ptr<const DatabaseFile> file, std::vector<EventTable> tables,
    std::vector<std::string> metadata, std::shared_ptr<const ColumnWords> words,
    std::shared_ptr<const void> owner);

/// process_name, thread_name and the like of all rows, as Kineto writes them.
[[nodiscard]] std::vector<std::string> metadataOf(const trace::Trace& trace);

}  // namespace kinetoscope::import::database
