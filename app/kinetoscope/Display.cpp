// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/kinetoscope/Display.h"

#include <QApplication>
#include <QDir>
#include <QFileInfo>
#include <QFontDatabase>
#include <QRawFont>
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

/// Without any font Qt still knows families, names of others, and draws boxes for every letter.
bool textCanBeDrawn() {
    return !QRawFont::fromFont(QApplication::font()).fontTable("cmap").isEmpty();
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
        "cannot open a window: neither DISPLAY nor WAYLAND_DISPLAY is set; use kinetoscope "
        "--screenshot OUT.png FILE, or kscope report FILE");
}

QString prepareFonts() {
    if (!textCanBeDrawn()) {
        // Where distributions put DejaVu when fontconfig does not know of it, and where the archive
        // has it.
        const QString own = QCoreApplication::applicationDirPath();
        for (const QString& folder : {QStringLiteral("/usr/share/fonts/truetype/dejavu"),
                                      QStringLiteral("/usr/share/fonts/dejavu"),
                                      own + QLatin1String("/../share/kinetoscope/fonts")}) {
            const QDir fonts(folder);
            for (const QString& file : fonts.entryList({QStringLiteral("DejaVuSans*.ttf")})) {
                QFontDatabase::addApplicationFont(fonts.absoluteFilePath(file));
            }
        }
        QFont font = QApplication::font();
        font.setFamily(QStringLiteral("DejaVu Sans"));
        QApplication::setFont(font);
    }
    if (QGuiApplication::platformName() == QLatin1String("offscreen")) {
        QFont font = QApplication::font();
        font.setPointSizeF(kPictureFontSize);
        QApplication::setFont(font);
    }
    return textCanBeDrawn()
               ? QString()
               : QStringLiteral("no fonts found, so no text is shown; install fonts-dejavu-core");
}

}  // namespace kinetoscope::app
