// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <stop_token>
#include <vector>

#include "core/trace/Trace.h"

namespace kinetoscope::query::sql {

/// What lies in what: of each slice of a CPU thread the innermost one that contains it.
class Nesting {
public:
    Nesting(const trace::Trace& trace, const std::stop_token& stop);

    /// kNoSlice: nothing contains it.
    [[nodiscard]] trace::SliceId parent(trace::SliceId slice) const { return m_parent[slice]; }
    /// How many contain it.
    [[nodiscard]] std::uint32_t depth(trace::SliceId slice) const { return m_depth[slice]; }
    /// Its duration without the time in which something runs directly inside.
    [[nodiscard]] TimeNs self(trace::SliceId slice) const { return m_self[slice]; }

private:
    void nest(const trace::Trace& trace, std::vector<trace::SliceId>& track);

    std::vector<trace::SliceId> m_parent;
    std::vector<std::uint32_t> m_depth;
    std::vector<TimeNs> m_self;
};

}  // namespace kinetoscope::query::sql
