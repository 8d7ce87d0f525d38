// SPDX-License-Identifier: GPL-3.0-or-later
// What goes on for long: files opened and closed again and again, and a recording that is followed
// while its program launches ten times as much as programs do.
//     KINETOSCOPE_TABS, KINETOSCOPE_TAB_ROUNDS, KINETOSCOPE_LIVE_SECONDS: longer
#include <fcntl.h>
#include <unistd.h>

#include <QFile>
#include <QTemporaryDir>
#include <atomic>
#include <fstream>
#include <thread>

#include "app/kinetoscope/MainWindow.h"
#include "core/base/ProcessMemory.h"
#include "core/stream/CaptureFormat.h"
#include "tests/Patience.h"
#include "tests/support/FreedMemory.h"
#include "tests/support/SampleCapture.h"
#include "widgets/session/programs/LiveFeed.h"

using namespace kinetoscope;
using namespace kinetoscope::app;
using namespace kinetoscope::session;
using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

namespace {

// What an eager program launches in a second that waits for nothing else.
constexpr std::int64_t kNormalLaunches = 10'000;
constexpr std::int64_t kLaunches = 10 * kNormalLaunches;
constexpr double kMiB = 1024.0 * 1024.0;

int setting(const char* name, int usual) {
    const int wanted = qEnvironmentVariableIntValue(name);
    return wanted > 0 ? wanted : usual;
}

double residentMiB() {
    return static_cast<double>(residentMemory()) / kMiB;
}

/// Launches and their kernels, from `first` on: two events each.
std::string launchRecords(std::int64_t first, std::int64_t count) {
    using namespace stream::format;
    constexpr std::int64_t kNs = 1'000'000'000 / kLaunches;
    std::string records;
    for (std::int64_t i = first; i < first + count; ++i) {
        auto call = makeRecord<ApiRecord>();
        call.thread = 4712;
        call.start = 2000 + i * kNs;
        call.end = call.start + kNs / 2;
        call.name = 2;
        call.correlation = static_cast<std::uint32_t>(i + 1);
        call.launches = 1;
        auto kernel = makeRecord<KernelRecord>();
        kernel.start = call.end + 1000;
        kernel.end = kernel.start + kNs / 2;
        kernel.stream = 7;
        kernel.correlation = call.correlation;
        kernel.name = 1;
        kernel.grid = {132, 2, 1};
        kernel.block = {256, 1, 1};
        records += test::bytesOf(call) + test::bytesOf(kernel);
    }
    return records;
}

/// Writes a capture as a recorded program does, in its time.
class LoadedProgram {
public:
    LoadedProgram(const QString& path, int seconds)
        : m_thread([this, name = path.toStdString(), seconds](const std::stop_token& stop) {
              write(name, seconds, stop);
          }) {}

    [[nodiscard]] std::int64_t launched() const { return m_launched; }
    [[nodiscard]] bool hasEnded() const { return m_ended; }

private:
    void write(const std::string& path, int seconds, const std::stop_token& stop) {
        using namespace stream::format;
        constexpr std::int64_t kParts = 20;           // of a second
        constexpr off_t kKeptBytes = off_t{4} << 30;  // of the file, which would fill the disk
        test::CaptureBytes bytes;
        bytes.add(ChunkType::Header, test::kSampleHeader)
            .add(ChunkType::Device, test::kSampleDevice)
            .add(ChunkType::Names, test::nameEntry(1, "void addKernel<float>(float*)") +
                                       test::nameEntry(2, "cudaLaunchKernel"));
        std::ofstream file(path, std::ios::binary);
        const int hole = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
        auto due = Clock::now();
        for (std::int64_t part = 0; part < seconds * kParts && !stop.stop_requested(); ++part) {
            bytes.add(ChunkType::Records,
                      launchRecords(part * kLaunches / kParts, kLaunches / kParts));
            file << bytes.take() << std::flush;
            m_launched += kLaunches / kParts;
            if (const auto end = static_cast<off_t>(file.tellp()); end > kKeptBytes) {
                // An hour of it is 70 GB, which only the reader needs, once.
                ::fallocate(hole, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0, end - kKeptBytes);
            }
            due += 1000ms / kParts;
            std::this_thread::sleep_until(due);
        }
        ::close(hole);
        m_ended = true;
    }

