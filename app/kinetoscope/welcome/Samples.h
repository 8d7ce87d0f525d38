// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>
#include <vector>

namespace kinetoscope::app {

/// Recordings that come with the program, to try it on.
struct Sample {
    QString title;
    QString explanation;
    QStringList files;  ///< of all ranks where it is a job
    bool job = false;
};

/// Those whose files all exist, the one for a first look in front; empty if none is installed.
[[nodiscard]] std::vector<Sample> samples();

}  // namespace kinetoscope::app
