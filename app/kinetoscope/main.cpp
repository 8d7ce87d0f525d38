// SPDX-License-Identifier: GPL-3.0-or-later
#include <QApplication>
#include <cstdio>

#include "app/kinetoscope/CommandLine.h"
#include "app/kinetoscope/Display.h"
#include "app/kinetoscope/MainWindow.h"
#include "app/kinetoscope/Screenshot.h"
#include "widgets/style/Theme.h"

using namespace kinetoscope;

namespace {

int leave(const EarlyExit& exit) {
    std::fputs(qUtf8Printable(exit.text), exit.code == 0 ? stdout : stderr);
    if (exit.code != 0) {
        std::fputs("\n", stderr);
    }
    return exit.code;
}

void warn(const QString& line) {
    if (!line.isEmpty()) {
        std::fprintf(stderr, "kinetoscope: %s\n", qUtf8Printable(line));
    }
}

/// Without a screen Qt says two things on stderr that mean nothing for a picture.
void dropPlatformNotes(QtMsgType type, const QMessageLogContext& context, const QString& text) {
    if (!text.startsWith(QLatin1String("This plugin does not support")) &&
        !text.startsWith(QLatin1String("QStandardPaths: XDG_RUNTIME_DIR"))) {
        std::fprintf(stderr, "%s\n", qUtf8Printable(qFormatLogMessage(type, context, text)));
    }
}

int showWindow(Settings& settings, const CommandLine& options) {
    MainWindow window(settings);
    window.show();
    if (options.record) {
        window.record({options.files.first(), options.files.mid(1), {}, {}});
        const int code = QApplication::exec();
        return code != 0 ? code : window.recorder().exitCode();
    }
    if (options.compare) {
        window.compareWhenOpen(options.files);
    } else {
        window.openFiles(options.files);
    }
    return QApplication::exec();
}

int drawPicture(Settings& settings, const CommandLine& options) {
    MainWindow window(settings);
    return takeScreenshot(window, options);
}

}  // namespace

int main(int argc, char** argv) {
    const auto parsed = parseCommandLine(argc, argv);
    if (const auto* exit = std::get_if<EarlyExit>(&parsed)) {
        return leave(*exit);
    }
    const auto& options = std::get<CommandLine>(parsed);
    const bool pictureOnly = !options.screenshot.isEmpty();
    if (const QString reason = preparePlatform(pictureOnly); !reason.isEmpty()) {
        warn(reason);
        return 2;
    }
    if (pictureOnly) {
        qInstallMessageHandler(dropPlatformNotes);
    }
    const QApplication app(argc, argv);
    QApplication::setApplicationName(QStringLiteral("kinetoscope"));
    QApplication::setApplicationDisplayName(QStringLiteral("Kinetoscope"));
    QApplication::setApplicationVersion(programVersion());
    QGuiApplication::setDesktopFileName(QStringLiteral("org.kinetoscope.Kinetoscope"));
    warn(prepareFonts());
    if (pictureOnly) {
        Settings settings{Settings::InMemory{}};
        applyTheme(options.theme);
        return drawPicture(settings, options);
    }
    Settings settings;
    applyTheme(options.themeGiven ? options.theme : themeFromName(settings.theme.value()));
    return showWindow(settings, options);
}
