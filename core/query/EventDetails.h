// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/Result.h"
#include "core/trace/Trace.h"

namespace kinetoscope::query {

/// One line of an event's JSON. Objects open a level: their members follow, one level deeper.
struct DetailRow {
    std::string key;
    std::string value;  ///< texts without quotes, everything else as JSON; "" for an object
    std::uint16_t level = 0;

    friend bool operator==(const DetailRow&, const DetailRow&) = default;
};

/// All members of a slice in the file, in its order. JSON that cannot be read becomes one row with
/// the text as written. Fails if the file cannot be read again, and for traces that do not come
/// from text.
[[nodiscard]] Result<std::vector<DetailRow>> eventDetails(const trace::Trace& trace,
                                                          trace::SliceId slice);

/// The same of any event, by the byte where its object begins (Instant::offset).
[[nodiscard]] Result<std::vector<DetailRow>> eventDetailsAt(const trace::Trace& trace,
                                                            std::uint64_t offset);

/// The same for any object; the testable part.
[[nodiscard]] std::vector<DetailRow> jsonRows(const std::string& text);

}  // namespace kinetoscope::query
