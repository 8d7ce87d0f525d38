// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string_view>
#include <vector>

#include "core/sqlite/DatabaseBytes.h"
#include "core/sqlite/ReadBudget.h"
#include "core/sqlite/TableLayout.h"
#include "core/sqlite/ValueType.h"

namespace kinetoscope::sqlite {

/// Rows of a table by their rowid, read from the pages of its tree: many times faster than SQLite's
/// virtual machine. Rows that only SQLite can decode are "unclear" and left to it, but not those on
/// damaged pages: whether it finds them there depends on what lies behind the pages in memory.
/// Pages and cells that are not as SQLite writes them are skipped.
class PageRows {
public:
    /// `columns` are places among the layout's, -1 for what shall be null. `layout` must outlive
    /// this. Without a `budget` each restart() has its own.
    PageRows(std::shared_ptr<const DatabaseBytes> bytes, const TableLayout& layout,
             std::span<const int> columns, std::stop_token stop = {},
             std::shared_ptr<ReadBudget> budget = nullptr);

    /// Numbers of rows that are lost, as far as they can be known; both included.
    struct Damage {
        std::int64_t first = 0;
        std::int64_t last = 0;
    };

    /// The rows of these numbers, both included, next.
    void restart(std::int64_t first, std::int64_t last);
    /// Goes to the next row. False behind the last one, and where one is unclear or it was stopped.
    [[nodiscard]] bool next();
    [[nodiscard]] bool isUnclear() const { return m_unclear; }
    /// The unclear row: it is there, but its values are not.
    [[nodiscard]] std::int64_t nextRowid() const { return m_next; }
    /// Goes on behind the unclear row, with next().
    void resume();
    /// The latest since restart() among the rows that are wanted.
    [[nodiscard]] const std::optional<Damage>& damage() const { return m_damage; }
    /// The latest row that next() came by, wanted or not.
    [[nodiscard]] std::optional<std::int64_t> passed() const {
        return m_hasPassed ? std::optional(m_rowid) : std::nullopt;
    }
    [[nodiscard]] bool isStopped() const { return m_stop.stop_requested(); }

    [[nodiscard]] std::int64_t rowid() const { return m_rowid; }
    [[nodiscard]] bool isNull(std::size_t column) const {
        const Value& value = of(column);
        return value.type == Null || (value.type == Float && std::isnan(floatAt(value)));
    }
    [[nodiscard]] ValueType type(std::size_t column) const {
        const std::uint64_t type = of(column).type;
        return isNull(column)  ? ValueType::Null
               : type == Float ? ValueType::Real
               : type <= Int64 ? ValueType::Integer
               : type % 2 == 0 ? ValueType::Blob
                               : ValueType::Text;
    }
    /// Gives the value to `take`, as a number or text as it is stored; not where it is null.
    template <class Take>
    void value(std::size_t column, const Take& take) const {
        switch (type(column)) {
            case ValueType::Null:
                return;
            case ValueType::Integer:
                return take(integerAt(of(column)));
            case ValueType::Real:
                return take(floatAt(of(column)));
            case ValueType::Text:
            case ValueType::Blob:
                return take(*text(column));
        }
    }
    /// Null is 0 and empty. Nothing where the value is of another type: SQLite has rules for that.
    [[nodiscard]] std::optional<std::int64_t> integer(std::size_t column) const {
        const Value& value = of(column);
        return value.type <= Int64 ? std::optional(integerAt(value)) : std::nullopt;
    }
    [[nodiscard]] std::optional<double> real(std::size_t column) const;
    [[nodiscard]] std::optional<std::string_view> text(std::size_t column) const;

private:
    // As records have them.
    enum Type : std::uint64_t {
        Null = 0,
        Int8 = 1,
        Int64 = 6,
        Float = 7,
        Zero = 8,
        One = 9,
        FirstBlob = 12,
    };
    // Of what can be an integer, the seven bytes before the last one can be read too.
    struct Value {
        std::uint64_t type = Null;  // of a constant and of the rowid, that of their bytes
        const unsigned char* at = nullptr;
    };
    /// A column of the layout that is looked at.
    struct Column {
        std::size_t number = 0;
        bool isReal = false;
        bool isRowid = false;
        // What stands in no record: of rowids, and of whole numbers that are real ones.
        std::array<unsigned char, 8> made{};
    };
    struct Child {
        std::uint32_t page;
        std::int64_t first;  // rowids of what is below lie between these
        std::int64_t last;
    };
    struct Level {
        std::vector<Child> children;
        std::size_t next = 0;
        bool isSound = true;
    };
    enum class Parsed : std::uint8_t { Whole, NeedsMore, Unclear, Damaged };
    enum class Cell : std::uint8_t { Row, Passed, Unclear, Damaged };

