// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>
#include <optional>

namespace kinetoscope::session {

/// The words of a command line as a POSIX shell divides it: single quotes, double quotes and
/// backslashes keep what they stand for, '' is an empty word. Nothing is expanded. Nothing when a
/// quote is not closed or a backslash is the last letter.
[[nodiscard]] std::optional<QStringList> splitCommandWords(const QString& text);

}  // namespace kinetoscope::session
