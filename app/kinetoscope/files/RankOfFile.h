// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>

namespace kinetoscope::app {

/// The rank of a trace, from its first bytes, else from its name; -1: unknown. Reads only its
/// start.
[[nodiscard]] qint64 rankOfFile(const QString& path);

/// Whether a file, or those of a folder, are of a job and nothing that can be opened alone:
/// partials, or dumps of the flight recorder. Reads no more than their beginning.
[[nodiscard]] bool isPartOfJob(const QString& path);

/// What opens the whole job of which one file was chosen: partials and dumps are those of a like
/// name beside it, of a trace it is the folder.
[[nodiscard]] QStringList wholeJobOf(const QString& path);

/// Whether at least two of the files, or of those in a folder, are of different ranks. Looks at the
/// first few only.
[[nodiscard]] bool holdsSeveralRanks(const QStringList& paths);

}  // namespace kinetoscope::app
