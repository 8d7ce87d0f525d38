// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace kinetoscope::memory {

/// Numbers by address, for millions of changes: open addressing with linear probing, and entries
/// that are taken out are closed up.
class AddressTable {
public:
    static constexpr std::uint32_t kMissing = ~std::uint32_t{0};

    AddressTable() : m_slots(1U << 10U) {}

    /// `value` is below kMissing. Replaces what the address had.
    void put(std::uint64_t address, std::uint32_t value) {
        if (2 * (m_count + 1) > m_slots.size()) {
            grow();
        }
        Slot& slot = m_slots[slotOf(address)];
        m_count += slot.value == kMissing ? 1U : 0U;
        slot = {address, value};
    }
    [[nodiscard]] std::uint32_t find(std::uint64_t address) const {
        return m_slots[slotOf(address)].value;
    }
    /// The value of the address, or kMissing.
    std::uint32_t take(std::uint64_t address) {
        std::size_t at = slotOf(address);
        const std::uint32_t value = m_slots[at].value;
        if (value == kMissing) {
            return value;
        }
        --m_count;
        const std::size_t mask = m_slots.size() - 1;
        for (std::size_t next = (at + 1) & mask; m_slots[next].value != kMissing;
             next = (next + 1) & mask) {
            const std::size_t home = homeOf(m_slots[next].address);
            if (((next - home) & mask) >= ((next - at) & mask)) {
                m_slots[at] = m_slots[next];
                at = next;
            }
        }
        m_slots[at] = {};
        return value;
    }

private:
    struct Slot {
        std::uint64_t address = 0;
        std::uint32_t value = kMissing;
    };

    [[nodiscard]] std::size_t homeOf(std::uint64_t address) const {
        return (address * 0x9e3779b97f4a7c15ULL >> 24U) & (m_slots.size() - 1);
    }
    [[nodiscard]] std::size_t slotOf(std::uint64_t address) const {
        std::size_t at = homeOf(address);
        while (m_slots[at].value != kMissing && m_slots[at].address != address) {
            at = (at + 1) & (m_slots.size() - 1);
        }
        return at;
    }
    void grow() {
        std::vector<Slot> old(2 * m_slots.size());
        old.swap(m_slots);
        for (const Slot& slot : old) {
            if (slot.value != kMissing) {
                m_slots[slotOf(slot.address)] = slot;
            }
        }
    }

    std::vector<Slot> m_slots;  // a power of two
    std::size_t m_count = 0;
};

}  // namespace kinetoscope::memory
