// SPDX-License-Identifier: Apache-2.0
#include "core/query/sql/Bounds.h"

#include <sqlite3.h>

#include <algorithm>
#include <cmath>

namespace kinetoscope::query::sql {

namespace {

using Limits = std::numeric_limits<std::int64_t>;

constexpr double kBeyond = 9223372036854775808.0;  // 2^63

// The whole numbers that compare so with a value; low > high: none.
struct Range {
    std::int64_t low = Limits::min();
    std::int64_t high = Limits::max();
};
constexpr Range kNone{1, 0};

Range compared(unsigned char comparison, std::int64_t value) {
    switch (comparison) {
        case SQLITE_INDEX_CONSTRAINT_EQ:
            return {value, value};
        case SQLITE_INDEX_CONSTRAINT_GE:
            return {value, Limits::max()};
        case SQLITE_INDEX_CONSTRAINT_LE:
            return {Limits::min(), value};
        case SQLITE_INDEX_CONSTRAINT_GT:
            return value == Limits::max() ? kNone : Range{value + 1, Limits::max()};
        default:
            return value == Limits::min() ? kNone : Range{Limits::min(), value - 1};
    }
}

bool wantsMore(unsigned char comparison) {
    return comparison == SQLITE_INDEX_CONSTRAINT_GE || comparison == SQLITE_INDEX_CONSTRAINT_GT;
}

bool wantsLess(unsigned char comparison) {
    return comparison == SQLITE_INDEX_CONSTRAINT_LE || comparison == SQLITE_INDEX_CONSTRAINT_LT;
}

// Beside what is greater or smaller than every whole number.
Range beyond(unsigned char comparison, bool greater) {
    return (greater ? wantsLess(comparison) : wantsMore(comparison)) ? Range() : kNone;
}

Range compared(unsigned char comparison, double value) {
    if (value >= kBeyond || value < -kBeyond) {
        return beyond(comparison, value > 0.0);
    }
    const auto below = static_cast<std::int64_t>(std::floor(value));
    if (static_cast<double>(below) == value) {
        return compared(comparison, below);
    }
    if (comparison == SQLITE_INDEX_CONSTRAINT_EQ) {
        return kNone;
    }
    return wantsMore(comparison) ? compared(SQLITE_INDEX_CONSTRAINT_GT, below)
                                 : compared(SQLITE_INDEX_CONSTRAINT_LE, below);
}

Range compared(unsigned char comparison, sqlite3_value* value) {
    switch (sqlite3_value_numeric_type(value)) {
        case SQLITE_INTEGER:
            return compared(comparison, static_cast<std::int64_t>(sqlite3_value_int64(value)));
        case SQLITE_FLOAT:
            return compared(comparison, sqlite3_value_double(value));
        case SQLITE_NULL:
            return kNone;
        default:
            return beyond(comparison, true);  // texts are greater than numbers
    }
}

void narrow(Bounds& bounds, int column, Range range) {
    auto known = std::ranges::find(bounds.numbers, column, &NumberBounds::column);
    if (known == bounds.numbers.end()) {
        known = bounds.numbers.insert(known, NumberBounds{.column = column});
    }
    known->low = std::max(known->low, range.low);
    known->high = std::min(known->high, range.high);
    bounds.nothing = bounds.nothing || known->low > known->high;
}

void addText(Bounds& bounds, const Condition& condition, sqlite3_value* value) {
    if (sqlite3_value_type(value) == SQLITE_NULL) {
        bounds.nothing = true;
        return;
    }
    if (condition.comparison == SQLITE_INDEX_CONSTRAINT_EQ &&
        sqlite3_value_type(value) != SQLITE_TEXT) {
        return;  // SQLite compares
    }
    const auto* text = reinterpret_cast<const char*>(sqlite3_value_text(value));
    const auto bytes = static_cast<std::size_t>(sqlite3_value_bytes(value));
    bounds.texts.push_back({condition.column, condition.comparison,
                            text == nullptr ? std::string() : std::string(text, bytes)});
}

}  // namespace

const NumberBounds* Bounds::number(int column) const {
    const auto at = std::ranges::find(numbers, column, &NumberBounds::column);
    return at == numbers.end() ? nullptr : &*at;
}

Bounds makeBounds(const Plan& plan, const TableInfo& table, sqlite3_value** values) {
    Bounds bounds;
    for (std::size_t i = 0; i < plan.conditions.size(); ++i) {
        const Condition& condition = plan.conditions[i];
        const auto column = static_cast<std::size_t>(condition.column);
        if (column < table.columns.size() && table.columns[column].type == ColumnType::Code) {
            addText(bounds, condition, values[i]);
        } else {
            narrow(bounds, condition.column, compared(condition.comparison, values[i]));
        }
    }
    return bounds;
}

}  // namespace kinetoscope::query::sql
