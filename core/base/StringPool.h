// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

namespace kinetoscope {

/// Index of an interned text; equal texts of one pool have equal ids.
using NameId = std::uint32_t;

/// The empty text has this id in every pool.
inline constexpr NameId kEmptyName = 0;

/// Each distinct text once. Views stay valid for the life of the pool; ids count up from 0.
class StringPool {
public:
    StringPool();
    StringPool(StringPool&&) noexcept = default;
    StringPool& operator=(StringPool&&) noexcept = default;
    StringPool(const StringPool& other);
    StringPool& operator=(const StringPool&) = delete;
    ~StringPool() = default;

    NameId intern(std::string_view text);
    [[nodiscard]] std::optional<NameId> find(std::string_view text) const;
    [[nodiscard]] std::string_view view(NameId id) const { return m_views[id]; }
    [[nodiscard]] std::size_t size() const { return m_views.size(); }
    /// Forgets every text but keeps some memory for the next ones.
    void clear();
    /// Bytes of memory held, the table included.
    [[nodiscard]] std::size_t memoryBytes() const;

private:
    struct Slot {
        std::uint32_t hash = 0;
        NameId id = kFree;
    };
    static constexpr NameId kFree = 0xffffffff;

    [[nodiscard]] std::size_t slotOf(std::string_view text, std::uint32_t hash) const;
    [[nodiscard]] std::string_view store(std::string_view text);
    void grow();

    std::vector<std::string_view> m_views;
    std::vector<Slot> m_slots;
    std::vector<std::unique_ptr<char[]>> m_blocks;
    std::size_t m_blockFree = 0;
    char* m_blockNext = nullptr;
    std::size_t m_blockBytes = 0;
    std::size_t m_firstBlock = 0;  // bytes of m_blocks[0]
};

}  // namespace kinetoscope
