// SPDX-License-Identifier: GPL-3.0-or-later
#include <QPointer>
#include <QScreen>
#include <csignal>
#include <cstdio>
#include <new>

#include "app/kinetoscope/Application.h"
#include "app/kinetoscope/CommandLine.h"
#include "app/kinetoscope/Display.h"
#include "app/kinetoscope/MainWindow.h"
#include "app/kinetoscope/Screenshot.h"
#include "core/base/ProcessSetup.h"
#include "widgets/style/WindowStyle.h"

using namespace kinetoscope;
using namespace kinetoscope::app;

namespace {

constexpr int kOutputExit = 1;

int leave(const EarlyExit& exit) {
    if (exit.code != 0) {
        std::fprintf(stderr, "%s\n", qUtf8Printable(exit.text));
        return exit.code;
    }
    const bool written = std::fputs(qUtf8Printable(exit.text), stdout) >= 0;
    return written && std::fflush(stdout) == 0 ? 0 : kOutputExit;
}

void warn(const QString& line) {
    if (!line.isEmpty()) {
        std::fprintf(stderr, "kinetoscope: %s\n", qUtf8Printable(line));
    }
}

/// Without a screen Qt prints two warnings on stderr that do not matter for a screenshot.
void dropPlatformNotes(QtMsgType type, const QMessageLogContext& context, const QString& text) {
    if (!text.startsWith(QLatin1String("This plugin does not support")) &&
        !text.startsWith(QLatin1String("QStandardPaths: XDG_RUNTIME_DIR"))) {
        std::fprintf(stderr, "%s\n", qUtf8Printable(qFormatLogMessage(type, context, text)));
    }
}

int showWindow(Application& app, session::Settings& settings, const CommandLine& options) {
    MainWindow window(settings);
    app.setComplaint([window = QPointer(&window)](const QString& what) {
        if (window) {
            window->complain(what);
        }
    });
    window.fitInto(window.screen()->availableGeometry());
    window.show();
    if (options.record) {
        window.record({options.files.first(), options.files.mid(1), {}, {}});
        const int code = QApplication::exec();
        return code != 0 ? code : window.recorder().exitCode();
    }
    window.session().find().setText(options.find);
    if (options.files.isEmpty()) {
        window.docks().hideUntilWanted();
    }
    if (options.job) {
        window.openJob(options.files);
    } else if (options.compare) {
        window.compareWhenOpen(options.files);
    } else {
        window.openFiles(options.files);
    }
    return QApplication::exec();
}

int drawPicture(Application& app, session::Settings& settings, const CommandLine& options) {
    bool whole = true;
    app.setComplaint([&whole](const QString& what) {
        whole = false;
        warn(what);
    });
    MainWindow window(settings);
    const int code = takeScreenshot(window, options);
    app.setComplaint({});
    return code == 0 && !whole ? kOutputExit : code;
}

int run(int argc, char** argv) {
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
    // Qt's options are not ours, and may be those of a program to record.
    int nameAlone = 1;
    Application app(nameAlone, argv);
    QApplication::setApplicationName(QStringLiteral("kinetoscope"));
    QApplication::setApplicationDisplayName(QStringLiteral("Kinetoscope"));
    QApplication::setApplicationVersion(programVersion());
    QGuiApplication::setDesktopFileName(QStringLiteral("org.kinetoscope.Kinetoscope"));
    warn(prepareFonts());
    if (pictureOnly) {
        session::Settings settings{session::Settings::InMemory{}};
        style::applyTheme(options.theme);
        return drawPicture(app, settings, options);
    }
    session::Settings settings;
    style::applyTheme(options.themeGiven ? options.theme : themeFromName(settings.theme.value()));
    return showWindow(app, settings, options);
}

}  // namespace

int main(int argc, char** argv) {
    setUpProcess();
    // A reader that closes its pipe causes a write error and must not end the window.
    std::signal(SIGPIPE, SIG_IGN);
    try {
        return run(argc, argv);
    } catch (const std::bad_alloc&) {
        std::fputs("kinetoscope: out of memory\n", stderr);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "kinetoscope: %s\n", error.what());
    }
    return kOutputExit;
}
