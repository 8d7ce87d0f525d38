// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <vector>

#include "core/query/LaneLayout.h"
#include "core/trace/Trace.h"
#include "widgets/session/Selection.h"

namespace kinetoscope::models {

/// One line of the details of what is selected. Headings have no value; a line with a link can be
/// followed.
struct DetailLine {
    QString label;
    QString value;
    int level = 0;  ///< indentation
    bool heading = false;
    session::Selection link = {};
    bool prose = false;  ///< a sentence or a name, which takes as many lines as it needs
};

// What details are made of.
using Lines = std::vector<DetailLine>;

void heading(Lines& lines, const char* text);
void add(Lines& lines, const char* label, const QString& value, session::Selection link = {});
inline void add(Lines& lines, const char* label, const QString& value, trace::SliceId link) {
    add(lines, label, value, session::selectionOf(link));
}

/// "1.250 ms  (1,250,000 ns)".
[[nodiscard]] QString exactTime(TimeNs ns);
[[nodiscard]] QString shortTime(double ns);
/// Name and duration.
[[nodiscard]] QString linkText(const trace::Trace& trace, trace::SliceId slice);
/// All members of the event in the file: its arguments, then the rest.
void addFileRows(Lines& lines, const trace::Trace& trace, std::uint64_t offset);
/// "python 4711, thread 12", "GPU 0, stream 7".
[[nodiscard]] QString trackTitle(const query::LaneIndex& lanes, trace::TrackId track);

}  // namespace kinetoscope::models
