// SPDX-License-Identifier: Apache-2.0
#include "core/query/sql/Walk.h"

#include <sqlite3.h>

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <string>

#include "core/query/find/NameFilter.h"
#include "core/query/sql/Material.h"

namespace kinetoscope::query::sql {

Walk::Walk(const TableInfo& table, const Rows& rows, Orders& orders, const Plan& plan,
           const Bounds& bounds, std::optional<TimeSpan> window, const Material& material)
    : m_table(table),
      m_rows(rows),
      m_material(material),
      m_window(window),
      m_startColumn(table.column("start")),
      m_endColumn(table.column("end")),
      m_timeColumn(table.column("time")) {
    if (bounds.nothing || rows.count() == 0) {
        return;
    }
    m_last = rows.count();
    makeTests(bounds);
    choosePositions(orders, plan, bounds);
}

void Walk::makeTests(const Bounds& bounds) {
    for (const NumberBounds& number : bounds.numbers) {
        if (static_cast<std::size_t>(number.column) < m_table.columns.size()) {
            m_numbers.push_back(number);
        }
    }
    for (const TextBounds& text : bounds.texts) {
        m_codes.push_back(testOf(text));
    }
    if (m_timeColumn < 0 && (m_startColumn < 0 || m_endColumn < 0)) {
        m_window.reset();
    }
}

Walk::CodeTest Walk::testOf(const TextBounds& bounds) {
    const CodeTexts texts = m_rows.codeTexts(bounds.column);
    CodeTest test;
    test.column = bounds.column;
    if (bounds.comparison == SQLITE_INDEX_CONSTRAINT_EQ) {
        const auto code = texts.find(bounds.text);
        test.only = code.value_or(0);
        m_last = code ? m_last : 0;
        return test;
    }
    std::optional<NameFilter> expression;
    if (bounds.comparison == SQLITE_INDEX_CONSTRAINT_REGEXP) {
        const auto made = NameFilter::make("/" + bounds.text + "/");
        if (!made) {
            throw std::runtime_error(made.error().message);
        }
        expression = *made;
    }
    test.allowed.resize(texts.size());
    for (std::uint32_t code = 0; code < texts.size(); ++code) {
        const std::string text(texts.text(code));
        test.allowed[code] = expression ? expression->matches(text)
                             : bounds.comparison == SQLITE_INDEX_CONSTRAINT_GLOB
                                 ? sqlite3_strglob(bounds.text.c_str(), text.c_str()) == 0
                                 : sqlite3_strlike(bounds.text.c_str(), text.c_str(), 0) == 0;
    }
    return test;
}

void Walk::choosePositions(Orders& orders, const Plan& plan, const Bounds& bounds) {
    const bool oneKey = plan.keys.size() == 1;
    const bool byKey = oneKey && (plan.path < 0 || plan.path == plan.keys.front().column);
    const int column = byKey ? plan.keys.front().column : plan.path;
    if (column >= 0 && m_last > 0) {
        m_order = &orders.by(column, m_material.stop);
        narrowPositions(column, bounds);
    }
    if (byKey) {
        m_backwards = plan.keys.front().descending;
        if (m_backwards) {
            m_reaches.reset();
        }
    } else if (!plan.keys.empty()) {
        gather(plan.keys);
    }
}

void Walk::narrowPositions(int column, const Bounds& bounds) {
    if (m_table.columns[static_cast<std::size_t>(column)].type == ColumnType::Code) {
        const auto test = std::ranges::find_if(m_codes, [&](const CodeTest& each) {
            return each.column == column && each.allowed.empty();
        });
        if (test != m_codes.end()) {
            m_first = m_order->firstFrom(test->only);
            m_last = m_order->firstFrom(std::int64_t{test->only} + 1);
        }
        return;
    }
    std::int64_t high = std::numeric_limits<std::int64_t>::max();
    if (const NumberBounds* const number = bounds.number(column)) {
        m_first = m_order->firstFrom(number->low);
        high = number->high;
    }
    // A slice that ends before a time has started before it as well.
    const NumberBounds* const end =
        column == m_startColumn && m_endColumn >= 0 ? bounds.number(m_endColumn) : nullptr;
    if (end != nullptr) {
        high = std::min(high, end->high);
        if (end->low > std::numeric_limits<std::int64_t>::min()) {
            m_reaches = end->low;
        }
    }
    if (high < std::numeric_limits<std::int64_t>::max()) {
        m_last = m_order->firstFrom(high + 1);
    }
}

void Walk::gather(const std::vector<SortKey>& keys) {
    struct Keyed {
        std::vector<std::int64_t> keys;
        std::size_t row;
    };
    std::vector<Keyed> rows;
    while (const auto row = next()) {
        Keyed keyed{{}, *row};
        for (const SortKey& key : keys) {
            const ColumnType type = m_table.columns[static_cast<std::size_t>(key.column)].type;
            const std::int64_t value = keyOf(m_rows, type, *row, key.column);
            keyed.keys.push_back(key.descending ? ~value : value);
        }
        rows.push_back(std::move(keyed));
    }
    std::ranges::stable_sort(rows, {}, &Keyed::keys);
    m_gathered.resize(rows.size());
    std::ranges::transform(rows, m_gathered.begin(), &Keyed::row);
    m_isGathered = true;
    m_order = nullptr;
    m_reaches.reset();
    m_first = 0;
    m_last = m_gathered.size();
}

bool Walk::passes(std::size_t row) const {
    for (const NumberBounds& number : m_numbers) {
        const Cell cell = m_rows.cell(row, number.column);
        if (cell.isNull() || cell.integer < number.low || cell.integer > number.high) {
            return false;
        }
    }
    for (const CodeTest& test : m_codes) {
        const std::uint32_t code = m_rows.code(row, test.column);
        if (test.allowed.empty() ? code != test.only : !test.allowed[code]) {
            return false;
        }
    }
    return !m_window || isInWindow(row);
}

bool Walk::isInWindow(std::size_t row) const {
    if (m_timeColumn >= 0) {
        return m_window->contains(m_rows.cell(row, m_timeColumn).integer);
    }
    const Cell start = m_rows.cell(row, m_startColumn);
    const Cell end = m_rows.cell(row, m_endColumn);
    return m_window->overlaps({start.isNull() ? std::numeric_limits<TimeNs>::min() : start.integer,
                               end.isNull() ? std::numeric_limits<TimeNs>::max() : end.integer});
}

std::optional<std::size_t> Walk::nextPosition() {
    if (m_reaches) {
        m_first = m_order->firstThatReaches(m_first, *m_reaches);
    }
    if (m_first >= m_last) {
        return std::nullopt;
    }
    return m_backwards ? --m_last : m_first++;
}

void Walk::look() {
    constexpr std::size_t kBetweenLooks = 65536;
    if (++m_looked % kBetweenLooks == 0) {
        m_material.look();
    }
}

std::optional<std::size_t> Walk::next() {
    while (const auto position = nextPosition()) {
        if (m_isGathered) {
            return m_gathered[*position];
        }
        look();
        const std::size_t row = m_order != nullptr ? m_order->row(*position) : *position;
        if (passes(row)) {
            return row;
        }
    }
    return std::nullopt;
}

}  // namespace kinetoscope::query::sql
