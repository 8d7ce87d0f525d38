// SPDX-License-Identifier: GPL-3.0-or-later
#if defined(__x86_64__)
#include <cpuid.h>
#endif
#include <QSignalSpy>
#include <QTemporaryDir>
#include <atomic>
#include <thread>
#include "tests/Patience.h"

#include "core/trace/TraceBuilder.h"
#include "tests/widgets/WindowTestSupport.h"
#include "widgets/session/LatestTask.h"
#include "widgets/session/Session.h"
#include "widgets/session/Settings.h"
#include "widgets/session/TraceLoader.h"

using namespace kinetoscope;
using namespace kinetoscope::analysis;
using namespace kinetoscope::import;
using namespace kinetoscope::report;
using namespace kinetoscope::session;
using namespace kinetoscope::trace;
using namespace std::chrono_literals;

namespace {

std::shared_ptr<const Trace> smallTrace() {
    return makeTrace({{"a", 0, 100}, {"b", 500, 500}});
}

/// Reads "slow…" until it is told to stop, fails for "bad…", else gives a small trace.
Result<std::shared_ptr<const Trace>> fakeLoad(const std::string& path, const LoadOptions& options) {
    if (path.starts_with("slow")) {
        options.progress->start(1000);
        options.progress->set(250);
        if (options.snapshot) {
            options.snapshot(makeTrace({{"a", 0, 100}}, false));
        }
        while (!options.stop.stop_requested()) {
            std::this_thread::sleep_for(1ms);
        }
        return fail("stopped", ErrorKind::Cancelled);
    }
    if (path.starts_with("bad")) {
        return fail(path + ": no trace");
    }
    return smallTrace();
}

QVariant sampleFor(QMetaType type) {
    switch (type.id()) {
        case QMetaType::QByteArray:
            return QByteArray("\x00\x01 layout", 9);
        case QMetaType::QStringList:
            return QStringList({"/a b/ü.json", "/c,d"});
        case QMetaType::QString:
            return QStringLiteral("some, text");
        default:
            return {};
    }
}

}  // namespace

class SessionTest final : public QObject {
    Q_OBJECT

private slots:
    void init() { failOnQtWarnings(); }

    void filesLoadInTheOrderAskedFor() {
        TraceLoader loader(fakeLoad);
        QSignalSpy loaded(&loader, &TraceLoader::loaded);
        QSignalSpy failed(&loader, &TraceLoader::failed);
        QSignalSpy idle(&loader, &TraceLoader::idle);
        loader.open({"one", "bad", "two", "one"});
        QVERIFY(idle.wait());
        QCOMPARE(loaded.size(), 2);
        QCOMPARE(loaded[0][0].toString(), QStringLiteral("one"));
        QCOMPARE(loaded[1][0].toString(), QStringLiteral("two"));
        QCOMPARE(failed.size(), 1);
        QCOMPARE(failed[0][1].toString(), QStringLiteral("bad: no trace"));
        QVERIFY(!loader.isLoading());
    }

    void tracesComeWithTheirLayout() {
        TraceLoader loader(fakeLoad);
        ViewState view;
        Session session(view);
        std::vector<std::shared_ptr<TraceLayout>> made;
        connect(&loader, &TraceLoader::loaded, &loader,
                [&](const QString& path, const auto& trace, const auto& layout) {
                    QVERIFY(layout != nullptr);
                    QCOMPARE(&layout->lanes.trace(), trace.get());
                    QCOMPARE(layout->lanes.laneCount(0), std::size_t{1});
                    made.push_back(layout);
                    session.add(path, trace, layout);
                });
        QSignalSpy idle(&loader, &TraceLoader::idle);
        loader.open({"one", "two"});
        QVERIFY(idle.wait());
        QCOMPARE(made.size(), std::size_t{2});
        QCOMPARE(view.layout(), made[1]);
        // Nothing is worked out again when another run comes to the front.
        session.setCurrent(0);
        QCOMPARE(view.layout(), made[0]);
        session.close(0);
        session.close(0);
        QVERIFY(view.layout() == nullptr);
    }

