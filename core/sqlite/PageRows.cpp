// SPDX-License-Identifier: Apache-2.0
#include "core/sqlite/PageRows.h"

#include <algorithm>
#include <limits>

#include "core/sqlite/PageBytes.h"

namespace kinetoscope::sqlite {

namespace {

constexpr std::array<unsigned char, 8> kNull{};   // integers are read with what is before them
constexpr std::size_t kFileHeaderBytes = 100;     // on page 1, before the page's own
constexpr std::size_t kInteriorHeaderBytes = 12;  // of a page that points to others
constexpr std::size_t kLeafHeaderBytes = 8;
constexpr unsigned char kInterior = 5;
constexpr unsigned char kLeaf = 13;
constexpr std::size_t kMaxLevels = 20;            // as SQLite has it
constexpr std::size_t kBytesAtOnce = 256 * 1024;  // of pages that follow each other
constexpr auto kLowest = std::numeric_limits<std::int64_t>::min();
constexpr auto kHighest = std::numeric_limits<std::int64_t>::max();

}  // namespace

PageRows::PageRows(std::shared_ptr<const DatabaseBytes> bytes, const TableLayout& layout,
                   std::span<const int> columns, std::stop_token stop,
                   std::shared_ptr<ReadBudget> budget)
    : m_bytes(std::move(bytes)),
      m_layout(&layout),
      m_stop(std::move(stop)),
      m_budget(std::move(budget)),
      m_fileBytes(m_bytes->readable()),
      m_isShared(m_budget != nullptr) {
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
    m_values.assign(numbers.size() + 1, {Null, &kNull.back()});
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
    m_started = m_unclear = m_hasPassed = false;
    m_damage.reset();
    m_levels.clear();
    m_cell = m_cellCount = 0;
    m_freePages = kMaxLevels;
    if (!m_isShared) {
        m_budget = std::make_shared<ReadBudget>(m_fileBytes);
    }
}

void PageRows::resume() {
    m_unclear = false;
    m_done = m_rowid >= m_last;
    m_next = m_done ? m_rowid : m_rowid + 1;
}

// What was lost is of interest only among the rows that are wanted.
void PageRows::lose(std::int64_t first, std::int64_t last) {
    if (last >= m_next && first <= m_last) {
        m_damage = {first, last};
    }
}

// Goes on in the tree until there is a leaf whose rows may be wanted.
bool PageRows::nextLeaf() {
    if (!m_started) {
        m_started = true;
        m_levels.push_back({{{m_layout->root, kLowest, kHighest}}, 0});
    }
    while (!m_levels.empty() && !m_stop.stop_requested()) {
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
        if (bytes != nullptr && !takePage()) {
            lose(child.first, m_last);
            return false;
        }
        const std::size_t header = child.page == 1 ? kFileHeaderBytes : 0;
        if (bytes != nullptr && bytes[header] == kInterior) {
            openInterior(bytes, header, child);
            continue;
        }
        if (bytes != nullptr && openLeaf(bytes, header, child)) {
            return true;
        }
        lose(child.first, child.last);
    }
    return false;
}

// In a sound table each page has one place. Those above a leaf are read again for each range.
bool PageRows::takePage() {
    if (m_freePages > 0) {
        --m_freePages;
        return true;
    }
    return m_budget->takeStored(m_layout->pageBytes);
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
    m_cells = list + 2 * count;
    m_cell = 0;
    m_cellCount = count;
    m_isSoundLeaf.reset();
    m_leafFirst = child.first;
    m_leafLast = child.last;
    return true;
}

void PageRows::openInterior(const unsigned char* bytes, std::size_t header, const Child& parent) {
    const std::size_t count = bigEndian(bytes + header + 3, 2);
    const std::size_t list = header + kInteriorHeaderBytes;
    if (list + 2 * count > m_layout->usableBytes) {
        return lose(parent.first, parent.last);
    }
    Level level;
    const auto add = [&](Child child) {
        if (child.last >= m_next && child.first <= m_last) {
            level.children.push_back(child);
        }
    };
    std::int64_t first = parent.first;
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t at = bigEndian(bytes + list + 2 * i, 2);
        std::uint64_t key = 0;
        const bool isThere = at >= list + 2 * count && at + 4 < m_layout->usableBytes &&
                             varint(bytes + at + 4, bytes + m_layout->usableBytes, key) != nullptr;
        // Keys grow and leave room for what is right of them, so that no row can come twice.
        const auto last = static_cast<std::int64_t>(key);
        if (!isThere || last < first || last >= parent.last) {
            level.isSound = false;
            lose(first, parent.last);
            continue;
        }
        add({bigEndian(bytes + at, 4), first, last});
        first = last + 1;
    }
    add({bigEndian(bytes + header + 8, 4), first, parent.last});
    m_levels.push_back(std::move(level));
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

}  // namespace kinetoscope::sqlite
