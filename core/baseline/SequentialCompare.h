// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/compare/Comparison.h"
#include "core/compare/MeasuredResult.h"

namespace kinetoscope::baseline {

/// A row that more runs may decide.
struct OpenRow {
    compare::Both<std::string> name;
    compare::Both<std::string> key;
    std::string op;  ///< the operator; empty for kernels and modules
};

/// Runs of one bench against others, compared again whenever there is one more. However often that
/// is, all verdicts together have the error of one comparison: the first look spends half of it,
/// the further ones up to `maxRuns` share the rest, and a row that was decided stays as it is.
class SequentialCompare {
public:
    /// A row stays open while it is UNSURE and may still be slower by `percent` or more.
    SequentialCompare(std::vector<compare::MeasuredResult> base,
                      std::vector<compare::MeasuredResult> candidate,
                      const compare::CompareOptions& options, double percent, std::size_t maxRuns);

    /// Compares what is open; then either nothing is open any more, or there are fewer than
    /// `maxRuns`. Fails in one line on runs of different benches.
    [[nodiscard]] Result<void> look();
    /// One more run of the candidate, at least of the open rows. Fails where it is one of another
    /// bench, GPU or way to measure.
    [[nodiscard]] Result<void> add(compare::MeasuredResult run);

    [[nodiscard]] compare::ResultKind kind() const { return m_candidate.front().kind; }
    [[nodiscard]] std::size_t runs() const { return m_candidate.size(); }
    [[nodiscard]] const std::vector<OpenRow>& open() const { return m_open; }
    [[nodiscard]] const compare::Comparison& comparison() const { return m_comparison; }

private:
    [[nodiscard]] double nextError();
    void takeRows(const compare::Comparison& looked);

    std::vector<compare::MeasuredResult> m_base;
    std::vector<compare::MeasuredResult> m_candidate;
    compare::CompareOptions m_options;
    double m_percent;
    std::size_t m_maxRuns;
    std::size_t m_whole;  ///< runs of the candidate that measured everything
    double m_errorLeft;
    double m_furtherError = 0.0;  ///< of each look behind the first
    bool m_looked = false;
    std::vector<OpenRow> m_open;
    std::vector<std::string> m_notes;  ///< of the first look
    compare::Comparison m_comparison;
};

}  // namespace kinetoscope::baseline
