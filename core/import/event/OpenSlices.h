// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/trace/Trace.h"

namespace kinetoscope::import::event {

/// A begin event whose end has not come yet.
struct OpenSlice {
    trace::SliceId slice = trace::kNoSlice;
    TimeNs start = 0;
    std::uint64_t offset = 0;
};

/// The open begin events of each track; an end event closes the last one.
class OpenSlices {
public:
    void begin(trace::TrackId track, const OpenSlice& slice) {
        if (track >= m_stacks.size()) {
            m_stacks.resize(track + 1);
        }
        m_stacks[track].push_back(slice);
    }

    [[nodiscard]] bool isOpen(trace::TrackId track) const {
        return track < m_stacks.size() && !m_stacks[track].empty();
    }

    [[nodiscard]] std::optional<OpenSlice> end(trace::TrackId track) {
        if (track >= m_stacks.size() || m_stacks[track].empty()) {
            return std::nullopt;
        }
        const OpenSlice slice = m_stacks[track].back();
        m_stacks[track].pop_back();
        return slice;
    }

    /// Calls visit(track, slice) for each, the ones of a track in the order they began.
    template <class Visit>
    void forEach(Visit&& visit) const {
        for (trace::TrackId track = 0; track < m_stacks.size(); ++track) {
            for (const OpenSlice& slice : m_stacks[track]) {
                visit(track, slice);
            }
        }
    }

    void clear() { m_stacks.clear(); }

private:
    std::vector<std::vector<OpenSlice>> m_stacks;
};

}  // namespace kinetoscope::import::event
