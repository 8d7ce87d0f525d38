// SPDX-License-Identifier: GPL-3.0-or-later
// The window when memory or threads run out, when nothing can be written, and when what it writes
// is not a file: it says so and lives. This program's operator new fails when it is told to, as
// calls into the system do.
#include <sys/stat.h>

#include <QDir>
#include <QFileInfo>
#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <atomic>
#include <cstdlib>
#include <new>
#include "tests/Patience.h"

#include "app/kinetoscope/Application.h"
#include "app/kinetoscope/MainWindow.h"
#include "app/kinetoscope/files/WriteFile.h"
#include "tests/faults/Faults.h"
#include "tests/widgets/TimelineFixture.h"
#include "tests/widgets/WindowTestSupport.h"
#include "widgets/style/WindowStyle.h"
#include "widgets/timeline/LaneGeometry.h"

using namespace kinetoscope;
using namespace kinetoscope::app;
using namespace kinetoscope::import;
using namespace kinetoscope::query;
using namespace kinetoscope::report;
using namespace kinetoscope::session;
using namespace kinetoscope::style;
using namespace kinetoscope::timeline;
using namespace kinetoscope::trace;

namespace {

std::atomic<std::size_t> s_largest{0};  ///< bytes that one operator new gives; 0: any
std::atomic<int> s_refused{0};

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kCanFail = false;  ///< sanitizers have functions of their own in these places
#else
constexpr bool kCanFail = true;

void* allocate(std::size_t size) {
    const std::size_t largest = s_largest;
    if (largest == 0 || size <= largest) {
        if (void* memory = std::malloc(size > 0 ? size : 1)) {
            return memory;
        }
    }
    ++s_refused;
    throw std::bad_alloc();
}
#endif

}  // namespace

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
void* operator new(std::size_t size) {
    return allocate(size);
}
void* operator new[](std::size_t size) {
    return allocate(size);
}
void operator delete(void* memory) noexcept {
    std::free(memory);
}
void operator delete[](void* memory) noexcept {
    std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
    std::free(memory);
}
void operator delete[](void* memory, std::size_t) noexcept {
    std::free(memory);
}
#endif

namespace {

#define NEEDS_FAILURES()                                                 \
    if (!kCanFail) {                                                     \
        QSKIP("sanitizers replace the functions that are made to fail"); \
    }

/// Memory or threads run out until the end of a block; threads as under ulimit -u, which root does
/// not have.
struct WithoutThreads {
    WithoutThreads() { faults::failAt(faults::Call::Thread, 1, true); }
    ~WithoutThreads() { faults::disarm(); }
};
struct WithMemory {
    explicit WithMemory(std::size_t largest) {
        s_refused = 0;
        s_largest = largest;
    }
    ~WithMemory() { s_largest = 0; }
};

Result<int> throwing(const char* what) {
    if (qstrcmp(what, "memory") == 0) {
        throw std::bad_alloc();
    }
    throw std::runtime_error(what);
}

/// Throws whatever the name of the file says, after a snapshot; else reads it.
Result<std::shared_ptr<const Trace>> loadOrThrow(const std::string& path,
                                                 const LoadOptions& options) {
    if (path.ends_with("memory")) {
        options.snapshot(makeTrace({{"a", 0, 100}}, false));
        throw std::bad_alloc();
    }
    return loadTrace(path, options);
}

struct Thrower final : QObject {
    bool event(QEvent* event) override {
        if (event->type() == QEvent::User) {
            throw std::bad_alloc();
        }
        return QObject::event(event);
    }
};

}  // namespace

class OutOfMeansTest final : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    Settings m_settings{Settings::InMemory{}};

    static Application& app() { return *static_cast<Application*>(QCoreApplication::instance()); }
    static bool opens(MainWindow& window, const QString& path) {
        window.openFiles({path});
        return waitFor([&] { return !window.loader().isLoading(); }) &&
               window.session().current() != nullptr &&
               waitFor([&] { return window.session().reports().report() != nullptr; });
    }

