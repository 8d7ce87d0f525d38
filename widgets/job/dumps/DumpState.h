// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <memory>
#include <optional>

#include "core/flight/CallGrid.h"

namespace kinetoscope::job::dumps {

/// A cell of the matrix of calls: row and column of the grid.
struct CallPlace {
    std::size_t row = 0;
    std::size_t column = 0;

    friend bool operator==(CallPlace, CallPlace) = default;
};

/// How the dumps of one job are looked at: matrix, answers and words listen to it. GUI thread.
class DumpState final : public QObject {
    Q_OBJECT

public:
    using Dumps = std::shared_ptr<const flight::FlightJob>;

    explicit DumpState(Dumps dumps, QObject* parent = nullptr);

    [[nodiscard]] const flight::FlightJob& job() const { return *m_dumps; }
    /// The process group that is shown; its grid is empty where the dumps know no group.
    [[nodiscard]] const flight::CallGrid& grid() const { return m_grid; }
    [[nodiscard]] std::size_t group() const { return m_grid.group(); }
    void setGroup(std::size_t group);

    [[nodiscard]] std::optional<CallPlace> cell() const { return m_cell; }
    void setCell(std::optional<CallPlace> cell);
    /// Of FlightJob::stuck, and behind those of FlightJob::mismatches.
    [[nodiscard]] std::optional<std::size_t> answer() const { return m_answer; }
    [[nodiscard]] std::size_t answers() const;
    /// Selects it, and of a collective the cell that says most: of a rank that never came, else of
    /// one that waits.
    void goToAnswer(std::size_t answer);

signals:
    void groupChanged();
    void selectionChanged();

private:
    [[nodiscard]] std::optional<CallPlace> placeOf(const flight::Stuck& stuck) const;
    [[nodiscard]] std::optional<CallPlace> placeOf(const flight::Mismatch& mismatch) const;
    [[nodiscard]] std::optional<CallPlace> placeAt(std::size_t dump, std::int64_t number) const;

    Dumps m_dumps;
    flight::CallGrid m_grid;
    std::optional<CallPlace> m_cell;
    std::optional<std::size_t> m_answer;
};

}  // namespace kinetoscope::job::dumps
