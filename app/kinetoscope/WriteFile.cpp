// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/kinetoscope/WriteFile.h"

#include <QBuffer>
#include <QSaveFile>

namespace kinetoscope {

QString writeFile(const QString& path, const QByteArray& bytes) {
    QSaveFile file(path);
    const bool written = file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size();
    if (written && file.commit()) {
        return {};
    }
    return QStringLiteral("%1: cannot write: %2").arg(path, file.errorString());
}

QString writePng(const QString& path, const QImage& picture) {
    QBuffer buffer;
    buffer.open(QIODevice::WriteOnly);
    if (!picture.save(&buffer, "PNG")) {
        return QStringLiteral("%1: cannot make a PNG of %2 x %3 pixels")
            .arg(path)
            .arg(picture.width())
            .arg(picture.height());
    }
    return writeFile(path, buffer.data());
}

}  // namespace kinetoscope