private slots:
    void initTestCase() {
        QStandardPaths::setTestModeEnabled(true);
        qputenv("KINETOSCOPE_RESULTS", m_folder.filePath("results").toUtf8());
        applyTheme(ThemeChoice::Light);
    }
    void init() { failOnQtWarnings(); }

    void anExceptionOfAWorkerIsDeliveredAsAnError_data() {
        QTest::addColumn<QString>("said");
        QTest::newRow("memory") << "out of memory; close other files or programs";
        QTest::newRow("what was it") << "what was it";
    }
    void anExceptionOfAWorkerIsDeliveredAsAnError() {
        QFETCH(QString, said);
        const QByteArray what = QTest::currentDataTag();
        std::vector<Result<int>> delivered;
        LatestTask<int> task([&](Result<int> result) { delivered.push_back(std::move(result)); });
        task.start([what](const std::stop_token&) { return throwing(what.constData()); });
        QTRY_COMPARE(delivered.size(), std::size_t{1});
        QVERIFY(!delivered[0] && delivered[0].error().kind == ErrorKind::Output);
        QCOMPARE(QString::fromStdString(delivered[0].error().message), said);
        QVERIFY(!task.busy());
        task.start([](const std::stop_token&) { return 7; });
        QTRY_COMPARE(delivered.size(), std::size_t{2});
        QVERIFY(delivered[1] && *delivered[1] == 7);
    }

    void aWorkerThatCannotStartIsAnErrorAndIsTriedAgain() {
        NEEDS_FAILURES();
        std::vector<Result<int>> delivered;
        LatestTask<int> task([&](Result<int> result) { delivered.push_back(std::move(result)); });
        {
            const WithoutThreads none;
            task.start([](const std::stop_token&) { return 1; });
            QVERIFY(task.busy() && delivered.empty());  // later, as any other result
            QTRY_COMPARE(delivered.size(), std::size_t{1});
            task.start([](const std::stop_token&) { return 1; });
            task.cancel();
            QTest::qWait(20);
        }
        QCOMPARE(delivered.size(), std::size_t{1});
        QVERIFY(!delivered[0] && delivered[0].error().message.find("thread") != std::string::npos);
        task.start([](const std::stop_token&) { return 2; });
        QTRY_COMPARE(delivered.size(), std::size_t{2});
        QVERIFY(delivered[1] && *delivered[1] == 2);
    }

    void aTraceTooLargeForMemoryIsSaidAndTheWindowLives() {
        NEEDS_FAILURES();
        MainWindow window(m_settings, loadOrThrow);
        window.show();
        const QString path = m_folder.filePath("too large for memory");
        window.openFiles({path});
        QTRY_VERIFY(!window.loader().isLoading());
        QVERIFY2(window.errorBar().text().startsWith(path) &&
                     window.errorBar().text().contains("out of memory"),
                 qPrintable(window.errorBar().text()));
        QVERIFY(window.session().runs().empty());
        QVERIFY(opens(window, samplePath()));
    }

    void withoutThreadsTheWindowSaysSoAndLives() {
        NEEDS_FAILURES();
        MainWindow window(m_settings);
        window.show();
        {
            const WithoutThreads none;
            window.openFiles({samplePath()});
            QTRY_VERIFY(!window.loader().isLoading());
            QVERIFY2(window.errorBar().text().contains("thread"),
                     qPrintable(window.errorBar().text()));
        }
        QVERIFY(opens(window, samplePath()));
    }

    void figuresThatDoNotFitAreSaid() {
        NEEDS_FAILURES();
        ViewState view;
        ReportRunner reports(view, [](const Trace&, const ReportOptions&) -> Result<Report> {
            throw std::bad_alloc();
        });
        QString said;
        connect(&reports, &ReportRunner::failed, this, [&](const QString& why) { said = why; });
        view.setTrace(makeTrace({{"a", 0, 100}}));
        QTRY_VERIFY(said.contains("out of memory"));
        QVERIFY(!reports.report() && !reports.busy());
    }

    void aPictureOfTheTimelineNeedsNoThread() {
        NEEDS_FAILURES();
        const TimelineFixture fixture;
        LaneIndex lanes(fixture.trace);
        const TimelineRows rows(lanes, {});
        const TrackMarks marks(*fixture.trace);
        const GeometrySpec spec{{0, 10'000}, 500, 0, 400, 1.0};
        const TimelineGeometry usual = layOutGeometry(lanes, rows, marks, spec);
        const WithoutThreads none;
        const TimelineGeometry alone = layOutGeometry(lanes, rows, marks, spec);
        QCOMPARE(alone.lanes.size(), usual.lanes.size());
        for (std::size_t lane = 0; lane < usual.lanes.size(); ++lane) {
            QCOMPARE(alone.lanes[lane].items.size(), usual.lanes[lane].items.size());
            QVERIFY(!usual.lanes[lane].items.empty());
        }
    }

    void anExceptionOfAHandlerIsToldAndTheApplicationLives() {
        QStringList told;
        app().setComplaint([&](const QString& what) { told << what; });
        Thrower thrower;
        QCoreApplication::postEvent(&thrower, new QEvent(QEvent::User));
        QTRY_COMPARE(told.size(), 1);
        QVERIFY(told[0].contains("out of memory"));
        // Also when telling it throws.
        app().setComplaint([](const QString&) { throw std::bad_alloc(); });
        QCoreApplication::postEvent(&thrower, new QEvent(QEvent::User));
        QTest::qWait(20);
        app().setComplaint({});
    }

    // Wherever the allocations of some size are made, in whatever thread.
    void whateverAllocationFailsTheWindowLives_data() {
        QTest::addColumn<int>("largest");
        for (const int largest : {400'000, 100'000, 50'000, 20'000, 10'000, 5'000}) {
            QTest::addRow("%d bytes", largest) << largest;
        }
    }
    void whateverAllocationFailsTheWindowLives() {
        NEEDS_FAILURES();
        QFETCH(int, largest);
        MainWindow window(m_settings);
        app().setComplaint([&](const QString& what) { window.complain(what); });
        window.show();
        {
            const WithMemory little(static_cast<std::size_t>(largest));
            window.openFiles({samplePath()});
            QVERIFY(waitFor([&] {
                return !window.loader().isLoading() && !window.session().reports().busy();
            }));
            QTest::qWait(100);
        }
        QVERIFY2(s_refused > 0, "nothing was as large");
        QVERIFY2(window.errorBar().text().contains("sample.json.gz': out of memory; close"),
                 qPrintable(window.errorBar().text()));
        app().setComplaint({});
        window.closeFile();
        QVERIFY(opens(window, samplePath()));
    }

    // Whichever call fails: the window says why and nothing is there, or the file is whole.
    void savingThatFailsIsSaidAndLeavesNothing_data() {
        QTest::addColumn<int>("action");
        QTest::addColumn<QString>("suffix");
        QTest::newRow("table") << static_cast<int>(ActionId::ExportTable) << "csv";
        QTest::newRow("session") << static_cast<int>(ActionId::SaveSession) << "kscopes";
    }
    void savingThatFailsIsSaidAndLeavesNothing() {
        NEEDS_FAILURES();
        QFETCH(int, action);
        QFETCH(QString, suffix);
        MainWindow window(m_settings);
        window.show();
        QVERIFY(opens(window, samplePath()));
        window.docks().showPanel("kernels");
        const QTemporaryDir folder;
        const auto save = [&](const QString& name) {
            answerFileDialog(folder.filePath(name));
            window.action(static_cast<ActionId>(action))->trigger();
        };
        const auto content = [&](const QString& name) {
            QFile file(folder.filePath(name));
            return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
        };
        save("whole." + suffix);
        const QByteArray whole = content("whole." + suffix);
        QVERIFY(whole.size() > 100);
        constexpr int kEndBytes = 2;
        int files = 1;
        for (const faults::Call call :
             {faults::Call::Write, faults::Call::Rename, faults::Call::Sync}) {
            std::size_t failed = 1;
            int said = 0;
            for (std::size_t nth = 1; failed > 0; ++nth) {
                const QString name =
                    QStringLiteral("%1-%2.%3")
                        .arg(QLatin1String(faults::kCallNames[static_cast<std::size_t>(call)]))
                        .arg(nth)
                        .arg(suffix);
                faults::failAt(call, nth);
                save(name);
                failed = faults::disarm();
                const bool isSaid = window.errorBar().text().contains(name);
                // What is drawn may change between two saves; a cut file lacks its end.
                const QByteArray found = content(name);
                QVERIFY2(isSaid ? found.isEmpty()
                                : found.size() > 100 && found.endsWith(whole.right(kEndBytes)),
                         qPrintable(name + ": " + window.errorBar().text()));
                QVERIFY2(!isSaid || failed > 0, qPrintable(window.errorBar().text()));
                said += isSaid ? 1 : 0;
                files += isSaid ? 0 : 1;
                QCOMPARE(QDir(folder.path()).entryList(QDir::Files | QDir::Hidden).size(), files);
            }
            QVERIFY(said > 0);
        }
    }

    void aPipeIsWrittenToAndStaysOne() {
        const QString pipe = m_folder.filePath("pipe");
        QCOMPARE(::mkfifo(QFile::encodeName(pipe).constData(), 0600), 0);
        QVERIFY(OpenPipe(pipe).problem().contains("nothing reads"));
        QVERIFY(OpenPipe(m_folder.filePath("new")).problem().isEmpty());
        QProcess reader;
        reader.start("cat", {pipe});
        QVERIFY(reader.waitForStarted());
        {
            QTRY_VERIFY(OpenPipe(pipe).problem().isEmpty() ||
                        reader.state() == QProcess::NotRunning);
        }
        reader.waitForFinished();  // our trial was its only writer
        reader.start("cat", {pipe});
        QVERIFY(reader.waitForStarted());
        QCOMPARE(writeFile(pipe, QByteArray("a picture")), QString());
        QVERIFY(reader.waitForFinished());
        QCOMPARE(reader.readAllStandardOutput(), QByteArray("a picture"));
        struct stat known {};
        QCOMPARE(::stat(QFile::encodeName(pipe).constData(), &known), 0);
        QVERIFY(S_ISFIFO(known.st_mode));
    }

    void settingsThatAreNoFileStayWhatTheyAre() {
        const QString pipe = m_folder.filePath("settings.ini");
        QCOMPARE(::mkfifo(QFile::encodeName(pipe).constData(), 0600), 0);
        const QString link = m_folder.filePath("link.ini");
        QVERIFY(QFile::link(pipe, link));
        for (const QString& path : {pipe, link}) {
            Settings settings(path);  // would wait for a writer
            settings.theme.set(QStringLiteral("dark"));
            QCOMPARE(settings.theme.value(), QStringLiteral("dark"));
        }
        struct stat known {};
        QCOMPARE(::lstat(QFile::encodeName(pipe).constData(), &known), 0);
        QVERIFY(S_ISFIFO(known.st_mode) && QFileInfo(link).isSymLink());
    }
};

int main(int argc, char** argv) {
    Application application(argc, argv);
    OutOfMeansTest test;
    return QTest::qExec(&test, argc, argv);
}
#include "OutOfMeansTest.moc"
