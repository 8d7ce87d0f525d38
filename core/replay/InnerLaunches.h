// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "core/query/LaunchLinks.h"
#include "core/trace/Trace.h"

namespace kinetoscope::replay {

/// Operations launched inside a slice, by itself and by its children. The trace must outlive this.
class InnerLaunches {
public:
    InnerLaunches(const trace::Trace& trace, const query::LaunchLinks& links);

    /// Slices of the GPU operations, by their start.
    [[nodiscard]] std::vector<trace::SliceId> of(trace::SliceId slice) const;

private:
    struct Launch {
        trace::TrackId track = 0;
        TimeNs time = 0;  ///< of the API call, else of the operator
        trace::SliceId operation = 0;
        friend auto operator<=>(const Launch&, const Launch&) = default;
    };
    const trace::Trace& m_trace;
    std::vector<Launch> m_launches;  ///< in order
};

}  // namespace kinetoscope::replay
