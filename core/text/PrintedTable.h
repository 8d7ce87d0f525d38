// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/text/TextTable.h"

namespace kinetoscope::text {

/// A table as text and as Markdown have it: cells are ready, printable and without units. Where it
/// is too wide the last columns go first.
struct PrintedTable {
    struct Column {
        std::string title;
        bool isName = false;  ///< left-aligned, and may be shortened
        bool isWord = false;  ///< left-aligned, and whole
    };
    std::string title;
    std::vector<Column> columns;
    std::vector<std::vector<std::string>> rows;
};

/// Heading and table, an empty line before them; of more than `most` rows the first ones and how
/// many more there are. Empty for a table without rows.
[[nodiscard]] std::string shownTable(const PrintedTable& table, const TextStyle& style,
                                     std::size_t most = 64);
/// The whole table as a section of Markdown; empty without rows.
[[nodiscard]] std::string markdownTable(const PrintedTable& table);

}  // namespace kinetoscope::text
