// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <memory>
#include <optional>
#include <vector>

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
    /// What can be shown: the collectives of a process group, or its messages from rank to rank.
    struct View {
        std::size_t group = 0;  ///< of FlightJob::groups
        flight::CallKind kind = flight::CallKind::Collectives;
    };
    [[nodiscard]] const std::vector<View>& views() const { return m_views; }
    /// Row of views(), and its grid, which is empty where the dumps know no group.
    [[nodiscard]] std::size_t view() const { return m_view; }
    [[nodiscard]] const flight::CallGrid& grid() const { return m_grid; }
    void setView(std::size_t view);
    /// The first one of a group.
    void setGroup(std::size_t group);

    [[nodiscard]] std::optional<CallPlace> cell() const { return m_cell; }
    void setCell(std::optional<CallPlace> cell);
    /// Of FlightJob::stuck, and behind those of FlightJob::mismatches.
    [[nodiscard]] std::optional<std::size_t> answer() const { return m_answer; }
    [[nodiscard]] std::size_t answers() const;
    /// Selects it, and its most informative cell: of a rank that never came, else of one that
    /// waits.
    void goToAnswer(std::size_t answer);

signals:
    void viewChanged();
    void selectionChanged();

private:
    void show(std::size_t group, flight::CallKind kind);
    [[nodiscard]] std::optional<CallPlace> placeOf(const flight::Stuck& stuck) const;
    [[nodiscard]] std::optional<CallPlace> placeOf(const flight::Mismatch& mismatch) const;
    [[nodiscard]] std::optional<CallPlace> placeAt(std::size_t dump,
                                                   std::optional<std::size_t> column) const;

    Dumps m_dumps;
    std::vector<View> m_views;
    std::size_t m_view = 0;
    flight::CallGrid m_grid;
    std::optional<CallPlace> m_cell;
    std::optional<std::size_t> m_answer;
};

}  // namespace kinetoscope::job::dumps
