// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/bench/results/ResultDocument.h"
#include "core/text/TextTable.h"

namespace kinetoscope::bench::results {

/// A result as people read it, made by each kind and printed the same for all.
struct ResultSheet {
    struct Section {
        std::string title;                             ///< empty: none
        std::vector<text::TextTable::Column> columns;  ///< of its table; none: no table
        std::vector<std::vector<std::string>> rows;
        std::string instead;             ///< of a table without rows
        std::vector<std::size_t> code;   ///< columns that are code in Markdown
        std::vector<std::string> notes;  ///< lines below the table
    };
    std::string title;
    std::vector<std::string> facts;  ///< lines below the title
    std::vector<Section> sections;
};

/// One row for each kernel, of its fastest configuration, or with `allConfigs` for each of them.
[[nodiscard]] ResultSheet resultSheet(const KernelDocument& document, bool allConfigs = false);
/// Speedup quantiles by operator, and what was not run and why.
[[nodiscard]] ResultSheet resultSheet(const OperatorDocument& document, bool allConfigs = false);
/// Medians of the runners of each group, their intervals and verdicts.
[[nodiscard]] ResultSheet resultSheet(const ModuleDocument& document, bool allConfigs = false);

[[nodiscard]] std::string sheetText(const ResultSheet& sheet, const text::TextStyle& style);
[[nodiscard]] std::string sheetMarkdown(const ResultSheet& sheet);

/// One row per configuration; kernels that were not run have one row with the reason. Times are
/// written to a tenth of a nanosecond here and below.
[[nodiscard]] std::string resultCsv(const KernelDocument& document);
/// Columns of operatorbench's newer versions first: "Operator", "inductor 20th", …; a cell is empty
/// where there is nothing.
[[nodiscard]] std::string resultCsv(const OperatorDocument& document);
/// One row per runner and direction.
[[nodiscard]] std::string resultCsv(const ModuleDocument& document);

}  // namespace kinetoscope::bench::results