    void layoutsHaveTheStripsOfEveryGpu() {
        TraceBuilder builder;
        for (const std::int32_t gpu : {1, 0}) {
            SliceInput slice;
            slice.track = builder.track({false, gpu}, {false, 7});
            slice.start = 100 * gpu;
            slice.duration = 50;
            slice.name = builder.name(gpu == 0 ? "ampere_sgemm_32x32" : "fill");
            slice.category = static_cast<CategoryId>(Category::Kernel);
            GpuOperation operation;
            operation.slice = builder.addSlice(slice);
            operation.gpu = gpu;
            builder.addGpuOperation(operation);
        }
        const auto layout = layOutTrace(builder.finish());
        QCOMPARE(layout->strips.size(), std::size_t{2});
        QCOMPARE(layout->strips[0].gpu, 0);
        QCOMPARE(layout->strips[0].busy->busyIn({0, 1000}), 50.0);
        QCOMPARE(layout->strips[0].mmConv->busyIn({0, 1000}), 50.0);
        QCOMPARE(layout->strips[1].busy->busyIn({100, 120}), 20.0);
        QVERIFY(layout->strips[1].mmConv->empty());
        QVERIFY(layOutTrace(nullptr) == nullptr);
    }

    void progressIsToldWhileReading() {
        TraceLoader loader(fakeLoad);
        QSignalSpy progressed(&loader, &TraceLoader::progressed);
        loader.open({"slow"});
        QTRY_VERIFY(!progressed.isEmpty() && progressed.last()[1].toULongLong() == 1000);
        QCOMPARE(progressed.last()[0].toULongLong(), 250ULL);
    }

    void snapshotsAreToldWhileReading() {
        TraceLoader loader(fakeLoad);
        QSignalSpy grown(&loader, &TraceLoader::grown);
        loader.open({"slow"});
        QTRY_COMPARE(grown.size(), 1);
        QCOMPARE(grown[0][0].toString(), QStringLiteral("slow"));
        const auto trace = grown[0][1].value<std::shared_ptr<const kinetoscope::trace::Trace>>();
        QVERIFY(trace && !trace->isComplete());
    }

    void aGrowingTraceKeepsFillingTheView() {
        ViewState view;
        Session session(view);
        QSignalSpy runs(&session, &Session::runsChanged);
        session.grow("/x/big.json", makeTrace({{"a", 0, 100}}, false));
        QCOMPARE(runs.size(), 1);
        session.grow("/x/big.json", makeTrace({{"a", 0, 100}, {"b", 500, 500}}, false));
        QVERIFY(view.visible() == view.fitSpan());
        QVERIFY(view.visible().end >= 1000);
        QVERIFY(!session.reports().busy() && !session.reports().report());
        view.setVisible({100, 300});
        view.select(1);
        session.grow("/x/big.json", makeTrace({{"a", 0, 100}, {"b", 500, 900}}, false));
        QVERIFY((view.visible() == TimeSpan{100, 300}));
        QCOMPARE(view.selected(), SliceId{1});
        session.add("/x/big.json", smallTrace());
        QVERIFY((view.visible() == TimeSpan{100, 300}));
        QCOMPARE(view.selected(), SliceId{1});
        QCOMPARE(session.runs().size(), std::size_t{1});
        QTRY_VERIFY(session.reports().report());
    }

    void aTraceGrowsBehindAnotherOne() {
        ViewState view;
        Session session(view);
        session.grow("/x/big.json", makeTrace({{"a", 0, 100}}, false));
        session.add("/x/other.json", smallTrace());
        session.grow("/x/big.json", makeTrace({{"a", 0, 100}, {"b", 500, 900}}, false));
        QCOMPARE(session.current()->title, QStringLiteral("other.json"));
        QCOMPARE(session.runs()[0].trace->sliceCount(), std::size_t{3});
    }

    void aTraceIsShortenedWhereItStands() {
        ViewState view;
        Session session(view);
        session.grow("/x/live", smallTrace());
        view.select(1);
        session.add("/x/other.json", smallTrace());
        view.select(0);
        session.grow("/x/live", makeTrace({{"b", 500, 900}, {"c", 1500, 10}}, true, 1));
        QCOMPARE(session.current()->title, QStringLiteral("other.json"));
        QCOMPARE(view.selected(), SliceId{0});
        session.setCurrent(0);
        QCOMPARE(view.selected(), kNoSlice);
        view.select(1);
        session.grow("/x/live", makeTrace({{"c", 1500, 10}, {"d", 1600, 10}}, true, 2));
        QCOMPARE(view.selected(), kNoSlice);
        QCOMPARE(view.trace()->sliceCount(), std::size_t{3});
        QCOMPARE(session.runs().size(), std::size_t{2});
    }

    void cancelTakesEffectAtOnceAndNothingIsDelivered() {
        TraceLoader loader(fakeLoad);
        QSignalSpy loaded(&loader, &TraceLoader::loaded);
        QSignalSpy failed(&loader, &TraceLoader::failed);
        QSignalSpy cancelled(&loader, &TraceLoader::cancelled);
        loader.open({"slow", "never"});
        QTest::qWait(20);
        loader.cancel();
        QVERIFY(!loader.isLoading());
        QCOMPARE(cancelled.size(), 1);
        QTest::qWait(60);
        QCOMPARE(loaded.size() + failed.size(), 0);
        loader.open({"after"});
        QTRY_COMPARE(loaded.size(), 1);
    }

