// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>

namespace kinetoscope::sqlite {

/// What reading the rows of a table once may cost. Pages of a hostile database lead to the same
/// ones over and over, and computed values are longer than their file.
class ReadBudget {
public:
    explicit ReadBudget(std::uint64_t fileBytes)
        : m_stored(2 * std::min(fileBytes, kMost)),
          m_computed(std::max(kMinComputed, kComputedOfStored * std::min(fileBytes, kMost))) {}

    /// Pages, and rows that SQLite reads again: in a sound table each byte counts once as either.
    [[nodiscard]] bool takeStored(std::uint64_t bytes) { return m_stored.take(bytes); }
    /// Texts and blobs of SQLite, which may come from anywhere.
    [[nodiscard]] bool takeComputed(std::uint64_t bytes) { return m_computed.take(bytes); }
    /// All that a part of the reading has taken from a budget of its own. False, and nothing is
    /// taken, where the part would have had to end earlier.
    [[nodiscard]] bool takeAllOf(const ReadBudget& part) {
        if (part.m_stored.taken() > m_stored.left() ||
            part.m_computed.taken() > m_computed.left()) {
            return false;
        }
        return takeStored(part.m_stored.taken()) && takeComputed(part.m_computed.taken());
    }

private:
    static constexpr std::uint64_t kMost = std::uint64_t{1} << 56U;
    static constexpr std::uint64_t kMinComputed = 64 * 1024 * 1024;
    static constexpr std::uint64_t kComputedOfStored = 16;

    class Share {
    public:
        explicit Share(std::uint64_t bytes) : m_left(bytes), m_all(bytes) {}
        [[nodiscard]] bool take(std::uint64_t bytes) {
            const bool enough = bytes <= m_left;
            m_left -= enough ? bytes : 0;
            return enough;
        }
        [[nodiscard]] std::uint64_t left() const { return m_left; }
        [[nodiscard]] std::uint64_t taken() const { return m_all - m_left; }

    private:
        std::uint64_t m_left;
        std::uint64_t m_all;
    };

    Share m_stored;
    Share m_computed;
};

}  // namespace kinetoscope::sqlite
