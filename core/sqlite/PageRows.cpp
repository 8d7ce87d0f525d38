// SPDX-License-Identifier: Apache-2.0
#include "core/sqlite/PageRows.h"

#include <algorithm>
#include <limits>

namespace kinetoscope::sqlite {

namespace {

constexpr std::array<unsigned char, 8> kZeroBytes{0, 0, 0, 0, 0, 0, 0, 0};
constexpr std::array<unsigned char, 8> kOneBytes{0, 0, 0, 0, 0, 0, 0, 1};
constexpr std::size_t kFileHeaderBytes = 100;     // on page 1, before the page's own
constexpr std::size_t kInteriorHeaderBytes = 12;  // of a page that points to others
constexpr std::size_t kLeafHeaderBytes = 8;
constexpr unsigned char kInterior = 5;
constexpr unsigned char kLeaf = 13;
constexpr std::size_t kMaxLevels = 20;                // as SQLite has it
constexpr std::size_t kBytesAtOnce = 256 * 1024;      // of pages that follow each other
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

std::uint32_t bigEndian(const unsigned char* at, int bytes) {
    std::uint32_t value = 0;
    for (int i = 0; i < bytes; ++i) {
        value = value << 8U | at[i];
    }
    return value;
}

// A number of one to nine bytes; null where it would reach behind `end`.
const unsigned char* varint(const unsigned char* at, const unsigned char* end,
                            std::uint64_t& value) {
    constexpr unsigned char kMore = 0x80;
    if (at < end && *at < kMore) {
        value = *at;
        return at + 1;
    }
    value = 0;
    for (int i = 0; i < 8 && at < end; ++i) {
        value = value << 7U | (*at & 0x7fU);
        if (*at++ < kMore) {
            return at;
        }
    }
    if (at >= end) {
        return nullptr;
    }
    value = value << 8U | *at;
    return at + 1;
}

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

PageRows::PageRows(std::shared_ptr<const DatabaseBytes> bytes, const TableLayout& layout,
                   std::span<const int> columns, std::stop_token stop)
    : m_bytes(std::move(bytes)), m_layout(&layout), m_stop(std::move(stop)) {
    std::vector<std::size_t> numbers;
    for (const int column : columns) {
        if (column >= 0) {
            numbers.push_back(static_cast<std::size_t>(column));
        }
    }
    std::ranges::sort(numbers);
    const auto repeated = std::ranges::unique(numbers);
    numbers.erase(repeated.begin(), repeated.end());
    for (const std::size_t number : numbers) {
        const TableLayout::Column& column = layout.columns[number];
        m_columns.push_back({number, column.isReal, column.isRowid, {}});
    }
    m_values.assign(numbers.size() + 1, {Null, &kZeroBytes.back()});
    for (const int column : columns) {
        const auto place = std::ranges::lower_bound(numbers, static_cast<std::size_t>(column));
        m_places.push_back(column < 0 ? numbers.size()
                                      : static_cast<std::size_t>(place - numbers.begin()));
    }
}

void PageRows::restart(std::int64_t first, std::int64_t last) {
    m_next = first;
    m_last = last;
    m_done = first > last;
    m_started = m_unclear = false;
    m_levels.clear();
    m_cell = m_cellCount = 0;
}

bool PageRows::giveUp() {
    m_unclear = m_done = true;
    return false;
}

bool PageRows::next() {
    while (!m_done) {
        if (m_cell == m_cellCount) {
            m_done = !nextLeaf();
            continue;
        }
        if (!readCell()) {
            return giveUp();
        }
        m_done = m_rowid >= m_last;
        if (m_rowid >= m_next && m_rowid <= m_last) {
            m_next = m_done ? m_rowid : m_rowid + 1;
            return true;
        }
    }
    return false;
}

// Goes on in the tree until there is a leaf whose rows may be wanted.
bool PageRows::nextLeaf() {
    constexpr auto kLowest = std::numeric_limits<std::int64_t>::min();
    constexpr auto kHighest = std::numeric_limits<std::int64_t>::max();
    if (m_stop.stop_requested()) {
        return giveUp();
    }
    if (!m_started) {
        m_started = true;
        m_levels.push_back({{{m_layout->root, kLowest, kHighest}}, 0});
    }
    while (!m_levels.empty()) {
        Level& level = m_levels.back();
        if (level.next == level.children.size()) {
            m_levels.pop_back();
            continue;
        }
        const Child child = level.children[level.next];
        std::size_t run = 1;
        for (std::size_t i = level.next++ + 1;
             i < level.children.size() && level.children[i].page == child.page + run; ++i) {
            ++run;
        }
        const unsigned char* bytes = m_levels.size() > kMaxLevels ? nullptr : page(child.page, run);
        if (bytes == nullptr) {
            return giveUp();
        }
        const std::size_t header = child.page == 1 ? kFileHeaderBytes : 0;
        if (bytes[header] == kInterior) {
            if (!openInterior(bytes, header, child)) {
                return giveUp();
            }
        } else {
            return openLeaf(bytes, header, child) || giveUp();
        }
    }
    return false;
}

bool PageRows::openLeaf(const unsigned char* bytes, std::size_t header, const Child& child) {
    const std::size_t count = bigEndian(bytes + header + 3, 2);
    const std::size_t list = header + kLeafHeaderBytes;
    // Only a table without rows has a leaf without cells.
    if (bytes[header] != kLeaf || list + 2 * count > m_layout->usableBytes ||
        (count == 0 && m_levels.size() > 1)) {
        return false;
    }
    m_page = bytes;
    m_list = list;
    m_cell = 0;
    m_cellCount = count;
    m_leafFirst = child.first;
    m_leafLast = child.last;
    return true;
}

bool PageRows::openInterior(const unsigned char* bytes, std::size_t header, const Child& parent) {
    const std::size_t count = bigEndian(bytes + header + 3, 2);
    const std::size_t list = header + kInteriorHeaderBytes;
    if (list + 2 * count > m_layout->usableBytes) {
        return false;
    }
    Level level;
    std::int64_t first = parent.first;
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t at = bigEndian(bytes + list + 2 * i, 2);
        std::uint64_t key = 0;
        if (at < list + 2 * count || at + 4 >= m_layout->usableBytes ||
            varint(bytes + at + 4, bytes + m_layout->usableBytes, key) == nullptr) {
            return false;
        }
        // Keys grow and leave room for what is right of them, so that no row can come twice.
        const auto last = static_cast<std::int64_t>(key);
        if (last < first || last >= parent.last) {
            return false;
        }
        level.children.push_back({bigEndian(bytes + at, 4), first, last});
        first = last + 1;
    }
    level.children.push_back({bigEndian(bytes + header + 8, 4), first, parent.last});
    std::erase_if(level.children,
                  [&](const Child& child) { return child.last < m_next || child.first > m_last; });
    m_levels.push_back(std::move(level));
    return true;
}

// One page, and with it up to `run` that follow it in the file; null where it is not there.
const unsigned char* PageRows::page(std::uint32_t number, std::size_t run) {
    const std::size_t pageBytes = m_layout->pageBytes;
    if (number - m_bufferFirst >= m_bufferPages) {
        if (number == 0) {
            return nullptr;
        }
        const std::size_t wanted =
            std::min(run, std::max<std::size_t>(kBytesAtOnce / pageBytes, 1)) * pageBytes;
        m_buffer.resize(std::max(m_buffer.size(), wanted));
        m_bufferFirst = number;
        m_bufferPages =
            readAt(m_buffer.data(), wanted, std::uint64_t{number - 1} * pageBytes) / pageBytes;
    }
    return m_bufferPages == 0 ? nullptr : &m_buffer[(number - m_bufferFirst) * pageBytes];
}

std::size_t PageRows::readAt(unsigned char* to, std::size_t wanted, std::uint64_t offset) const {
    std::size_t have = 0;
    while (have < wanted) {
        const std::int64_t got =
            m_bytes->read(reinterpret_cast<char*>(to) + have, wanted - have, offset + have);
        if (got <= 0) {
            break;
        }
        have += static_cast<std::size_t>(got);
    }
    return have;
}

bool PageRows::readCell() {
    const unsigned char* const end = m_page + m_layout->usableBytes;
    const std::size_t at = bigEndian(m_page + m_list + 2 * m_cell++, 2);
    std::uint64_t bytes = 0;
    std::uint64_t rowid = 0;
    if (at < m_list + 2 * m_cellCount || at >= m_layout->usableBytes) {
        return false;
    }
    const unsigned char* record = varint(m_page + at, end, bytes);
    record = record == nullptr ? nullptr : varint(record, end, rowid);
    m_rowid = static_cast<std::int64_t>(rowid);
    if (record == nullptr || m_rowid < m_leafFirst || m_rowid > m_leafLast) {
        return false;
    }
    m_leafFirst = m_rowid == m_leafLast ? m_rowid : m_rowid + 1;
    if (m_rowid == m_leafLast && m_cell < m_cellCount) {
        return false;
    }
    return m_rowid < m_next || m_rowid > m_last || readRecord(record, bytes);
}

// SQLite's rule of how much of a record stands in its cell.
bool PageRows::readRecord(const unsigned char* record, std::size_t bytes) {
    const std::size_t usable = m_layout->usableBytes;
    const std::size_t most = usable - 35;
    const std::size_t least = (usable - 12) * 32 / 255 - 23;
    const auto room = static_cast<std::size_t>(m_page + usable - record);
    std::size_t here = bytes;
    if (bytes > most) {
        const std::size_t fitting = least + (bytes - least) % (usable - 4);
        here = fitting <= most ? fitting : least;
    }
    if (bytes > kMaxRecordBytes || here + (here < bytes ? 4 : 0) > room) {
        return false;
    }
    Parsed parsed = parse(record, here, bytes);
    if (parsed == Parsed::NeedsMore && joinOverflow(record, here, bytes)) {
        parsed = parse(m_record.data() + kPadding, bytes, bytes);
    }
    return parsed == Parsed::Whole;
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
        if (page == 0 || readAt(nextPage.data(), 4, offset) != 4 ||
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
