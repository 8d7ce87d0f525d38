// SPDX-License-Identifier: Apache-2.0
#include "core/baseline/SequentialCompare.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/compare/ResultCompare.h"
#include "core/text/Printable.h"

namespace kinetoscope::baseline {

using compare::Both;
using compare::CompareOptions;
using compare::Comparison;
using compare::KernelChange;
using compare::MeasuredItem;
using compare::MeasuredResult;

namespace {

bool isRow(const OpenRow& open, const KernelChange& row) {
    return open.name.base == row.parts.base.front().name &&
           open.name.candidate == row.parts.candidate.front().name &&
           open.key.base == row.key.base && open.key.candidate == row.key.candidate;
}

bool maybeSlower(const KernelChange& row, double percent) {
    return row.verdict == stats::Verdict::Unsure &&
           (!row.speedup.interval || 1.0 / row.speedup.interval->low >= 1.0 + percent / 100.0);
}

/// Only what is open.
void keepOpen(MeasuredResult& result, const std::vector<OpenRow>& open,
              std::string Both<std::string>::*side) {
    std::erase_if(result.items, [&](const MeasuredItem& item) {
        return std::ranges::none_of(open, [&](const OpenRow& row) {
            return row.name.*side == item.name && row.key.*side == item.key;
        });
    });
}

}  // namespace

SequentialCompare::SequentialCompare(std::vector<MeasuredResult> base,
                                     std::vector<MeasuredResult> candidate,
                                     const CompareOptions& options, double percent,
                                     std::size_t maxRuns)
    : m_base(std::move(base)),
      m_candidate(std::move(candidate)),
      m_options(options),
      m_percent(percent),
      m_maxRuns(maxRuns),
      m_whole(m_candidate.size()),
      m_errorLeft(options.rule.error) {
    m_options.rule.tolerance = stats::kBenchTolerance;
}

Result<void> SequentialCompare::add(MeasuredResult run) {
    const MeasuredResult& first = m_candidate.front();
    if (run.kind != first.kind || run.gpu != first.gpu || run.conditions != first.conditions) {
        return fail(
            fmt::format("'{}': was measured differently than '{}': another bench, GPU or method",
                        text::printable(run.id), text::printable(first.id)));
    }
    m_candidate.push_back(std::move(run));
    return {};
}

double SequentialCompare::nextError() {
    const bool isLast = m_candidate.size() >= m_maxRuns;
    const double share = isLast ? m_errorLeft : m_looked ? m_furtherError : m_errorLeft / 2.0;
    if (!m_looked && !isLast) {
        m_furtherError = share / static_cast<double>(m_maxRuns - m_candidate.size());
    }
    m_errorLeft -= share;
    return share;
}

Result<void> SequentialCompare::look() {
    auto base = pooledResult(m_base);
    auto candidate = base ? pooledResult(m_candidate, m_whole) : base;
    if (!candidate) {
        return tl::unexpected(candidate.error());
    }
    if (m_looked) {
        keepOpen(*base, m_open, &Both<std::string>::base);
        keepOpen(*candidate, m_open, &Both<std::string>::candidate);
    }
    CompareOptions options = m_options;
    // A row left undecided because it cannot matter might have been decided by chance as well.
    options.rule.others = static_cast<std::size_t>(
        std::ranges::count(m_comparison.kernels, stats::Verdict::Unsure, &KernelChange::verdict));
    options.rule.others -= std::min(options.rule.others, m_open.size());
    options.rule.error = nextError();
    takeRows(compare::compareResults(compare::Baseline<const MeasuredResult*>(&*base),
                                     compare::Candidate<const MeasuredResult*>(&*candidate),
                                     options));
    if (m_candidate.size() >= m_maxRuns) {
        m_open.clear();
    }
    return {};
}

void SequentialCompare::takeRows(const Comparison& looked) {
    if (!std::exchange(m_looked, true)) {
        m_comparison = looked;
        m_notes = looked.notes;
    } else {
        for (KernelChange& row : m_comparison.kernels) {
            const auto found =
                std::ranges::find_if(m_open, [&](const OpenRow& open) { return isRow(open, row); });
            const auto now = std::ranges::find_if(looked.kernels, [&](const KernelChange& one) {
                return found != m_open.end() && isRow(*found, one);
            });
            if (now != looked.kernels.end()) {
                row = *now;
            }
        }
        finishShares(m_comparison);
        m_comparison.notes = m_notes;
        m_comparison.notes.push_back(fmt::format(
            "{} more run{} of what was undecided; all looks together have the error of one",
            m_candidate.size() - m_whole, m_candidate.size() - m_whole == 1 ? "" : "s"));
    }
    m_open.clear();
    for (const KernelChange& row : looked.kernels) {
        if (maybeSlower(row, m_percent)) {
            m_open.push_back({{row.parts.base.front().name, row.parts.candidate.front().name},
                              row.key,
                              row.parts.base.front().op});
        }
    }
}

}  // namespace kinetoscope::baseline
