// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "core/bench/results/OperatorResult.h"

namespace kinetoscope::bench::results {

// The lines of `kscope bench operators --stream`, one JSON object each.

/// The document before anything ran: every operator and sample of the plan.
[[nodiscard]] std::string operatorPlanLine(const OperatorDocument& document);
/// `index` is that of the operator in the document.
[[nodiscard]] std::string operatorStartLine(std::size_t index);
/// `position` is that in the operator's list of samples.
[[nodiscard]] std::string operatorSampleLine(std::size_t index, std::size_t position,
                                             const OperatorSample& sample);
/// The operator has nothing to come.
[[nodiscard]] std::string operatorDoneLine(std::size_t index, const OperatorResult& result);

/// Puts a document together from these lines.
class OperatorStream {
public:
    enum class Change { None, Plan, Operator };

    /// What the line changed; lines that are none of these change nothing.
    Change take(std::string_view line);

    /// A whole document instead.
    void open(OperatorDocument document);

    [[nodiscard]] const OperatorDocument& document() const { return m_document; }
    /// Index of the operator that is being run or was last; of no meaning before the first.
    [[nodiscard]] std::size_t current() const { return m_current; }
    /// Operators that have nothing to come.
    [[nodiscard]] std::size_t done() const;

private:
    OperatorDocument m_document;
    std::size_t m_current = 0;
};

}  // namespace kinetoscope::bench::results
