// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "core/flight/Messages.h"

namespace kinetoscope::flight {

/// What became of a collective or a message on one rank.
enum class Fate : std::uint8_t {
    Completed,
    Started,
    Scheduled,
    TimedOut,
    NeverCame,
    Overwritten,  ///< the dump no longer has it
    NoDump,
    Apart,  ///< neither end of the message
};
/// Those that are drawn.
inline constexpr std::array kFates{Fate::Completed, Fate::Started,   Fate::Scheduled,
                                   Fate::TimedOut,  Fate::NeverCame, Fate::Overwritten,
                                   Fate::NoDump};

/// "completed", "started", "in the queue", "given up", "never came", "overwritten", "no dump",
/// "has no part in it".
[[nodiscard]] const char* fateName(Fate fate);

enum class CallKind : std::uint8_t { Collectives, Messages };

/// The calls of one process group: a row for each rank, a column for each collective by its number,
/// or for each message from rank to rank.
class CallGrid {
public:
    CallGrid() = default;
    /// `job` must stay where it is.
    CallGrid(const FlightJob& job, std::size_t group, CallKind kind = CallKind::Collectives);

    [[nodiscard]] std::size_t group() const { return m_group; }
    [[nodiscard]] CallKind kind() const { return m_kind; }
    /// By row, ascending; those without a dump too.
    [[nodiscard]] const std::vector<std::int64_t>& ranks() const { return m_ranks; }
    [[nodiscard]] std::size_t columns() const {
        return m_kind == CallKind::Messages ? m_messages.size() : m_numbers.size();
    }
    /// Of collectives by column, ascending: every number that occurs on some rank.
    [[nodiscard]] const std::vector<std::int64_t>& numbers() const { return m_numbers; }
    /// "211"; "0→1" of a message.
    [[nodiscard]] std::string columnLabel(std::size_t column) const;
    /// "number 211"; "message 3 from rank 0 to rank 1".
    [[nodiscard]] std::string columnTitle(std::size_t column) const;
    [[nodiscard]] std::optional<std::size_t> rowOf(std::int64_t rank) const;
    [[nodiscard]] std::optional<std::size_t> columnOf(std::int64_t number) const;
    /// The place of a collective or a message of the group.
    [[nodiscard]] std::optional<std::size_t> columnOf(Call call) const;

    [[nodiscard]] Fate fate(std::size_t row, std::size_t column) const;
    /// The rank's call of that column: of several, which are one coalesced call, the first that is
    /// open, else the last.
    [[nodiscard]] std::optional<Call> call(std::size_t row, std::size_t column) const;
    /// The rank's part in the group; null: there is no dump of it.
    [[nodiscard]] const Member* member(std::size_t row) const { return m_members[row]; }

    /// A column that is stuck, and its row of FlightJob::stuck.
    struct StuckColumn {
        std::size_t column = 0;
        std::size_t stuck = 0;
    };
    /// At most one of collectives; causes first.
    [[nodiscard]] const std::vector<StuckColumn>& stuck() const { return m_stuck; }
    /// Whether the ranks' calls of that column do not fit each other.
    [[nodiscard]] bool differs(std::size_t column) const;

private:
    void takeStuck();

    const FlightJob* m_job = nullptr;
    std::size_t m_group = 0;
    CallKind m_kind = CallKind::Collectives;
    std::vector<std::int64_t> m_ranks;
    std::vector<const Member*> m_members;
    std::vector<std::int64_t> m_numbers;
    std::vector<Message> m_messages;
    std::vector<std::size_t> m_differing;  ///< columns, ascending
    std::vector<StuckColumn> m_stuck;
};

}  // namespace kinetoscope::flight
