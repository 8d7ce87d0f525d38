// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/import/database/Names.h"
#include "core/import/database/Schema.h"
#include "core/trace/ImportIssues.h"
#include "core/trace/TraceBuilder.h"

namespace kinetoscope::import::database {

class RowNumbers;

/// A part of a trace that one thread reads at a time.
struct Unit {
    trace::TraceBuilder builder{trace::TraceBuilder::Use::Part};
    trace::IssueCounter issues;
    std::uint64_t rows = 0;
    std::uint64_t skipped = 0;
    std::vector<std::pair<trace::SliceId, TimeNs>>
        open;  ///< slices without an end, with their start
    TimeNs latest = std::numeric_limits<TimeNs>::min();  ///< end of all that has one
    NameCache names;
    std::optional<std::uint64_t> ownOffset;  ///< of the row, where its table has RowNumbers

    /// What names the row's events.
    [[nodiscard]] std::uint64_t offset(const Rows& row) const {
        return ownOffset ? *ownOffset : row.offset();
    }
    /// Empty for the next rows; the memory stays.
    void clear();
    /// The row's time by two of its columns. Nothing, and the row is counted as left out, if it has
    /// no start. Without an end it lasts 0.
    [[nodiscard]] std::optional<TimeSpan> span(const Rows& row, std::size_t start, std::size_t end);
    /// The same of what has no duration.
    [[nodiscard]] std::optional<TimeNs> time(const Rows& row, std::size_t start);
    trace::SliceId addSlice(TimeSpan span, NameId name, trace::TrackId track,
                            trace::CategoryId category, std::uint64_t offset,
                            std::int64_t correlation = trace::kNoId);
};

/// One of an event's arguments: what it is called and its JSON.
using Argument = std::pair<std::string, std::string>;

/// A table whose rows are events of a trace.
struct EventTable {
    const Table* table = nullptr;
    std::vector<std::string_view> columns;  ///< those that `read` asks for, by number
    std::function<void(const Rows& row, Unit& unit)> read;
    /// Arguments in Kineto's words beside those that every slice and GPU operation has; may be
    /// null. Then come the columns themselves, but those of `hidden`.
    std::function<void(const Rows& row, std::vector<Argument>& arguments)> describe = nullptr;
    std::vector<std::string_view> hidden = {};
    /// When what has no end ends, once all tables were read; may be null where all have one.
    std::function<TimeNs()> traceEnd = nullptr;
    std::shared_ptr<const RowNumbers> numbers = nullptr;  ///< null: the rows' own ones will do
};

/// What turns columns of a format into words.
class ColumnWords {
public:
    ColumnWords() = default;
    ColumnWords(const ColumnWords&) = delete;
    ColumnWords& operator=(const ColumnWords&) = delete;
    virtual ~ColumnWords() = default;

    /// The JSON of a column's value, where the number stands for something else.
    [[nodiscard]] virtual std::optional<std::string> json(std::string_view column,
                                                          std::int64_t value) const = 0;
};

inline constexpr unsigned kRowBits = 48;
inline constexpr std::uint64_t kMaxRowsOfTable = std::uint64_t{1} << kRowBits;

/// Where the rows of the event table of this number begin in the numbers of events.
[[nodiscard]] constexpr std::uint64_t originOf(std::size_t table) {
    return (static_cast<std::uint64_t>(table) + 1) << kRowBits;
}

}  // namespace kinetoscope::import::database
