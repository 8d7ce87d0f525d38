// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/kinetoscope/Display.h"

#include <QApplication>
#include <QDir>
#include <QFileInfo>
#include <QFontDatabase>
#include <QRegularExpression>

namespace kinetoscope::app {

namespace {

constexpr double kPictureFontSize = 9.0;  // points; 12 pixels at 96 dpi

bool waylandIsThere() {
    const QString name = qEnvironmentVariable("WAYLAND_DISPLAY");
    const QDir runtime(qEnvironmentVariable("XDG_RUNTIME_DIR", QStringLiteral("/")));
    return !name.isEmpty() && QFileInfo::exists(runtime.absoluteFilePath(name));
}

/// Local displays must have their socket; what is on another machine is tried by Qt itself.
bool x11IsThere() {
    const QString name = qEnvironmentVariable("DISPLAY");
    static const QRegularExpression local(QStringLiteral("^(unix)?:(\\d+)"));
    const auto match = local.match(name);
    if (!match.hasMatch()) {
        return !name.isEmpty();
    }
    return QFileInfo::exists(QStringLiteral("/tmp/.X11-unix/X") + match.captured(2));
}

}  // namespace

QString preparePlatform(bool pictureOnly) {
    if (qEnvironmentVariableIsSet("QT_QPA_PLATFORM")) {
        return {};
    }
    if (pictureOnly) {
        qputenv("QT_QPA_PLATFORM", "offscreen");
        return {};
    }
    if (waylandIsThere() || x11IsThere()) {
        return {};
    }
    return QStringLiteral(
        "no display to show a window on (DISPLAY and WAYLAND_DISPLAY name none); use "
        "kinetoscope --screenshot OUT.png FILE, or kscope report FILE");
}

QString prepareFonts() {
    if (QFontDatabase::families().isEmpty()) {
        // Where distributions put DejaVu when fontconfig does not know of it.
        for (const char* folder : {"/usr/share/fonts/truetype/dejavu", "/usr/share/fonts/dejavu"}) {
            const QDir fonts(QString::fromLatin1(folder));
            for (const QString& file : fonts.entryList({QStringLiteral("DejaVuSans*.ttf")})) {
                QFontDatabase::addApplicationFont(fonts.absoluteFilePath(file));
            }
        }
    }
    if (QGuiApplication::platformName() == QLatin1String("offscreen")) {
        QFont font = QApplication::font();
        font.setPointSizeF(kPictureFontSize);
        QApplication::setFont(font);
    }
    return QFontDatabase::families().isEmpty()
               ? QStringLiteral("no fonts found, texts stay empty; install fonts-dejavu-core")
               : QString();
}

}  // namespace kinetoscope::app
