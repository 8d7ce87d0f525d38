// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>

namespace kinetoscope::app {

/// The rank that a trace is of: what its first bytes say, else its name; -1: neither does. Reads no
/// more than its beginning.
[[nodiscard]] qint64 rankOfFile(const QString& path);

/// Whether at least two of the files, or of those in a folder, are of different ranks. Looks at the
/// first few only.
[[nodiscard]] bool holdsSeveralRanks(const QStringList& paths);

}  // namespace kinetoscope::app