    std::atomic<std::int64_t> m_launched{0};
    std::atomic<bool> m_ended{false};
    std::jthread m_thread;
};

/// A window that follows such a program.
struct Followed {
    explicit Followed(int lasting) : seconds(lasting) {
        window.resize(1280, 800);
        window.show();
        QTest::qWait(100);
        test::releaseFreed();
        beforeMiB = residentMiB();
        QObject::connect(&feed, &LiveFeed::grown, &window,
                         [this](const auto& trace, const auto& layout) { take(trace, layout); });
        QObject::connect(&feed, &LiveFeed::finished, &window,
                         [this](const auto& trace, const auto& layout) {
                             take(trace, layout);
                             hasFinished = true;
                         });
        QObject::connect(&feed, &LiveFeed::failed, &window,
                         [this](const QString& why) { problem = why; });
    }

    /// To the end of the program, or until it cannot be followed any more.
    void follow() {
        LoadedProgram program(folder.filePath(QStringLiteral("train.1.1.kscope")), seconds);
        feed.start(folder.path());
        auto last = Clock::now();
        Clock::duration still{};
        const bool ended = waitFor(
            [&] {
                const auto now = Clock::now();
                still = std::max(still, now - last);
                last = now;
                if (program.hasEnded()) {
                    feed.finish();
                }
                mostMiB = std::max(mostMiB, residentMiB());
                return hasFinished || !problem.isEmpty();
            },
            kPatienceMs + 3000 * seconds);
        if (!ended) {
            problem = QStringLiteral("it does not come to an end");
        }
        m_launched = program.launched();
        stillMs = std::chrono::duration<double, std::milli>(still).count();
    }

    [[nodiscard]] std::int64_t launched() const { return m_launched; }
    /// Events.
    [[nodiscard]] std::size_t shown() { return trace().sliceCount(); }
    [[nodiscard]] std::size_t dropped() { return trace().counts().droppedEvents; }
    [[nodiscard]] std::size_t drops() { return trace().counts().drops; }
    [[nodiscard]] const trace::Trace& trace() { return *window.session().runs().front().trace; }

    int seconds;
    QTemporaryDir folder;
    Settings settings{Settings::InMemory{}};
    MainWindow window{settings};
    LiveFeed feed;
    double beforeMiB = 0.0;
    double mostMiB = 0.0;
    double stillMs = 0.0;
    std::size_t mostShown = 0;  ///< at once
    int pictures = 0;
    QString problem;
    bool hasFinished = false;

private:
    void take(const std::shared_ptr<const trace::Trace>& trace,
              const std::shared_ptr<TraceLayout>& layout) {
        window.session().grow(folder.path(), trace, layout);
        mostShown = std::max(mostShown, trace->sliceCount());
        ++pictures;
    }

    std::int64_t m_launched = 0;
};

}  // namespace

class EnduranceTest final : public QObject {
    Q_OBJECT

private slots:
    // After the first rounds, in which caches and pools fill, nothing more is kept of what was
    // open.
    void tabsLeaveNothing() {
        const int tabs = setting("KINETOSCOPE_TABS", 8);
        const int rounds = setting("KINETOSCOPE_TAB_ROUNDS", 12);
        const QTemporaryDir folder;
        QStringList paths;
        for (int i = 0; i < tabs; ++i) {
            paths << folder.filePath(QStringLiteral("trace%1.json.gz").arg(i));
            QVERIFY(QFile::copy(QStringLiteral(KINETOSCOPE_SOURCE_DIR "/resources/sample.json.gz"),
                                paths.back()));
        }
        Settings settings{Settings::InMemory{}};
        MainWindow window(settings);
        window.resize(1280, 800);
        window.show();
        std::vector<double> after;
        for (int round = 0; round < rounds; ++round) {
            window.openFiles(paths);
            QVERIFY(waitFor([&] {
                return window.session().runs().size() == static_cast<std::size_t>(tabs) &&
                       window.session().reports().report() != nullptr &&
                       !window.session().reports().busy();
            }));
            while (!window.session().runs().empty()) {
                window.session().close(0);
            }
            QTest::qWait(20);
            test::releaseFreed();
            after.push_back(residentMiB());
        }
        const auto third = static_cast<std::ptrdiff_t>(after.size() / 3);
        const double before = *std::max_element(after.begin(), after.begin() + third);
        const double last = *std::min_element(after.end() - third, after.end());
        qInfo("%d tabs, %d rounds: %.1f MiB after the first, %.1f after a third, %.1f at the end",
              tabs, rounds, after.front(), before, last);
        QVERIFY2(last < 1.03 * before + 2.0,
                 qPrintable(QStringLiteral("%1 MiB, then %2").arg(before).arg(last)));
    }