    void aLoaderMayGoWhileItReads() {
        auto loader = std::make_unique<TraceLoader>(fakeLoad);
        QSignalSpy loaded(loader.get(), &TraceLoader::loaded);
        loader->open({"slow"});
        QTest::qWait(10);
        loader.reset();
        QTest::qWait(20);
        QCOMPARE(loaded.size(), 0);
    }

    void aResultWaitingInTheMailboxIsDroppedByCancel() {
        int delivered = 0;
        LatestTask<int> task([&](const Result<int>&) { ++delivered; });
        std::atomic<bool> done{false};
        task.start([&](const std::stop_token&) {
            done = true;
            return 1;
        });
        while (!done) {
            std::this_thread::sleep_for(1ms);
        }
        std::this_thread::sleep_for(20ms);  // the result is in the mailbox, not taken yet
        task.cancel();
        QTest::qWait(30);
        QCOMPARE(delivered, 0);
    }

    void theNewestTaskWins() {
        std::vector<int> delivered;
        LatestTask<int> task([&](const Result<int>& value) { delivered.push_back(*value); });
        task.start([](const std::stop_token& stop) {
            while (!stop.stop_requested()) {
                std::this_thread::sleep_for(1ms);
            }
            return 1;
        });
        QTest::qWait(10);
        task.start([](const std::stop_token&) {
            std::this_thread::sleep_for(30ms);  // time for the first result to come through
            return 2;
        });
        QVERIFY(task.busy());
        QTRY_VERIFY(!task.busy());
        QTest::qWait(20);
        QCOMPARE(delivered, std::vector<int>{2});
    }

    void aRunKeepsItsViewWhileAnotherIsShown() {
        ViewState view;
        Session session(view);
        session.add("/x/first.json", smallTrace());
        const TimeSpan zoomed{100, 300};
        view.setVisible(zoomed);
        view.select(1);
        view.setWindow({.kind = WindowKind::Trace, .step = 0, .range = {}});
        session.add("/x/second.json", smallTrace());
        QCOMPARE(session.currentIndex(), 1);
        QVERIFY(view.visible() == view.fitSpan());
        QCOMPARE(view.selected(), kNoSlice);
        session.setCurrent(0);
        QVERIFY(view.visible() == zoomed);
        QCOMPARE(view.selected(), SliceId{1});
        QVERIFY(view.window().kind == WindowKind::Trace);
    }

    void aFileReadAgainKeepsTheViewButNotTheSelection() {
        ViewState view;
        Session session(view);
        session.add("/x/first.json", smallTrace());
        view.setVisible({100, 300});
        view.select(1);
        session.add("/x/first.json", smallTrace());
        QCOMPARE(session.runs().size(), std::size_t{1});
        QVERIFY((view.visible() == TimeSpan{100, 300}));
        QCOMPARE(view.selected(), kNoSlice);
    }

    void closingShowsTheNeighbourAndThenNothing() {
        ViewState view;
        Session session(view);
        session.add("/x/one.json", smallTrace());
        session.add("/y/one.json", smallTrace());
        QCOMPARE(session.runs()[0].title, QStringLiteral("x/one.json"));
        session.close(1);
        QCOMPARE(session.currentIndex(), 0);
        QCOMPARE(session.current()->title, QStringLiteral("one.json"));
        QVERIFY(view.trace() == session.current()->trace);
        session.close(0);
        QCOMPARE(session.currentIndex(), -1);
        QVERIFY(!view.trace());
    }

    void closingAFileBehindKeepsTheOneInFront() {
        ViewState view;
        Session session(view);
        session.add("/x/one.json", smallTrace());
        session.add("/x/two.json", smallTrace());
        session.add("/x/three.json", smallTrace());
        session.setCurrent(1);
        QSignalSpy current(&session, &Session::currentChanged);
        session.close(0);
        QCOMPARE(session.current()->title, QStringLiteral("two.json"));
        QVERIFY(view.trace() == session.current()->trace);
        QCOMPARE(current.size(), 0);
    }

