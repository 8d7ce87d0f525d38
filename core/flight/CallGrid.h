// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "core/flight/FlightJob.h"

namespace kinetoscope::flight {

/// What became of a collective on one rank.
enum class Fate : std::uint8_t {
    Completed,
    Started,
    Scheduled,
    TimedOut,
    NeverCame,
    Overwritten,  ///< the dump no longer tells
    NoDump,
};
inline constexpr std::array kFates{Fate::Completed, Fate::Started,   Fate::Scheduled,
                                   Fate::TimedOut,  Fate::NeverCame, Fate::Overwritten,
                                   Fate::NoDump};

/// "completed", "started", "in the queue", "given up", "never came", "overwritten", "no dump".
[[nodiscard]] const char* fateName(Fate fate);

/// The collectives of one process group: a row for each rank, a column for each number.
class CallGrid {
public:
    CallGrid() = default;
    /// `job` must stay where it is.
    CallGrid(const FlightJob& job, std::size_t group);

    [[nodiscard]] std::size_t group() const { return m_group; }
    /// By row, ascending; those without a dump too.
    [[nodiscard]] const std::vector<std::int64_t>& ranks() const { return m_ranks; }
    /// By column, ascending: every number that some rank tells of.
    [[nodiscard]] const std::vector<std::int64_t>& numbers() const { return m_numbers; }
    [[nodiscard]] std::optional<std::size_t> rowOf(std::int64_t rank) const;
    [[nodiscard]] std::optional<std::size_t> columnOf(std::int64_t number) const;

    [[nodiscard]] Fate fate(std::size_t row, std::size_t column) const;
    /// The rank's call of that number: of several, which are one coalesced call, the first that is
    /// open, else the last.
    [[nodiscard]] std::optional<Call> call(std::size_t row, std::size_t column) const;
    /// What the rank did in the group; null: there is no dump of it.
    [[nodiscard]] const Member* member(std::size_t row) const { return m_members[row]; }

    /// The column that is stuck.
    [[nodiscard]] std::optional<std::size_t> stuckColumn() const { return m_stuck; }
    /// Whether the ranks' calls of that number do not fit each other.
    [[nodiscard]] bool differs(std::size_t column) const;

private:
    const FlightJob* m_job = nullptr;
    std::size_t m_group = 0;
    std::vector<std::int64_t> m_ranks;
    std::vector<const Member*> m_members;
    std::vector<std::int64_t> m_numbers;
    std::vector<std::size_t> m_differing;  ///< columns, ascending
    std::optional<std::size_t> m_stuck;
};

}  // namespace kinetoscope::flight