    // The window shows all of it, is never still for long, and takes so much memory for each event.
    // Where half of the machine's memory is too little, it shows the newest events.
    void aLoadedProgramIsFollowed() {
        Followed live(setting("KINETOSCOPE_LIVE_SECONDS", 4));
        live.follow();
        QVERIFY2(live.problem.isEmpty(), qPrintable(live.problem));
        QCOMPARE(live.shown() + live.dropped(), static_cast<std::size_t>(2 * live.launched()));
        const double bytes =
            (live.mostMiB - live.beforeMiB) * kMiB / static_cast<double>(live.mostShown);
        qInfo(
            "%d s, %zu events, %zu of them dropped at %zu times, %d pictures: %.0f MiB before, "
            "%.0f "
            "at most, %.0f bytes an event; still for %.0f ms at most",
            live.seconds, live.shown() + live.dropped(), live.dropped(), live.drops(),
            live.pictures, live.beforeMiB, live.mostMiB, bytes, live.stillMs);
        QVERIFY(live.pictures > 3);
        QVERIFY2(bytes < 600.0, qPrintable(QString::number(bytes)));
    }

    void theOldestEventsMakeRoom() {
        constexpr double kRoomMiB = 100.0;
        Followed live(4);
        live.feed.setMemoryLimit(static_cast<std::uint64_t>((live.beforeMiB + kRoomMiB) * kMiB));
        live.follow();
        QVERIFY2(live.problem.isEmpty(), qPrintable(live.problem));
        QVERIFY(live.drops() > 0);
        QCOMPARE(live.shown() + live.dropped(), static_cast<std::size_t>(2 * live.launched()));
        // Those that are left are the newest ones, and nothing of their time is missing.
        const trace::Trace& trace = live.trace();
        std::vector<std::int64_t> launches;
        for (trace::SliceId slice = 0; slice < trace.sliceCount(); ++slice) {
            if (trace.category(slice) == trace::Category::Kernel) {
                launches.push_back(trace.correlation(slice));
            }
        }
        QCOMPARE(launches.size(), trace.gpuOperations().size());
        std::ranges::sort(launches);
        QCOMPARE(launches.back(), live.launched());
        QCOMPARE(launches.back() - launches.front() + 1, static_cast<qint64>(launches.size()));
        // A reader that gets little of the processor reads much at once; all would need 350 MiB.
        QVERIFY2(live.mostMiB < live.beforeMiB + 2.0 * kRoomMiB,
                 qPrintable(QString::number(live.mostMiB - live.beforeMiB)));
    }

    void memoryEndsIt() {
        const QTemporaryDir folder;
        QString problem;
        LiveFeed feed;
        feed.setMemoryLimit(1);
        connect(&feed, &LiveFeed::failed, this, [&](const QString& why) { problem = why; });
        const LoadedProgram program(folder.filePath(QStringLiteral("train.1.1.kscope")), 1);
        feed.start(folder.path());
        QVERIFY(waitFor([&] { return !problem.isEmpty(); }));
        QVERIFY2(problem.contains("the recording goes on"), qPrintable(problem));
        QVERIFY(!feed.isRunning());
    }
};

QTEST_MAIN(EnduranceTest)
#include "EnduranceTest.moc"
