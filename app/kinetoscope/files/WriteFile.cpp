// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/kinetoscope/files/WriteFile.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <QBuffer>
#include <QFile>

#include "core/text/OutputFile.h"
#include "widgets/session/paths/FilePath.h"

namespace kinetoscope::app {

QString writeFile(const QString& path, const QByteArray& bytes) {
    const auto written = text::writeFile(
        session::encodedPath(path),
        std::string_view(bytes.constData(), static_cast<std::size_t>(bytes.size())));
    return written ? QString() : QString::fromStdString(written.error().message);
}

QString writePng(const QString& path, const QImage& picture) {
    QBuffer buffer;
    buffer.open(QIODevice::WriteOnly);
    if (!picture.save(&buffer, "PNG")) {
        return QStringLiteral("%1: cannot make a PNG of %2 x %3 pixels")
            .arg(path, QString::number(picture.width()), QString::number(picture.height()));
    }
    return writeFile(path, buffer.data());
}

OpenPipe::OpenPipe(const QString& path) {
    const QByteArray name = QFile::encodeName(path);
    struct stat known {};
    if (::stat(name.constData(), &known) != 0 || !S_ISFIFO(known.st_mode)) {
        return;
    }
    m_descriptor = ::open(name.constData(), O_WRONLY | O_NONBLOCK | O_CLOEXEC);
    if (m_descriptor < 0) {
        m_problem =
            QStringLiteral("'%1': nothing reads this pipe; start its reader first").arg(path);
    }
}

OpenPipe::~OpenPipe() {
    if (m_descriptor >= 0) {
        ::close(m_descriptor);
    }
}

}  // namespace kinetoscope::app
