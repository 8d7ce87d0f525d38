// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/base/Time.h"
#include "core/ranks/packed/Varint.h"

namespace kinetoscope::ranks::packed {

/// Ascending times in two or three bytes each: the distances between them, with a whole time at
/// every sixty-fourth.
class PackedTimes {
public:
    /// Not before the last one.
    void append(TimeNs time);

    [[nodiscard]] std::size_t size() const { return m_size; }
    [[nodiscard]] bool empty() const { return m_size == 0; }
    [[nodiscard]] TimeNs back() const { return m_last; }
    /// `row` is below size().
    [[nodiscard]] TimeNs at(std::size_t row) const;
    /// How many are not after `time`.
    [[nodiscard]] std::size_t countUpTo(TimeNs time) const;

    /// Calls `visit` with each in turn.
    template <class Visit>
    void forEach(Visit&& visit) const {
        for (std::size_t block = 0; block < m_blocks.size(); ++block) {
            const char* at = m_bytes.data() + m_blocks[block].offset;
            TimeNs time = m_blocks[block].first;
            visit(time);
            for (std::size_t row = block * kBlock + 1; row < m_size && row % kBlock != 0; ++row) {
                time += static_cast<TimeNs>(nextVarint(at));
                visit(time);
            }
        }
    }

private:
    static constexpr std::size_t kBlock = 64;

    struct Block {
        TimeNs first = 0;
        std::uint64_t offset = 0;  ///< in m_bytes, of the distance to the second one
    };

    std::string m_bytes;
    std::vector<Block> m_blocks;
    std::size_t m_size = 0;
    TimeNs m_last = 0;
};

}  // namespace kinetoscope::ranks::packed
