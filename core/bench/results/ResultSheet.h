// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/bench/results/BenchResult.h"
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

/// Of kernels one row each, of its fastest configuration, or with `allConfigs` for each of them; of
/// operators their speedups; of modules the medians of the runners of each group. Below it what was
/// not run, and why.
[[nodiscard]] ResultSheet resultSheet(const ResultDocument& document, bool allConfigs = false);

[[nodiscard]] std::string sheetText(const ResultSheet& sheet, const text::TextStyle& style);
[[nodiscard]] std::string sheetMarkdown(const ResultSheet& sheet);

/// One row per configuration of a kernel, per operator, or per direction of a runner.
[[nodiscard]] std::string resultCsv(const ResultDocument& document);

// What they choose from.
[[nodiscard]] ResultSheet kernelSheet(const ResultDocument& document, bool allConfigs);
[[nodiscard]] ResultSheet operatorSheet(const ResultDocument& document);
[[nodiscard]] ResultSheet moduleSheet(const ResultDocument& document);

/// Kernels that were not run have one row with the reason. Times are written to a tenth of a
/// nanosecond.
[[nodiscard]] std::string kernelCsv(const ResultDocument& document);
/// Columns of operatorbench's newer versions first: "Operator", "inductor 20th", …; a cell is empty
/// where there is nothing.
[[nodiscard]] std::string operatorCsv(const ResultDocument& document);
[[nodiscard]] std::string moduleCsv(const ResultDocument& document);

}  // namespace kinetoscope::bench::results
