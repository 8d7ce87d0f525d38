// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/kinetoscope/Screenshot.h"

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QEventLoop>
#include <QPushButton>
#include <QTimer>
#include <cstdio>
#include <functional>

#include "app/kinetoscope/files/PictureExport.h"
#include "core/query/find/Search.h"
#include "widgets/plots/TimelineView.h"

namespace kinetoscope::app {

namespace {

constexpr int kOutputExit = 1;
constexpr int kInputExit = 2;
constexpr int kLookMs = 20;
constexpr int kSettleMs = 250;  // delayed repaints and layouts of the widgets

int complain(const QString& line, int code) {
    std::fprintf(stderr, "kinetoscope: %s\n", qUtf8Printable(line));
    return code;
}

// Asleep between events: processEvents() with a time limit never sleeps, and takes the processor
// that loads the file.
void waitWhile(const std::function<bool()>& condition) {
    QTimer look;  // not every condition ends with an event
    look.start(kLookMs);
    while (condition()) {
        QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
    }
}

void settle() {
    QElapsedTimer clock;
    clock.start();
    waitWhile([&] {
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        return clock.elapsed() < kSettleMs;
    });
}

/// Empty when done; else why not.
QString selectByName(session::ViewState& view, const QString& text) {
    const auto found = query::findSlices(*view.trace(), text.toStdString());
    if (!found) {
        return QString::fromStdString(found.error().message);
    }
    if (found->empty()) {
        return QStringLiteral("--select %1: no slice name contains this").arg(text);
    }
    view.select(found->front());
    return {};
}

/// Empty when done; else why not.
QString draw(MainWindow& window, const CommandLine& options) {
    QWidget* part = window.docks().panel(options.panel);
    if (window.jobs().current() != nullptr) {
        part = window.jobs().current()->part(options.panel);
    } else if (options.panel == QLatin1String("timeline")) {
        part = window.timeline();
    } else if (options.panel == QLatin1String("timelines")) {
        part = &window.compared();
    }
    if (part == nullptr) {
        return writePicture(options.screenshot, window, QStringLiteral("Kinetoscope"));
    }
    part->setParent(nullptr);
    part->resize(options.size);
    part->show();
    settle();
    QString error = writePicture(options.screenshot, *part, options.panel);
    delete part;
    return error;
}

/// The job is read, or a message was given: its exit code.
int takeJob(MainWindow& window, const CommandLine& options) {
    QString error;
    QObject::connect(&window.jobs().loader(), &job::JobLoader::failed, &window,
                     [&](const QStringList&, const QString& why) { error = why; });
    window.openJob(options.files);
    waitWhile([&] { return window.jobs().loader().isLoading(); });
    if (!error.isEmpty()) {
        return complain(error, kInputExit);
    }
    if (!options.select.isEmpty() && !window.jobs().current()->selectAnswer(options.select)) {
        return complain(QStringLiteral("--select %1: no answer contains this").arg(options.select),
                        kInputExit);
    }
    if (!options.panel.isEmpty() && window.jobs().current()->part(options.panel) == nullptr) {
        return complain(
            QStringLiteral("--panel %1: not a panel of dumps; the panels are matrix and tables")
                .arg(options.panel),
            kInputExit);
    }
    waitWhile([&] { return window.jobs().current()->busy(); });
    settle();
    error = draw(window, options);
    return error.isEmpty() ? 0 : complain(error, kOutputExit);
}

}  // namespace

int takeScreenshot(MainWindow& window, const CommandLine& options) {
    QString error;
    int code = kInputExit;
    QObject::connect(&window.loader(), &session::TraceLoader::failed, &window,
                     [&](const QString&, const QString& why, ErrorKind kind) {
                         error = why;
                         code = kind == ErrorKind::Output ? kOutputExit : kInputExit;
                     });
    QObject::connect(&window.jobs(), &JobTabs::failed, &window, [&](const QString& why) {
        // Else it is about a part of what is shown.
        error = window.jobs().current() == nullptr ? why : error;
    });
    window.resize(options.size);
    window.docks().arrangeAsFirst();
    window.show();
    window.session().find().setText(options.find);
    if (options.job) {
        return takeJob(window, options);
    }
    if (options.compare) {
        window.openToCompare(options.files);
    } else {
        window.openFiles(options.files);
    }
    waitWhile([&] { return window.loader().isLoading() || window.jobs().isLoading(); });
    if (!error.isEmpty()) {
        return complain(error, code);
    }
    if (options.compare) {
        window.compareFiles(options.files);
        waitWhile([&] { return window.session().compare().busy(); });
        error = window.session().compare().error();
        if (!error.isEmpty()) {
            return complain(error, kInputExit);
        }
    }
    if (!options.select.isEmpty() && window.jobs().current() != nullptr) {
        if (!window.jobs().current()->selectAnswer(options.select)) {
            return complain(
                QStringLiteral("--select %1: nothing contains this").arg(options.select),
                kInputExit);
        }
    } else if (!options.select.isEmpty()) {
        error = selectByName(window.view(), options.select);
        if (!error.isEmpty()) {
            return complain(error, kInputExit);
        }
    }
    if (!options.panel.isEmpty()) {
        window.docks().showPanel(options.panel);
    }
    if (options.panel == QLatin1String("query")) {  // it shows an answer, not only a question
        window.docks()
            .panel(options.panel)
            ->findChild<QPushButton*>(QStringLiteral("run"))
            ->click();
    }
    const auto* strips = qobject_cast<const plots::TimelineView*>(window.timeline());
    waitWhile([&] {
        return window.session().reports().busy() || window.docks().busy() || strips->busy() ||
               (window.jobs().current() != nullptr && window.jobs().current()->busy());
    });
    settle();
    error = draw(window, options);
    return error.isEmpty() ? 0 : complain(error, kOutputExit);
}

}  // namespace kinetoscope::app
