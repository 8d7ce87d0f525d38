// SPDX-License-Identifier: Apache-2.0
#include "core/ranks/view/JobGrid.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>

#include "core/stats/Statistics.h"
#include "core/text/Format.h"

namespace kinetoscope::ranks::view {

namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

struct FigureWords {
    const char* key;
    const char* title;
    const char* help;
};

// By CellFigure.
constexpr std::array<FigureWords, kCellFigures.size()> kWords{{
    {"step-time", "Step time against the median",
     "How much longer the step took on this rank than on the median rank."},
    {"waited", "Waiting suffered",
     "Exposed waiting: from the rank's arrival at a collective to the last rank's, minus what it "
     "computed in the meantime."},
    {"caused", "Waiting caused (blame)",
     "Exposed waiting of all others at collectives where this rank arrived last."},
    {"busy", "Busy", "Share of the step in which the rank's GPU was busy."},
    {"exposed-comm", "Exposed communication",
     "Time in the step in which the rank's GPU communicated without computing."},
}};

const FigureWords& wordsOf(CellFigure figure) {
    return kWords[static_cast<std::size_t>(figure)];
}

}  // namespace

const char* figureTitle(CellFigure figure) {
    return wordsOf(figure).title;
}

const char* figureKey(CellFigure figure) {
    return wordsOf(figure).key;
}

const char* figureHelp(CellFigure figure) {
    return wordsOf(figure).help;
}

JobGrid::JobGrid(const Job& job) : m_ranks(job.records.size()), m_medianNs(job.steps.size()) {
    m_cells.resize(m_ranks * job.steps.size());
    takeSteps(job);
    takeWaits(job);
}

void JobGrid::takeSteps(const Job& job) {
    for (std::size_t s = 0; s < job.steps.size(); ++s) {
        std::vector<TimeNs> lengths;
        for (std::size_t r = 0; r < m_ranks; ++r) {
            const TimeNs length = job.steps[s].lengthNs[r];
            m_cells[r * steps() + s].lengthNs = length;
            if (length >= 0) {
                lengths.push_back(length);
            }
        }
        m_medianNs[s] = static_cast<TimeNs>(stats::medianOf(lengths));
    }
    std::unordered_map<std::int64_t, std::size_t> columns;
    for (std::size_t s = 0; s < job.steps.size(); ++s) {
        columns.emplace(job.steps[s].number, s);
    }
    for (std::size_t r = 0; r < m_ranks; ++r) {
        for (const RankStep& step : job.records[r].steps) {
            if (const auto column = columns.find(step.number); column != columns.end()) {
                Cell& cell = m_cells[r * steps() + column->second];
                cell.busyNs += step.span.duration() - step.time.idleNs;
                cell.exposedNs += step.time.exposedCommNs;
            }
        }
    }
}

void JobGrid::takeWaits(const Job& job) {
    std::unordered_map<std::int64_t, std::size_t> columns;
    for (std::size_t s = 0; s < job.steps.size(); ++s) {
        columns.emplace(job.steps[s].number, s);
    }
    struct Most {
        TimeNs caused = 0;
        TimeNs waited = 0;
    };
    std::vector<Most> most(m_cells.size());
    for (std::size_t i = 0; i < job.waits.size(); ++i) {
        const CollectiveWait& wait = job.waits[i];
        const auto column = columns.find(wait.step);
        if (column == columns.end()) {
            continue;
        }
        const auto& members = job.matching.collectives[i].members;
        const auto place = [&](std::size_t member) {
            return members[member].record * steps() + column->second;
        };
        const TimeNs sum = wait.exposedSum();
        const std::size_t last = place(wait.last);
        m_cells[last].causedNs += sum;
        if (sum > most[last].caused) {
            most[last].caused = sum;
            m_cells[last].call = static_cast<std::int64_t>(i);
        }
        for (std::size_t m = 0; m < members.size(); ++m) {
            Cell& cell = m_cells[place(m)];
            cell.waitedNs += wait.exposedNs[m];
            Most& own = most[place(m)];
            if (own.caused == 0 && wait.exposedNs[m] > own.waited) {
                own.waited = wait.exposedNs[m];
                cell.call = static_cast<std::int64_t>(i);
            }
        }
    }
}

double JobGrid::value(CellFigure figure, std::size_t record, std::size_t step) const {
    const Cell& cell = at(record, step);
    const auto length = static_cast<double>(cell.lengthNs);
    const auto median = static_cast<double>(m_medianNs[step]);
    switch (figure) {
        case CellFigure::StepTime:
            return cell.lengthNs < 0 || median <= 0.0 ? kNone : length / median - 1.0;
        case CellFigure::Busy:
            return cell.lengthNs <= 0 ? kNone : static_cast<double>(cell.busyNs) / length;
        case CellFigure::ExposedComm:
            return cell.lengthNs < 0 ? kNone : static_cast<double>(cell.exposedNs);
        // Outside of steps there is waiting too.
        case CellFigure::Waited:
            return cell.lengthNs < 0 && cell.call < 0 ? kNone : static_cast<double>(cell.waitedNs);
        case CellFigure::Caused:
            break;
    }
    return cell.lengthNs < 0 && cell.call < 0 ? kNone : static_cast<double>(cell.causedNs);
}

double JobGrid::total(CellFigure figure, std::size_t record) const {
    double sum = 0.0;
    std::size_t count = 0;
    for (std::size_t step = 0; step < steps(); ++step) {
        if (const double one = value(figure, record, step); !std::isnan(one)) {
            sum += one;
            ++count;
        }
    }
    return count == 0 ? kNone : isShare(figure) ? sum / static_cast<double>(count) : sum;
}

double JobGrid::largest(CellFigure figure) const {
    double most = 0.0;
    for (std::size_t record = 0; record < m_ranks; ++record) {
        for (std::size_t step = 0; step < steps(); ++step) {
            const double one = std::abs(value(figure, record, step));
            most = one > most ? one : most;  // not-a-number is not larger
        }
    }
    return most;
}

std::string valueText(CellFigure figure, double value) {
    if (std::isnan(value)) {
        return {};
    }
    if (figure == CellFigure::StepTime) {
        return fmt::format("{:+.1f} %", 100.0 * value);
    }
    return isShare(figure) ? fmt::format("{:.1f} %", 100.0 * value)
                           : text::formatDuration(static_cast<TimeNs>(std::llround(value)));
}

}  // namespace kinetoscope::ranks::view
