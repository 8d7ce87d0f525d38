// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>

namespace kinetoscope::sqlite {

/// What reading the rows of a table once may cost, on all threads together. Pages of a hostile
/// database lead to the same ones over and over, and computed values are longer than their file.
class ReadBudget {
public:
    explicit ReadBudget(std::uint64_t fileBytes)
        : m_stored(signedOf(2 * fileBytes)),
          m_computed(signedOf(std::max(kMinComputed, kComputedOfStored * fileBytes))) {}

    /// Pages, and rows that SQLite reads again: in a sound table each byte counts once as either.
    [[nodiscard]] bool takeStored(std::uint64_t bytes) { return take(m_stored, bytes); }
    /// Texts and blobs of SQLite, which may come from anywhere.
    [[nodiscard]] bool takeComputed(std::uint64_t bytes) { return take(m_computed, bytes); }

private:
    static constexpr std::uint64_t kMinComputed = 64 * 1024 * 1024;
    static constexpr std::uint64_t kComputedOfStored = 16;

    static std::int64_t signedOf(std::uint64_t bytes) {
        return static_cast<std::int64_t>(std::min(bytes, std::uint64_t{1} << 62U));
    }
    static bool take(std::atomic<std::int64_t>& left, std::uint64_t bytes) {
        const std::int64_t wanted = signedOf(bytes);
        // Not below a request: what is spent stays so, however often it is asked for.
        if (left.load(std::memory_order_relaxed) < wanted) {
            return false;
        }
        return left.fetch_sub(wanted, std::memory_order_relaxed) >= wanted;
    }

    std::atomic<std::int64_t> m_stored;
    std::atomic<std::int64_t> m_computed;
};

}  // namespace kinetoscope::sqlite
