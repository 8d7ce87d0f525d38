// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "core/query/sql/Plan.h"

struct sqlite3_value;

namespace kinetoscope::query::sql {

/// Numbers from the lowest to the highest one.
struct NumberBounds {
    int column = 0;
    std::int64_t low = std::numeric_limits<std::int64_t>::min();
    std::int64_t high = std::numeric_limits<std::int64_t>::max();
};

/// A text that a column of codes is compared with.
struct TextBounds {
    int column = 0;
    unsigned char comparison = 0;
    std::string text;
};

/// The conditions of a plan with the values of one question: what of a table is wanted.
struct Bounds {
    std::vector<NumberBounds> numbers;  ///< one for each column
    std::vector<TextBounds> texts;
    bool nothing = false;  ///< no row can meet them

    /// Those of the column, where there are any.
    [[nodiscard]] const NumberBounds* number(int column) const;
};

/// As SQLite compares, to the letter: numbers with texts and fractions among them.
[[nodiscard]] Bounds makeBounds(const Plan& plan, const TableInfo& table, sqlite3_value** values);

}  // namespace kinetoscope::query::sql
