// SPDX-License-Identifier: Apache-2.0
// Building blocks of an SQL table, independent of SQLite.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "core/base/StringPool.h"
#include "core/trace/Trace.h"

namespace kinetoscope::query::sql {

class Material;

/// A value of a row. Its text is valid as long as what it comes from.
struct Cell {
    enum class Kind : std::uint8_t { Null, Integer, Real, Text };

    Kind kind = Kind::Null;
    std::int64_t integer = 0;
    double real = 0.0;
    std::string_view text;

    [[nodiscard]] static Cell of(std::int64_t value) { return {Kind::Integer, value, 0.0, {}}; }
    [[nodiscard]] static Cell of(double value) { return {Kind::Real, 0, value, {}}; }
    [[nodiscard]] static Cell of(std::string_view value) { return {Kind::Text, 0, 0.0, value}; }
    /// Null if the number means "none".
    [[nodiscard]] static Cell unless(std::int64_t none, std::int64_t value) {
        return value == none ? Cell() : of(value);
    }
    [[nodiscard]] bool isNull() const { return kind == Kind::Null; }
};

enum class ColumnType : std::uint8_t {
    Integer,
    Real,
    Text,
    Code,  ///< a text that is kept as its number; see Rows::code()
};

struct Column {
    std::string_view name;
    ColumnType type = ColumnType::Integer;
    std::string_view unit;   ///< "ns", "bytes"; empty: none
    std::string_view about;  ///< what it is, in a few words
    bool indexed = false;    ///< rows are found by it without looking at the others
    bool few = false;        ///< few rows have the same value
};

/// The texts that the codes of a column stand for: those of a pool, or a short list.
class CodeTexts {
public:
    CodeTexts() = default;
    explicit CodeTexts(const StringPool& pool) : m_pool(&pool) {}
    explicit CodeTexts(std::vector<std::string_view> list) : m_list(std::move(list)) {}

    [[nodiscard]] std::size_t size() const {
        return m_pool != nullptr ? m_pool->size() : m_list.size();
    }
    [[nodiscard]] std::string_view text(std::uint32_t code) const {
        return m_pool != nullptr ? m_pool->view(code) : m_list[code];
    }
    [[nodiscard]] std::optional<std::uint32_t> find(std::string_view text) const;

private:
    const StringPool* m_pool = nullptr;
    std::vector<std::string_view> m_list;
};

/// Of columns that hold Trace::categoryIds().
[[nodiscard]] CodeTexts categoryTexts(const trace::Trace& trace);

/// The rows of a table that one file gives. Of one thread.
class Rows {
public:
    Rows() = default;
    Rows(const Rows&) = delete;
    Rows& operator=(const Rows&) = delete;
    virtual ~Rows() = default;

    [[nodiscard]] virtual std::size_t count() const = 0;
    [[nodiscard]] virtual Cell cell(std::size_t row, int column) const = 0;
    /// Of columns of codes.
    [[nodiscard]] virtual std::uint32_t code(std::size_t /*row*/, int /*column*/) const {
        return 0;
    }
    [[nodiscard]] virtual CodeTexts codeTexts(int /*column*/) const { return {}; }
};

/// The key of rows without a value: smaller than any.
inline constexpr std::int64_t kNullKey = std::numeric_limits<std::int64_t>::min();

/// One table: what its columns mean, and how its rows are made.
struct TableInfo {
    std::string_view name;
    std::string_view about;
    std::vector<Column> columns;  ///< without `rank`, which all but the tables of the job have
    bool ofJob = false;           ///< made once for all files
    bool sums = false;            ///< its rows are made again for another window
    double usualRows = 100;       ///< what the planner reckons with
    std::unique_ptr<Rows> (*make)(Material& material, std::size_t file);

    /// -1: there is none.
    [[nodiscard]] int column(std::string_view wanted) const;
};

/// All tables, in the order in which they are listed.
[[nodiscard]] const std::vector<TableInfo>& allTables();
/// Null: there is none of that name.
[[nodiscard]] const TableInfo* findTable(std::string_view name);

/// By what they are about.
[[nodiscard]] std::vector<TableInfo> sliceTables();
[[nodiscard]] std::vector<TableInfo> operationTables();
[[nodiscard]] std::vector<TableInfo> sumTables();
[[nodiscard]] std::vector<TableInfo> rowTables();
[[nodiscard]] std::vector<TableInfo> eventTables();
[[nodiscard]] std::vector<TableInfo> jobTables();
[[nodiscard]] std::vector<TableInfo> resultTables();

}  // namespace kinetoscope::query::sql