    void theReportFollowsWindowAndGrouping() {
        ViewState view;
        ReportRunner runner(view);
        view.setTrace(smallTrace());
        QTRY_VERIFY(runner.report());
        QCOMPARE(runner.report()->gpus.at(0).busyNs, TimeNs{600});
        view.selectRange(TimeSpan{0, 200});
        QTRY_COMPARE(runner.report()->gpus.at(0).busyNs, TimeNs{100});
        view.selectRange(TimeSpan{400, 1000});
        QTRY_COMPARE(runner.report()->gpus.at(0).busyNs, TimeNs{500});
        runner.setGroup(GroupBy::Stream);
        QTRY_VERIFY(runner.report()->group == GroupBy::Stream);
        view.selectRange(std::nullopt);
        QVERIFY(view.window().kind == WindowKind::Gpu);
        view.setTrace(nullptr);
        QVERIFY(!runner.report());
    }

    void aReportNobodyWaitsForIsStopped() {
        ViewState view;
        std::atomic<bool> started = false;
        std::atomic<bool> stopped = false;
        const auto make = [&](const Trace&, const ReportOptions& options) -> Result<Report> {
            started = true;
            while (!options.stop.stop_requested()) {
                std::this_thread::yield();
            }
            stopped = true;
            return makeReport(*smallTrace(), options);
        };
        {
            ReportRunner runner(view, make);
            view.setTrace(smallTrace());
            QTRY_VERIFY(started);
        }
        QVERIFY(stopped);
        std::stop_source source;
        source.request_stop();
        const auto cancelled =
            makeReport(*smallTrace(), {.window = {}, .group = {}, .stop = source.get_token()});
        QVERIFY(!cancelled && cancelled.error().kind == ErrorKind::Cancelled);
    }

    void aWindowThatIsNotThereGivesAnError() {
        ViewState view;
        ReportRunner runner(view);
        view.setTrace(smallTrace());
        view.setWindow({.kind = WindowKind::Step, .step = 99, .range = {}});
        QTRY_VERIFY(!runner.busy());
        QVERIFY(!runner.report());
        QVERIFY(runner.error().contains("99"));
    }

    void everySettingSurvivesARestart() {
        const QTemporaryDir folder;
        const QString ini = folder.filePath("settings.ini");
        {
            Settings settings(ini);
            QVERIFY(!settings.all().empty());
            for (SettingBase* setting : settings.all()) {
                const QVariant sample = sampleFor(setting->type());
                QVERIFY2(sample.isValid(), qPrintable(setting->key()));
                setting->store(sample);
            }
        }
        Settings again(ini);
        QStringList keys;
        for (SettingBase* setting : again.all()) {
            QCOMPARE(setting->stored(), sampleFor(setting->type()));
            QVERIFY2(!keys.contains(setting->key()), qPrintable(setting->key()));
            keys.append(setting->key());
        }
        QCOMPARE(again.recentFiles.value(), QStringList({"/a b/ü.json", "/c,d"}));
    }

    void settingsBeginWithTheirFallbacks() {
        Settings settings{Settings::InMemory{}};
        QCOMPARE(settings.theme.value(), QStringLiteral("system"));
        QVERIFY(settings.recentFiles.value().isEmpty());
    }

    void recentFilesAreFewAndNewestFirst() {
        Settings settings{Settings::InMemory{}};
        for (int i = 0; i < 15; ++i) {
            addRecentFile(settings, QStringLiteral("/t/%1.json").arg(i));
        }
        addRecentFile(settings, "/t/10.json");
        const QStringList files = settings.recentFiles.value();
        QCOMPARE(files.size(), kMaxRecentFiles);
        QCOMPARE(files[0], QStringLiteral("/t/10.json"));
        QCOMPARE(files.count("/t/10.json"), 1);
        removeRecentFile(settings, "/t/10.json");
        QVERIFY(!settings.recentFiles.value().contains("/t/10.json"));
    }
    // The caller has its vector registers' upper halves in use, as after drawing.
    void workersStartWithClearVectorRegisters() {
#if defined(__x86_64__)
        unsigned a = 0;
        unsigned b = 0;
        unsigned c = 0;
        unsigned d = 0;
        if (!__builtin_cpu_supports("avx") || !__get_cpuid_count(13, 1, &a, &b, &c, &d) ||
            (a & 4U) == 0) {
            QSKIP("this CPU does not tell which registers are in use");
        }
        std::atomic<unsigned> inUse = 0;
        LatestTask<int> task([](const Result<int>&) {});
        asm volatile("vpcmpeqd %%ymm14, %%ymm14, %%ymm14" ::: "xmm14");
        task.start([&](const std::stop_token&) {
            unsigned low = 0;
            unsigned high = 0;
            asm volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(1));
            inUse = low | 1U;
            return 0;
        });
        QTRY_VERIFY(inUse != 0);
        QCOMPARE(inUse & 4U, 0U);
#endif
    }
};

QTEST_GUILESS_MAIN(SessionTest)
#include "SessionTest.moc"
