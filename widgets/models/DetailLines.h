// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <vector>

#include "core/query/LaneLayout.h"

namespace kinetoscope::models {

/// One line of the details of a slice. Headings have no value; a line with a link can be followed.
struct DetailLine {
    QString label;
    QString value;
    int level = 0;  ///< indentation
    bool heading = false;
    trace::SliceId link = trace::kNoSlice;
};

/// Everything known about a slice: times, place, GPU figures, what launched it and what it
/// launched, and all that the file says. A file that cannot be read again gives one line saying so.
[[nodiscard]] std::vector<DetailLine> detailLines(query::LaneIndex& lanes, trace::SliceId slice);

/// "python (4711) / thread 12", "GPU 0 / stream 7".
[[nodiscard]] QString trackTitle(const trace::Trace& trace, trace::TrackId track);

/// The innermost slice of the same track that contains this one; kNoSlice: none.
[[nodiscard]] trace::SliceId enclosingSlice(query::LaneIndex& lanes, trace::SliceId slice);

}  // namespace kinetoscope::models
