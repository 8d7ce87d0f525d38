// SPDX-License-Identifier: Apache-2.0
#include "core/base/StringPool.h"

#include <algorithm>
#include <cstring>

namespace kinetoscope {

namespace {

constexpr std::size_t kBlockBytes = 64 * 1024;
constexpr std::size_t kFirstSlots = 1024;  // a power of two

std::uint64_t wordAt(const char* at) {
    std::uint64_t word = 0;
    std::memcpy(&word, at, sizeof word);
    return word;
}

std::uint64_t halfWordAt(const char* at) {
    std::uint32_t word = 0;
    std::memcpy(&word, at, sizeof word);
    return word;
}

// 64-bit multiply-and-fold over sixteen bytes at a time, as in wyhash, whose odd constants these
// are. The last steps overlap instead of reading byte by byte.
std::uint32_t hashOf(std::string_view text) {
    constexpr std::uint64_t kA = 0xa0761d6478bd642fULL;
    constexpr std::uint64_t kB = 0xe7037ed1a0b428dbULL;
    const auto fold = [](std::uint64_t x, std::uint64_t y) {
        __extension__ using Wide = unsigned __int128;
        const auto product = static_cast<Wide>(x) * y;
        return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
    };
    std::uint64_t hash = text.size() ^ kA;
    const char* at = text.data();
    std::size_t left = text.size();
    for (; left > 16; at += 16, left -= 16) {
        hash = fold(wordAt(at) ^ kB, wordAt(at + 8) ^ hash);
    }
    std::uint64_t first = 0;
    std::uint64_t last = 0;
    if (left >= 8) {
        first = wordAt(at);
        last = wordAt(at + left - 8);
    } else if (left >= 4) {
        first = halfWordAt(at);
        last = halfWordAt(at + left - 4);
    } else if (left > 0) {
        first = static_cast<unsigned char>(at[0]);
        last = static_cast<std::uint64_t>(static_cast<unsigned char>(at[left / 2])) << 8U |
               static_cast<unsigned char>(at[left - 1]);
    }
    hash = fold(first ^ kB, last ^ hash);
    return static_cast<std::uint32_t>(hash ^ (hash >> 32));
}

}  // namespace

StringPool::StringPool() : m_slots(kFirstSlots) {
    intern({});
}

StringPool::StringPool(const StringPool& other) : m_slots(other.m_slots) {
    m_views.reserve(other.m_views.size());
    for (const std::string_view text : other.m_views) {
        m_views.push_back(store(text));
    }
}

std::size_t StringPool::slotOf(std::string_view text, std::uint32_t hash) const {
    const std::size_t mask = m_slots.size() - 1;
    std::size_t slot = hash & mask;
    while (m_slots[slot].id != kFree &&
           (m_slots[slot].hash != hash || m_views[m_slots[slot].id] != text)) {
        slot = (slot + 1) & mask;
    }
    return slot;
}

NameId StringPool::intern(std::string_view text) {
    const std::uint32_t hash = hashOf(text);
    const std::size_t slot = slotOf(text, hash);
    if (m_slots[slot].id != kFree) {
        return m_slots[slot].id;
    }
    const auto id = static_cast<NameId>(m_views.size());
    m_views.push_back(store(text));
    m_slots[slot] = {hash, id};
    if (m_views.size() * 2 > m_slots.size()) {
        grow();
    }
    return id;
}

std::optional<NameId> StringPool::find(std::string_view text) const {
    const NameId id = m_slots[slotOf(text, hashOf(text))].id;
    return id == kFree ? std::nullopt : std::optional(id);
}

std::string_view StringPool::store(std::string_view text) {
    if (text.empty()) {
        return {};
    }
    if (text.size() > m_blockFree) {
        const std::size_t bytes = std::max(kBlockBytes, text.size());
        m_blocks.push_back(std::make_unique_for_overwrite<char[]>(bytes));
        m_blockNext = m_blocks.back().get();
        m_blockFree = bytes;
        m_firstBlock = m_blocks.size() == 1 ? bytes : m_firstBlock;
        m_blockBytes += bytes;
    }
    std::memcpy(m_blockNext, text.data(), text.size());
    const std::string_view stored(m_blockNext, text.size());
    m_blockNext += text.size();
    m_blockFree -= text.size();
    return stored;
}

void StringPool::grow() {
    const std::vector<Slot> old = std::move(m_slots);
    m_slots.assign(old.size() * 2, Slot{});
    const std::size_t mask = m_slots.size() - 1;
    for (const Slot& entry : old) {
        if (entry.id == kFree) {
            continue;
        }
        std::size_t slot = entry.hash & mask;
        while (m_slots[slot].id != kFree) {
            slot = (slot + 1) & mask;
        }
        m_slots[slot] = entry;
    }
}

void StringPool::clear() {
    std::ranges::fill(m_slots, Slot{});
    m_views.clear();
    if (!m_blocks.empty()) {
        m_blocks.resize(1);
        m_blockBytes = m_firstBlock;
        m_blockNext = m_blocks.front().get();
        m_blockFree = m_firstBlock;
    }
    intern({});
}

std::size_t StringPool::memoryBytes() const {
    return m_views.capacity() * sizeof(std::string_view) + m_slots.capacity() * sizeof(Slot) +
           m_blockBytes;
}

}  // namespace kinetoscope
