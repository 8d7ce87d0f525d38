// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/DatabaseText.h"

namespace kinetoscope::test {

/// The pages of a database, to be made others than SQLite would write them. Pages count from 1.
class DatabasePages {
public:
    static constexpr std::size_t kPageBytes = 512;
    /// A page of a tree and the last number of a row below it; one byte.
    using Child = std::pair<std::size_t, int>;

    explicit DatabasePages(const std::string& sql)
        : m_bytes(databaseOf("PRAGMA page_size=512;" + sql)) {}

    [[nodiscard]] std::size_t count() const { return m_bytes.size() / kPageBytes; }
    [[nodiscard]] std::string page(std::size_t number) const {
        return m_bytes.substr((number - 1) * kPageBytes, kPageBytes);
    }
    void set(std::size_t number, const std::string& page) {
        m_bytes.replace((number - 1) * kPageBytes, kPageBytes, page);
    }
    std::size_t append(const std::string& page) {
        m_bytes += page;
        return count();
    }

    /// Where a table begins.
    [[nodiscard]] std::size_t rootOf(const std::string& table) const {
        const auto database = sqlite::Database::openForeign(bytesInMemory(), "pages");
        auto row =
            database->prepare("SELECT rootpage FROM sqlite_schema WHERE name = '" + table + "'");
        return row->step().value() ? static_cast<std::size_t>(row->integer(0)) : 0;
    }

    /// Those pages of the tree below `root` that hold rows, in their order; pages that are no
    /// longer there are left out.
    [[nodiscard]] std::vector<std::size_t> leavesBelow(std::size_t root) const {
        if (root == 0 || root > count() || page(root)[0] == 13) {
            return root == 0 || root > count() ? std::vector<std::size_t>() : std::vector{root};
        }
        std::vector<std::size_t> leaves;
        const std::string own = page(root);
        const std::size_t cells = own[0] == 5 ? get(own, 3, 2) : 0;
        for (std::size_t i = 0; own[0] == 5 && i <= cells; ++i) {
            const std::size_t at = i < cells ? get(own, 12 + 2 * i, 2) : 8;
            const auto below = leavesBelow(get(own, at, 4));
            leaves.insert(leaves.end(), below.begin(), below.end());
        }
        return leaves;
    }
    [[nodiscard]] std::size_t rowsIn(std::size_t leaf) const { return get(page(leaf), 3, 2); }
    void cutTo(std::size_t pages) { m_bytes.resize(pages * kPageBytes); }

    /// A page that points to others; its header stands on page 1 behind the file's.
    [[nodiscard]] static std::string interior(const std::vector<Child>& children,
                                              std::size_t header = 0) {
        std::string page(kPageBytes, '\0');
        std::size_t at = kPageBytes;
        const std::size_t cells = children.size() - 1;  // the last child stands in the header
        page[header] = 5;
        for (std::size_t i = 0; i < cells; ++i) {
            at -= 5;
            put(page, at, children[i].first, 4);
            page[at + 4] = static_cast<char>(children[i].second);
            put(page, header + 12 + 2 * i, at, 2);
        }
        put(page, header + 3, cells, 2);
        put(page, header + 5, at, 2);
        put(page, header + 8, children.back().first, 4);
        return page;
    }

    /// The file, whose header tells as many pages as there are.
    [[nodiscard]] std::string bytes() const {
        std::string bytes = m_bytes;
        put(bytes, 28, count(), 4);
        return bytes;
    }
    /// The file with the header that it had before.
    [[nodiscard]] const std::string& cut() const { return m_bytes; }

    [[nodiscard]] static std::size_t get(const std::string& bytes, std::size_t at,
                                         std::size_t count) {
        std::size_t value = 0;
        for (std::size_t i = 0; i < count; ++i) {
            value = value << 8U | static_cast<unsigned char>(bytes[at + i]);
        }
        return value;
    }
    static void put(std::string& bytes, std::size_t at, std::size_t value, std::size_t count) {
        for (std::size_t i = 0; i < count; ++i) {
            bytes[at + i] = static_cast<char>(value >> (8 * (count - 1 - i)));
        }
    }

private:
    [[nodiscard]] std::shared_ptr<const sqlite::DatabaseBytes> bytesInMemory() const {
        return std::make_shared<BytesInMemory>(bytes());
    }

    std::string m_bytes;
};

}  // namespace kinetoscope::test
