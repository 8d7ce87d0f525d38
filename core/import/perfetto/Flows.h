// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/base/Time.h"
#include "core/trace/TraceBuilder.h"

namespace kinetoscope::import::perfetto {

/// What flows are called, which have no names; their category as well.
inline constexpr const char* kFlow = "flow";

/// An event's part in an arrow that joins events of the same number, whatever their track.
struct FlowEnd {
    std::uint64_t id = 0;
    bool last = false;  ///< later events with the number are joined by another arrow
};

/// The arrows of a trace. Their ends come packet by packet, and are placed in any order.
class Flows {
public:
    /// `offset`: of the packet with the event.
    void tell(std::uint64_t offset, std::span<const FlowEnd> ends);
    /// Places the slice or instant of that packet. `isLaunch`: its correlation says the same.
    void place(std::uint64_t offset, TimeNs time, trace::TrackId track, bool isLaunch);
    /// Adds those that join at least two events, in the order of their time. Returns all that was
    /// added.
    [[nodiscard]] std::vector<trace::FlowPoint> addTo(trace::TraceBuilder& builder);

private:
    struct End {
        std::uint64_t offset = 0;
        FlowEnd flow;
        TimeNs time = 0;
        trace::TrackId track = 0;
        bool isPlaced = false;
    };

    std::vector<End> m_ends;
    bool m_sorted = true;  // by offset
    std::uint64_t m_launches = 0;
};

}  // namespace kinetoscope::import::perfetto
