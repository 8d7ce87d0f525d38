// SPDX-License-Identifier: Apache-2.0
// A device's blocks as a stack at every moment: what was allocated first lies at the bottom.
#pragma once

#include <cstdint>
#include <memory>
#include <stop_token>
#include <vector>

#include "core/memory/History.h"

namespace kinetoscope::memory::view {

/// A position in a device's history: 0 is before its first event, n after the n-th.
using Moment = std::uint32_t;

/// Rows of Device::blocks in a picture, and what is not a block.
inline constexpr std::uint32_t kNothing = ~std::uint32_t{0};     ///< above the stack
inline constexpr std::uint32_t kUntold = ~std::uint32_t{0} - 1;  ///< allocated, in no block

/// A part of time and of the stack, and the pixels that it is drawn on.
struct Area {
    TimeSpan time;            ///< of the history
    std::int64_t bottom = 0;  ///< bytes
    std::int64_t top = 0;
    int columns = 0;
    int rows = 0;

    friend bool operator==(const Area&, const Area&) = default;
};

/// One block a pixel: the one that lies in the pixel's middle at its column's moment.
struct BlockPicture {
    Area area;
    /// By column: of its time the moment at which most was allocated, so that no peak is lost.
    std::vector<Moment> moments;
    std::vector<std::int64_t> allocated;  ///< at these moments
    std::vector<std::int64_t> reserved;   ///< by column: the most of its time
    std::vector<std::uint32_t> cells;     ///< column by column, each from the bottom

    [[nodiscard]] std::uint32_t cell(int column, int row) const {
        return cells[static_cast<std::size_t>(column) * static_cast<std::size_t>(area.rows) +
                     static_cast<std::size_t>(row)];
    }
};

/// Answers for any part of the time without walking through all events. Linear to make; may be
/// asked from any thread.
class BlockStacks {
public:
    /// Keeps the device alive.
    explicit BlockStacks(std::shared_ptr<const Device> device);

    [[nodiscard]] const Device& device() const { return *m_device; }
    [[nodiscard]] Moment moments() const { return m_moments; }  ///< the last one
    /// After all events up to that time.
    [[nodiscard]] Moment momentAt(TimeNs time) const;
    /// 0 for the first moment: when it began is not known.
    [[nodiscard]] TimeNs timeOf(Moment moment) const;
    [[nodiscard]] std::int64_t allocatedAt(Moment moment) const;
    /// Of these moments, both included, the first one at which most was allocated.
    [[nodiscard]] Moment largest(Moment first, Moment last) const;
    /// The most that was reserved in that time.
    [[nodiscard]] std::int64_t mostReserved(TimeSpan time) const;
    /// From the first event to the last; never empty.
    [[nodiscard]] TimeSpan extent() const { return m_extent; }
    /// The most that was allocated or reserved.
    [[nodiscard]] std::int64_t height() const { return m_height; }

    [[nodiscard]] bool isAlive(std::uint32_t block, Moment moment) const {
        return m_begin[block] <= moment && moment < m_end[block];
    }
    /// Where it begins in the stack, bytes from the bottom; linear in what was allocated before.
    [[nodiscard]] std::int64_t offsetAt(std::uint32_t block, Moment moment) const;
    /// The blocks alive at a moment, in the stack's order.
    [[nodiscard]] std::vector<std::uint32_t> aliveAt(Moment moment) const;

    [[nodiscard]] BlockPicture draw(const Area& area, const std::stop_token& stop = {}) const;

private:
    class Columns;

    void addNewcomers(std::uint32_t from, Moment moment, std::vector<std::uint32_t>& alive) const;

    std::shared_ptr<const Device> m_device;
    Moment m_moments = 0;
    TimeSpan m_extent{0, 1};
    std::int64_t m_height = 1;
    std::int64_t m_untold = 0;  ///< bytes at the bottom
    // Of each block, in the order of the stack.
    std::vector<Moment> m_begin;
    std::vector<Moment> m_end;
    std::vector<std::int64_t> m_bytes;
    std::vector<Moment> m_lastEnd;  ///< of each kGroup blocks
    std::vector<Moment> m_peaks;    ///< of each kGroup moments
};

}  // namespace kinetoscope::memory::view