    [[nodiscard]] const Value& of(std::size_t column) const { return m_values[m_places[column]]; }
    [[nodiscard]] static std::int64_t integerAt(const Value& value);
    [[nodiscard]] static double floatAt(const Value& value);

    void lose(std::int64_t first, std::int64_t last);
    [[nodiscard]] bool takePage();
    [[nodiscard]] bool nextLeaf();
    [[nodiscard]] bool openLeaf(const unsigned char* bytes, std::size_t header, const Child& child);
    void openInterior(const unsigned char* bytes, std::size_t header, const Child& parent);
    [[nodiscard]] const unsigned char* page(std::uint32_t number, std::size_t run);
    [[nodiscard]] std::size_t readAt(unsigned char* to, std::size_t wanted,
                                     std::uint64_t offset) const;
    [[nodiscard]] const unsigned char* cellAt(std::size_t number, std::uint64_t& bytes,
                                              std::int64_t& rowid) const;
    [[nodiscard]] bool isSoundHere();
    [[nodiscard]] Cell readCell();
    [[nodiscard]] Cell readRecord(const unsigned char* record, std::size_t bytes);
    [[nodiscard]] Parsed parse(const unsigned char* record, std::size_t here, std::size_t bytes);
    [[nodiscard]] bool joinOverflow(const unsigned char* record, std::size_t here,
                                    std::size_t bytes);

    std::shared_ptr<const DatabaseBytes> m_bytes;
    const TableLayout* m_layout;
    std::stop_token m_stop;
    std::shared_ptr<ReadBudget> m_budget;
    std::uint64_t m_fileBytes;
    bool m_isShared;
    std::size_t m_freePages = 0;        // that are read without the budget
    std::vector<std::size_t> m_places;  // by wanted column: of m_values
    std::vector<Column> m_columns;      // in the order of records
    std::vector<Value> m_values;        // of each of them, and one that is null

    std::int64_t m_next = 0;
    std::int64_t m_last = -1;
    std::int64_t m_rowid = 0;
    bool m_started = false;
    bool m_done = true;
    bool m_unclear = false;
    bool m_hasPassed = false;
    std::optional<Damage> m_damage;

    std::vector<Level> m_levels;
    std::vector<unsigned char> m_buffer;  // pages in a row
    std::uint32_t m_bufferFirst = 0;
    std::size_t m_bufferPages = 0;
    std::vector<unsigned char> m_record;  // what overflow pages hold a part of

    const unsigned char* m_page = nullptr;  // the leaf
    std::size_t m_list = 0;                 // where its list of cells begins
    std::size_t m_cells = 0;                // where it ends and cells may stand
    std::size_t m_cell = 0;                 // the one that comes next
    std::size_t m_cellCount = 0;
    std::optional<bool> m_isSoundLeaf;
    std::int64_t m_leafFirst = 0;  // rowids that may come next in it
    std::int64_t m_leafLast = 0;
};

inline std::int64_t PageRows::integerAt(const Value& value) {
    static constexpr unsigned char kBytes[] = {1, 1, 2, 3, 4, 6, 8};  // null points at a zero
    const unsigned bytes = kBytes[value.type];
    std::uint64_t word = 0;
    std::memcpy(&word, value.at + bytes - sizeof word, sizeof word);
    return static_cast<std::int64_t>(__builtin_bswap64(word) << (64 - 8 * bytes)) >>
           (64 - 8 * bytes);
}

}  // namespace kinetoscope::sqlite
