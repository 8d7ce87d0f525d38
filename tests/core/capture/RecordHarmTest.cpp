// SPDX-License-Identifier: Apache-2.0
// Whatever a program does and whatever it lacks: recorded, it ends as it does without us.
#include <sys/resource.h>
#include <unistd.h>

#include <QtTest>

#include "core/import/load/LoadTrace.h"

using namespace kinetoscope;
using namespace kinetoscope::import;
using namespace kinetoscope::trace;

class RecordHarmTest : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    QProcessEnvironment m_environment;

    struct Run {
        int exitCode = -1;
        QByteArray output;
        QByteArray errors;
    };

    QString path(const QString& name) const { return m_folder.filePath(name); }

    // `shell` runs before kscope does, in the same process: limits and redirections.
    Run record(const QString& shell, const QString& out, const QString& steps,
               const QString& options = {}) {
        return runShell(QStringLiteral("%1 '%2' record -o '%3' %4 -- '%5' %6")
                            .arg(shell, QStringLiteral(KINETOSCOPE_KSCOPE), path(out), options,
                                 QStringLiteral(KINETOSCOPE_RECORDED_PROGRAM), steps));
    }

    Run runShell(const QString& command) {
        QProcess process;
        process.setProcessEnvironment(m_environment);
        process.start("bash", {"-c", command});
        if (!process.waitForFinished(60'000)) {
            process.kill();
            process.waitForFinished();
            return {-2, process.readAllStandardOutput(), "hangs"};
        }
        return {process.exitCode(), process.readAllStandardOutput(),
                process.readAllStandardError()};
    }

    // The same without kscope: the library alone.
    Run inject(const QString& shell, const QString& out, const QString& steps) {
        QDir().mkpath(path(out));
        m_environment.insert("KINETOSCOPE_FOLDER", path(out));
        m_environment.insert("CUDA_INJECTION64_PATH", KINETOSCOPE_INJECT_LIBRARY);
        m_environment.insert("NVTX_INJECTION64_PATH", KINETOSCOPE_INJECT_LIBRARY);
        return runShell(QStringLiteral("%1 '%2' %3")
                            .arg(shell, QStringLiteral(KINETOSCOPE_RECORDED_PROGRAM), steps));
    }

    std::shared_ptr<const Trace> capture(const QString& folder) const {
        const QDir dir(path(folder));
        const QStringList names = dir.entryList({"*.kscope"}, QDir::Files);
        if (names.size() != 1) {
            return nullptr;
        }
        auto trace = loadTrace(dir.filePath(names.first()).toStdString());
        return trace ? *trace : nullptr;
    }

    QByteArray content(const QString& name) const {
        QFile file(path(name));
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray("missing");
    }

private slots:
    void init() {
        m_environment = QProcessEnvironment::systemEnvironment();
        m_environment.insert("KINETOSCOPE_CUPTI", KINETOSCOPE_FAKE_CUPTI);
        m_environment.insert("KINETOSCOPE_INJECT", KINETOSCOPE_INJECT_LIBRARY);
        m_environment.insert("KINETOSCOPE_NVML", "/nowhere/libnvidia-ml.so");
    }

    // Every number that the recorder had is the program's own now; the recording goes on under
    // another where one is free.
    void aProgramMayTakeEveryDescriptor_data() {
        QTest::addColumn<QString>("limit");
        QTest::addColumn<int>("first");
        QTest::addColumn<int>("last");
        QTest::addColumn<bool>("goesOn");
        QTest::newRow("some are left") << "ulimit -n 1024;" << 3 << 900 << true;
        QTest::newRow("none is left") << "ulimit -n 1024;" << 3 << 1023 << false;
        QTest::newRow("nor standard error") << "ulimit -n 1024;" << 0 << 1023 << false;
        QTest::newRow("a small limit") << "ulimit -n 64;" << 3 << 50 << true;
        QTest::newRow("a small limit, none is left") << "ulimit -n 64;" << 0 << 63 << false;
        QTest::newRow("all closed, a few opened") << "ulimit -n 1024;" << 0 << 20 << true;
    }
    void aProgramMayTakeEveryDescriptor() {
        QFETCH(QString, limit);
        QFETCH(int, first);
        QFETCH(int, last);
        QFETCH(bool, goesOn);
        // The sanitizer's search for leaks at the program's end would need a descriptor, too.
        m_environment.insert("ASAN_OPTIONS",
                             m_environment.value("ASAN_OPTIONS") + ":detect_leaks=0");
        const QString name = QStringLiteral("own%1").arg(qHash(QString(QTest::currentDataTag())));
        const Run result =
            record(limit, name,
                   QStringLiteral("launch 200 captured 16000 own '%1' %2 %3 launch 20000 sleep 400 "
                                  "launch 20000 exit 7")
                       .arg(path(name + ".own"))
                       .arg(first)
                       .arg(last));
        QCOMPARE(result.exitCode, 7);
        QCOMPARE(content(name + ".own"), QByteArray("mine\n"));
        const auto trace = capture(name);
        QVERIFY(trace != nullptr);
        QVERIFY(trace->log().find("capture_damaged") == nullptr);
        if (goesOn) {
            QCOMPARE(trace->gpuOperations().size(), 40'200U);
            QVERIFY(trace->log().find("capture_unfinished") == nullptr);
            QVERIFY(trace->log().find("descriptor_closed") != nullptr);
        } else {
            QVERIFY(trace->gpuOperations().size() >= 1);
            // The writer may have found a descriptor while the program was taking them.
            const bool wentOn = trace->log().find("capture_unfinished") == nullptr;
            QVERIFY(!wentOn || (trace->log().find("descriptor_closed") != nullptr &&
                                trace->gpuOperations().size() == 40'200U));
        }
        if (!goesOn && first > 2 && trace->log().find("capture_unfinished") != nullptr) {
            QVERIFY2(result.errors.contains("stopped recording"), result.errors);
        }
    }

    void descriptorsAreOutOfTheWay() {
        // What a shell or Python opens next has the number that it has without us.
        const Run result = record(
            {}, "numbers", "launch 5 captured 1 own " + path("numbers.own") + " 3 511 launch 5");
        QCOMPARE(result.exitCode, 0);
        QCOMPARE(content("numbers.own"), QByteArray("mine\n"));
        QCOMPARE(capture("numbers")->gpuOperations().size(), 10U);
    }

    void namesOfAnyLengthAreMatched() {
        const Run result =
            record({}, "wide", "wide 30000 wide 300000 launch 3 exit 4", "--kernel '^(w|x)+$'");
        QCOMPARE(result.exitCode, 4);
        QCOMPARE(capture("wide")->gpuOperations().size(), 2U);
    }

    void aThreadThatCannotStartCostsTheRecordingOnly() {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
        QSKIP("sanitizers replace the function that is made to fail");
#endif
        m_environment.insert("RECORDED_FAILS", "threads");
        const Run result = record({}, "threads", "launch 5 fork 3 exit 6");
        QCOMPARE(result.exitCode, 6);
        QCOMPARE(result.errors.count("not recording recorded_program"), 1);
    }

    // One after the other, and from each on. The first is the C++ library's own as it is loaded:
    // what it throws exceptions from where there is no memory.
    void anyAllocationOfTheRecorderMayFail() {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
        QSKIP("sanitizers replace the functions that are made to fail");
#endif
        const QString steps =
            "range outer launch 40 mark here end sleep 30 launch 40 fork 3 exit 6";
        for (int number = 2; number < 300; number += number < 60 ? 1 : 7) {
            for (const char* rest : {"", "+"}) {
                m_environment.insert("RECORDED_FAILS", QString::number(number) + rest);
                const Run result = record({}, QStringLiteral("memory%1%2").arg(number).arg(rest),
                                          steps, "--kernel add");
                QVERIFY2(result.exitCode == 6,
                         qPrintable(QStringLiteral("allocation %1%2: exit code %3, %4")
                                        .arg(number)
                                        .arg(rest)
                                        .arg(result.exitCode)
                                        .arg(QString(result.errors))));
            }
        }
    }

    void limitsOfTheSystemCostTheRecordingOnly_data() {
        QTest::addColumn<QString>("shell");
        QTest::newRow("files of 64 KiB") << "ulimit -f 64;";
        QTest::newRow("no files at all") << "ulimit -f 0;";
        QTest::newRow("little address space") << "ulimit -v 100000;";
        QTest::newRow("less address space") << "ulimit -v 40000;";
        QTest::newRow("a small stack") << "ulimit -s 128;";
        QTest::newRow("children are reaped") << "trap '' CHLD;";
    }
    void limitsOfTheSystemCostTheRecordingOnly() {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
        QSKIP("sanitizers need address space of their own");
#endif
        QFETCH(QString, shell);
        // Some records are left to be written when the program ends.
        const QString steps = "launch 300 sleep 60 launch 300 range here end exit 7";
        for (int i = 0; i < 5; ++i) {
            const QString out = QStringLiteral("limit%1_%2").arg(qHash(shell)).arg(i);
            const Run result = record(shell, out, steps);
            QVERIFY2(result.exitCode == 7,
                     qPrintable(QString::number(result.exitCode) + " " + QString(result.errors)));
        }
    }

    void messagesThatNobodyReadsAreNoHarm_data() {
        QTest::addColumn<QString>("shell");
        QTest::newRow("closed") << "exec 2>&-;";
        QTest::newRow("all closed") << "exec 0<&- 1>&- 2>&-;";
        QTest::newRow("a full device") << "exec 2>/dev/full;";
        QTest::newRow("a reader that has gone") << "exec 2> >(exec true); sleep 0.1;";
    }
    // The program writes nothing there, so without us it would never meet what is wrong with it.
    void messagesThatNobodyReadsAreNoHarm() {
        QFETCH(QString, shell);
        const auto removed = qScopeGuard([&] { m_environment.remove("FAKE_CUPTI_HOLDER"); });
        for (const char* holder : {"", "Nsight Systems"}) {
            if (*holder != '\0') {
                m_environment.insert("FAKE_CUPTI_HOLDER", holder);  // something to be told
            }
            const QString out = QStringLiteral("mute%1%2").arg(qHash(shell)).arg(qHash(holder));
            QCOMPARE(inject(shell, out, "launch 300 sleep 30 launch 300 exit 7").exitCode, 7);
            QCOMPARE(capture(out) != nullptr, *holder == '\0');
        }
    }

    // Nothing of ours can be taken for a library of the program's, and none of its for ours.
    void theLibraryLinksAndShowsLittle() {
        const Run needed =
            runShell(QStringLiteral("readelf -dW '%1' | sed -n 's/.*NEEDED.*\\[\\(.*\\)\\]/\\1/p'")
                         .arg(KINETOSCOPE_INJECT_LIBRARY));
        const Run shown =
            runShell(QStringLiteral("nm -D --defined-only '%1'").arg(KINETOSCOPE_INJECT_LIBRARY));
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
        QVERIFY(!needed.output.isEmpty());
        for (const QByteArray& library : needed.output.trimmed().split('\n')) {
            QVERIFY2(library.startsWith("libc.so") || library.startsWith("ld-linux") ||
                         library.startsWith("libm.so") || library.startsWith("libdl.so") ||
                         library.startsWith("libpthread.so"),
                     library);
        }
#endif
        QVERIFY(!shown.output.isEmpty());
        for (const QByteArray& line : shown.output.trimmed().split('\n')) {
            const QByteArray name = line.split(' ').last();
            QVERIFY2(
                name.startsWith("InitializeInjection") || name.startsWith("kinetoscope_inject_"),
                name);
        }
    }

    void aSignalIsTheProgramsEndAsAShellHasIt() {
        QCOMPARE(record({}, "signal", "launch 5 kill").exitCode, 128 + 9);
    }
};

QTEST_GUILESS_MAIN(RecordHarmTest)
#include "RecordHarmTest.moc"
