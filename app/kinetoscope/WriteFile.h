// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QImage>
#include <QString>

namespace kinetoscope {

/// Writes the whole file or nothing. Returns one line about what went wrong; empty: nothing did.
[[nodiscard]] QString writeFile(const QString& path, const QByteArray& bytes);
[[nodiscard]] QString writePng(const QString& path, const QImage& picture);

}  // namespace kinetoscope
