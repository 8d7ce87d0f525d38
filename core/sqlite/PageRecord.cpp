// SPDX-License-Identifier: Apache-2.0
// What is done for each row; for each page, see PageRows.cpp.
#include <algorithm>
#include <limits>

#include "core/sqlite/PageBytes.h"
#include "core/sqlite/PageRows.h"

namespace kinetoscope::sqlite {

namespace {

constexpr std::array<unsigned char, 8> kZeroBytes{0, 0, 0, 0, 0, 0, 0, 0};
constexpr std::array<unsigned char, 8> kOneBytes{0, 0, 0, 0, 0, 0, 0, 1};
constexpr std::size_t kMaxRecordBytes = 1024 * 1024;  // more is left to SQLite and its limits
constexpr std::size_t kPadding = 8;                   // before a record, for integers

// Of the values of each type that a byte can name. Two are reserved.
constexpr std::size_t kReserved = std::numeric_limits<std::size_t>::max();
constexpr std::array<std::size_t, 128> kSizes = [] {
    std::array<std::size_t, 128> sizes{0, 1, 2, 3, 4, 6, 8, 8, 0, 0, kReserved, kReserved};
    for (std::size_t type = 12; type < sizes.size(); ++type) {
        sizes[type] = (type - 12) / 2;
    }
    return sizes;
}();

template <class Number>
std::array<unsigned char, 8> bytesOf(Number number) {
    std::uint64_t word = 0;
    std::memcpy(&word, &number, sizeof word);
    word = __builtin_bswap64(word);
    std::array<unsigned char, 8> bytes{};
    std::memcpy(bytes.data(), &word, sizeof word);
    return bytes;
}

}  // namespace

bool PageRows::next() {
    while (!m_done) {
        if (m_cell == m_cellCount) {
            m_done = !nextLeaf();
            continue;
        }
        const Cell cell = readCell();
        if (cell == Cell::Damaged) {
            continue;
        }
        if (cell == Cell::Unclear) {
            m_next = m_rowid;
            m_unclear = m_done = true;
            return false;
        }
        m_done = m_rowid >= m_last;
        if (cell == Cell::Row) {
            m_next = m_done ? m_rowid : m_rowid + 1;
            return true;
        }
    }
    return false;
}

// Where the record of a cell begins, and what stands before it; null where it is not in the page.
const unsigned char* PageRows::cellAt(std::size_t number, std::uint64_t& bytes,
                                      std::int64_t& rowid) const {
    const unsigned char* const end = m_page + m_layout->usableBytes;
    const std::size_t at = bigEndian(m_page + m_list + 2 * number, 2);
    if (at < m_cells || at >= m_layout->usableBytes) {
        return nullptr;
    }
    const unsigned char* record = varint(m_page + at, end, bytes);
    std::uint64_t key = 0;
    record = record == nullptr ? nullptr : varint(record, end, key);
    rowid = static_cast<std::int64_t>(key);
    return record;
}

// Whether SQLite, which looks for a row by its number, sees all cells that are on its way.
bool PageRows::isSoundHere() {
    if (!m_isSoundLeaf) {
        m_isSoundLeaf = true;
        std::optional<std::int64_t> before;
        for (std::size_t i = 0; i < m_cellCount && *m_isSoundLeaf; ++i) {
            std::uint64_t bytes = 0;
            std::int64_t rowid = 0;
            m_isSoundLeaf = cellAt(i, bytes, rowid) != nullptr && (!before || rowid > *before);
            before = rowid;
        }
    }
    return *m_isSoundLeaf && std::ranges::all_of(m_levels, &Level::isSound);
}

PageRows::Cell PageRows::readCell() {
    std::uint64_t bytes = 0;
    std::int64_t rowid = 0;
    const unsigned char* record = cellAt(m_cell++, bytes, rowid);
    if (record == nullptr || rowid < m_leafFirst || rowid > m_leafLast) {
        lose(m_leafFirst, m_leafLast);
        return Cell::Damaged;
    }
    m_rowid = rowid;
    m_hasPassed = true;
    if (rowid < m_leafLast) {
        m_leafFirst = rowid + 1;
    } else if (m_cell < m_cellCount) {  // no number is left for what follows
        lose(rowid, rowid);
        m_cell = m_cellCount;
    }
    return rowid < m_next || rowid > m_last ? Cell::Passed : readRecord(record, bytes);
}

// SQLite's rule of how much of a record stands in its cell.
PageRows::Cell PageRows::readRecord(const unsigned char* record, std::size_t bytes) {
    const std::size_t usable = m_layout->usableBytes;
    const std::size_t most = usable - 35;
    const std::size_t least = (usable - 12) * 32 / 255 - 23;
    const auto room = static_cast<std::size_t>(m_page + usable - record);
    std::size_t here = bytes;
    if (bytes > most) {
        const std::size_t fitting = least + (bytes - least) % (usable - 4);
        here = fitting <= most ? fitting : least;
    }
    const bool isHere = here + (here < bytes ? 4 : 0) <= room && bytes <= m_fileBytes;
    Parsed parsed = isHere ? Parsed::Unclear : Parsed::Damaged;
    if (isHere && bytes <= kMaxRecordBytes && !m_layout->columns.empty()) {
        parsed = parse(record, here, bytes);
        if (parsed == Parsed::NeedsMore) {
            parsed = joinOverflow(record, here, bytes)
                         ? parse(m_record.data() + kPadding, bytes, bytes)
                         : Parsed::Damaged;
        }
    }
    if (parsed == Parsed::Whole) {
        return Cell::Row;
    }
    if (parsed == Parsed::Unclear && isSoundHere() && m_budget->takeStored(bytes)) {
        return Cell::Unclear;
    }
    lose(m_rowid, m_rowid);
    return Cell::Damaged;
}

PageRows::Parsed PageRows::parse(const unsigned char* record, std::size_t here, std::size_t bytes) {
    const Parsed cut = here < bytes ? Parsed::NeedsMore : Parsed::Unclear;
    std::uint64_t headerBytes = 0;
    const unsigned char* at = varint(record, record + here, headerBytes);
    if (at == nullptr || headerBytes > here) {
        return headerBytes > bytes ? Parsed::Unclear : cut;
    }
    const unsigned char* const end = record + headerBytes;
    std::size_t offset = headerBytes;
    std::size_t next = 0;  // column of the record
    for (std::size_t i = 0; i < m_columns.size(); ++i) {
        Column& column = m_columns[i];
        Value& value = m_values[i];
        std::size_t size = 0;
        for (; next <= column.number && at < end; ++next) {
            offset += size;
            if (*at < kSizes.size()) {
                value.type = *at++;
                size = kSizes[value.type];
            } else {
                at = varint(at, end, value.type);
                size = (value.type - FirstBlob) / 2;
            }
            if (at == nullptr || size > bytes - offset) {  // reserved types are too large for any
                return Parsed::Unclear;
            }
        }
        if (next <= column.number) {  // the record ends before
            if (m_layout->hasDefaults) {
                return Parsed::Unclear;
            }
            value = {Null, &kZeroBytes.back()};
        } else if (offset > here || size > here - offset) {
            return cut;
        } else {
            value.at = record + offset;
            offset += size;
        }
        if (value.type == Null || value.type == Zero) {
            value = {value.type == Null ? Null : Int8, &kZeroBytes.back()};
        } else if (value.type == One) {
            value = {Int8, &kOneBytes.back()};
        }
        if (column.isReal && value.type >= Int8 && value.type <= Int64) {
            column.made = bytesOf(static_cast<double>(integerAt(value)));
            value = {Float, column.made.data()};
        }
        if (column.isRowid) {
            column.made = bytesOf(m_rowid);
            value = {Int64, column.made.data()};
        }
    }
    return Parsed::Whole;
}

// Into m_record: what stands in the cell, then what the pages hold that the cell leads to.
bool PageRows::joinOverflow(const unsigned char* record, std::size_t here, std::size_t bytes) {
    const std::size_t each = m_layout->usableBytes - 4;
    m_record.resize(kPadding + bytes);
    std::memcpy(m_record.data() + kPadding, record, here);
    std::uint32_t page = bigEndian(record + here, 4);
    for (std::size_t have = here; have < bytes;) {
        std::array<unsigned char, 4> nextPage{};
        const std::uint64_t offset = (std::uint64_t{page} - 1) * m_layout->pageBytes;
        const std::size_t part = std::min(each, bytes - have);
        if (page == 0 || !takePage() || readAt(nextPage.data(), 4, offset) != 4 ||
            readAt(m_record.data() + kPadding + have, part, offset + 4) != part) {
            return false;
        }
        page = bigEndian(nextPage.data(), 4);
        have += part;
    }
    return true;
}

double PageRows::floatAt(const Value& value) {
    std::uint64_t word = 0;
    std::memcpy(&word, value.at, sizeof word);
    word = __builtin_bswap64(word);
    double number = 0.0;
    std::memcpy(&number, &word, sizeof number);
    return number;
}

std::optional<double> PageRows::real(std::size_t column) const {
    const Value& value = of(column);
    if (value.type == Float) {
        return std::isnan(floatAt(value)) ? 0.0 : floatAt(value);
    }
    return value.type <= Int64 ? std::optional(static_cast<double>(integerAt(value)))
                               : std::nullopt;
}

std::optional<std::string_view> PageRows::text(std::size_t column) const {
    const Value& value = of(column);
    if (value.type == Null) {
        return std::string_view();
    }
    return value.type < FirstBlob
               ? std::nullopt
               : std::optional(std::string_view(reinterpret_cast<const char*>(value.at),
                                                (value.type - FirstBlob) / 2));
}

}  // namespace kinetoscope::sqlite
