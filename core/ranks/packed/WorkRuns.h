// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "core/base/Time.h"
#include "core/ranks/packed/Varint.h"

namespace kinetoscope::ranks::packed {

/// The work of a rank's GPU at a moment.
enum class WorkKind : std::uint8_t {
    Compute,
    Copy,    ///< beside no kernel
    Host,    ///< a gap: the host had not launched what came next
    Device,  ///< another gap
    Wait,    ///< a gap that waited for communication
};

/// Time by kind of work. With the waits the parts sum to the requested span.
struct WorkTime {
    TimeNs computeNs = 0;
    TimeNs copyNs = 0;
    TimeNs hostNs = 0;
    TimeNs deviceNs = 0;
    TimeNs waitNs = 0;

    /// The rank's own: all but the waits.
    [[nodiscard]] TimeNs total() const { return computeNs + copyNs + hostNs + deviceNs; }
    [[nodiscard]] TimeNs& of(WorkKind kind);
    void add(const WorkTime& more, int sign = 1);
};

/// Spans of time without a break, each of one kind, in two or three bytes each.
class WorkRuns {
public:
    /// The first one starts at `begin`, which later ones ignore; `ns` is not negative.
    void append(TimeNs begin, WorkKind kind, TimeNs ns);

    /// From the first run to the last; {0, 0} without any.
    [[nodiscard]] TimeSpan extent() const { return {m_begin, m_end}; }
    /// Time outside the runs is a gap of the device.
    [[nodiscard]] WorkTime inside(TimeSpan span) const;
    /// The runs of one kind that touch `window`, whole; by start.
    [[nodiscard]] std::vector<TimeSpan> spans(WorkKind kind, TimeSpan window) const;
    /// An upper bound of the runs that touch `window`: up to two blocks too many, in constant time.
    [[nodiscard]] std::size_t mostIn(TimeSpan window) const;

    /// Calls `visit` with span and kind of each in turn.
    template <class Visit>
    void forEach(Visit&& visit) const {
        TimeNs time = m_begin;
        const char* at = m_bytes.data();
        for (std::size_t run = 0; run < m_size; ++run) {
            const std::uint64_t value = nextVarint(at);
            const auto ns = static_cast<TimeNs>(value >> kKindBits);
            visit(TimeSpan{time, time + ns}, static_cast<WorkKind>(value & kKindMask));
            time += ns;
        }
    }
    [[nodiscard]] std::size_t size() const { return m_size; }

private:
    static constexpr std::size_t kBlock = 64;
    static constexpr unsigned kKindBits = 3;
    static constexpr std::uint64_t kKindMask = 7;

    struct Block {
        TimeNs start = 0;
        std::uint64_t offset = 0;  ///< in m_bytes
        WorkTime before;           ///< of all runs before the block
    };

    /// `time` lies within the extent.
    [[nodiscard]] WorkTime before(TimeNs time) const;
    /// The last one that begins at `time` or earlier, else the first.
    [[nodiscard]] std::size_t blockAt(TimeNs time) const;

    std::string m_bytes;
    std::vector<Block> m_blocks;
    WorkTime m_sum;
    TimeNs m_begin = 0;
    TimeNs m_end = 0;
    std::size_t m_size = 0;
};

}  // namespace kinetoscope::ranks::packed
