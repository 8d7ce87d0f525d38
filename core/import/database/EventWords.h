// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/import/database/EventTable.h"

namespace kinetoscope::import::database {

/// An event of a trace as Kineto writes it.
struct WordedEvent {
    std::string json;
    char phase = 'X';
    TimeNs time = 0;
};

/// All events of `part`, which a row was read into; `more` and then the row's `columns` follow the
/// arguments of their own, but not those of counters.
[[nodiscard]] std::vector<WordedEvent> wordedEvents(const trace::Trace& part,
                                                    const std::vector<Argument>& more,
                                                    const std::vector<Argument>& columns);

/// Nanoseconds as JSON in microseconds, without rounding.
[[nodiscard]] std::string microseconds(TimeNs time);

/// A pid or tid.
[[nodiscard]] std::string rowIdJson(const trace::Trace& trace, trace::RowId id);

}  // namespace kinetoscope::import::database
