// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "core/ranks/Job.h"

namespace kinetoscope::ranks::view {

/// One rank in one step.
struct Cell {
    TimeNs lengthNs = -1;    ///< of the step; -1: the rank has none of that number
    TimeNs waitedNs = 0;     ///< exposed waiting for others
    TimeNs causedNs = 0;     ///< exposed waiting of the others for it
    TimeNs busyNs = 0;       ///< in which its GPU did anything
    TimeNs exposedNs = 0;    ///< communication beside no computation
    std::int64_t call = -1;  ///< row of Matching::collectives where most of `causedNs`, else of
                             ///< `waitedNs` is from; -1: none
};

/// The figures that a grid can show.
enum class CellFigure : std::uint8_t { StepTime, Waited, Caused, Busy, ExposedComm };
inline constexpr std::array kCellFigures{CellFigure::StepTime, CellFigure::Waited,
                                         CellFigure::Caused, CellFigure::Busy,
                                         CellFigure::ExposedComm};

/// "Step time against the median", "Waiting suffered"…
[[nodiscard]] const char* figureTitle(CellFigure figure);
/// "step-time", "waited", "caused", "busy", "exposed-comm"; for files.
[[nodiscard]] const char* figureKey(CellFigure figure);
/// Its meaning, for tool tips.
[[nodiscard]] const char* figureHelp(CellFigure figure);

/// All ranks of a job in all of its steps.
class JobGrid {
public:
    JobGrid() = default;
    explicit JobGrid(const Job& job);

    [[nodiscard]] std::size_t ranks() const { return m_ranks; }
    /// Columns, as in Job::steps.
    [[nodiscard]] std::size_t steps() const { return m_medianNs.size(); }
    [[nodiscard]] const Cell& at(std::size_t record, std::size_t step) const {
        return m_cells[record * steps() + step];
    }
    /// Of the ranks that have the step.
    [[nodiscard]] TimeNs medianNs(std::size_t step) const { return m_medianNs[step]; }

    /// Step time: the part of the median that it is longer (0.1: by 10 %); busy: the part of the
    /// step; the others: nanoseconds. Not-a-number where the rank has no such step.
    [[nodiscard]] double value(CellFigure figure, std::size_t record, std::size_t step) const;
    /// Of a rank over all steps: means of shares, sums of times. Not-a-number without any.
    [[nodiscard]] double total(CellFigure figure, std::size_t record) const;
    /// The largest absolute value of all cells.
    [[nodiscard]] double largest(CellFigure figure) const;

private:
    void takeSteps(const Job& job);
    void takeWaits(const Job& job);

    std::size_t m_ranks = 0;
    std::vector<TimeNs> m_medianNs;  ///< by step
    std::vector<Cell> m_cells;       ///< by record, then by step
};

[[nodiscard]] inline bool isShare(CellFigure figure) {
    return figure == CellFigure::StepTime || figure == CellFigure::Busy;
}

/// A value for people: "+12.0 %", "1.250 ms"; empty for not-a-number.
[[nodiscard]] std::string valueText(CellFigure figure, double value);

}  // namespace kinetoscope::ranks::view
