// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFile>
#include <QString>
#include <string>

namespace kinetoscope::session {

/// The path as the core opens it: in the bytes of the file system.
[[nodiscard]] inline std::string encodedPath(const QString& path) {
    return QFile::encodeName(path).toStdString();
}

/// The path as the window shows it.
[[nodiscard]] inline QString decodedPath(const std::string& path) {
    return QFile::decodeName(QByteArray::fromStdString(path));
}

}  // namespace kinetoscope::session
