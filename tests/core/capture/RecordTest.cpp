// SPDX-License-Identifier: Apache-2.0
// kscope record from end to end, with a fake driver and a fake CUPTI.
#include <sys/mount.h>
#include <unistd.h>

#include <QtTest>
#include <algorithm>
#include <map>
#include <set>

#include "core/import/load/LoadTrace.h"
#include "core/query/LaunchLinks.h"

using namespace kinetoscope;
using namespace kinetoscope::import;
using namespace kinetoscope::trace;

class RecordTest : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    QProcessEnvironment m_environment = QProcessEnvironment::systemEnvironment();

    struct Run {
        int exitCode = -1;
        QByteArray output;
        QByteArray errors;
    };

    Run run(const QStringList& arguments) {
        QProcess process;
        process.setProcessEnvironment(m_environment);
        process.start(QStringLiteral(KINETOSCOPE_KSCOPE), arguments);
        if (!process.waitForFinished(60'000)) {
            process.kill();
            process.waitForFinished();
            return {-2, process.readAllStandardOutput(), "hangs"};
        }
        return {process.exitCode(), process.readAllStandardOutput(),
                process.readAllStandardError()};
    }

    QString path(const QString& name) const { return m_folder.filePath(name); }

    Run record(const QStringList& options, const QString& out, const QString& steps) {
        QStringList arguments{"record", "-o", path(out)};
        arguments << options << "--" << QStringLiteral(KINETOSCOPE_RECORDED_PROGRAM)
                  << steps.split(' ');
        return run(arguments);
    }

    QStringList captures(const QString& folder) const {
        const QDir dir(path(folder));
        QStringList paths;
        for (const QString& name : dir.entryList({"*.kscope"}, QDir::Files, QDir::Name)) {
            if (!name.startsWith("counters.")) {
                paths << dir.filePath(name);
            }
        }
        return paths;
    }

    std::shared_ptr<const Trace> load(const QString& file) const {
        auto trace = loadTrace(file.toStdString());
        return trace ? *trace : nullptr;
    }

    static std::size_t named(const Trace& trace, std::string_view name) {
        std::size_t count = 0;
        for (SliceId slice = 0; slice < trace.sliceCount(); ++slice) {
            count += trace.name(slice) == name ? 1U : 0U;
        }
        return count;
    }

private slots:
    void init() {
        m_environment = QProcessEnvironment::systemEnvironment();
        m_environment.insert("KINETOSCOPE_CUPTI", KINETOSCOPE_FAKE_CUPTI);
        m_environment.insert("KINETOSCOPE_INJECT", KINETOSCOPE_INJECT_LIBRARY);
        m_environment.insert("KINETOSCOPE_NVML", "/nowhere/libnvidia-ml.so");
    }

    void everyLaunchOfBothVersions_data() {
        QTest::addColumn<QString>("version");
        QTest::newRow("CUDA 12.6") << "24";
        QTest::newRow("CUDA 13.0") << "130001";
    }
    void everyLaunchOfBothVersions() {
        QFETCH(QString, version);
        m_environment.insert("FAKE_CUPTI_VERSION", version);
        const QString out = "version" + version;
        const Run result = record({}, out, "launch 20000 exit 7");
        QCOMPARE(result.exitCode, 7);
        QCOMPARE(captures(out).size(), 1);
        const auto trace = load(captures(out).first());
        QVERIFY(trace != nullptr);
        QCOMPARE(trace->gpuOperations().size(), 20000U);
        QCOMPARE(named(*trace, "cudaLaunchKernel"), 20000U);
        QCOMPARE(named(*trace, "addKernel(float*, float*, int)"), 20000U);
        QVERIFY(trace->log().empty());
        // Two blocks of 128 threads on each of 132 multiprocessors.
        QCOMPARE(trace->gpuOperations()[0].occupancyPercent, std::int16_t{13});
    }

    // The program runs our callbacks where it launches: they may not allocate and not lock.
    void callbacksAllocateAndLockNothing() {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
        QSKIP("sanitizers replace the functions that are counted");
#endif
        const Run result = record({}, "path", "watch launch 50000 count");
        QCOMPARE(result.exitCode, 0);
        const QList<QByteArray> words = result.output.split(' ');
        QVERIFY2(words.size() >= 6, result.output);
        QVERIFY(words[1].toInt() > 100'000);
        QCOMPARE(words[3], QByteArray("0"));
        QCOMPARE(words[5].trimmed(), QByteArray("0"));
    }

    void rangesAndMarksStandOnTheirThread() {
        QCOMPARE(record({}, "ranges", "range outer launch 3 range inner launch 2 end end mark here")
                     .exitCode,
                 0);
        const auto trace = load(captures("ranges").first());
        QVERIFY(trace != nullptr);
        QCOMPARE(named(*trace, "outer"), 1U);
        QCOMPARE(named(*trace, "inner"), 1U);
        QCOMPARE(trace->instants().size(), 1U);
        // Each call knows the range around it.
        std::map<std::int64_t, int> calls;
        std::map<std::int64_t, std::string> ranges;
        for (SliceId slice = 0; slice < trace->sliceCount(); ++slice) {
            if (trace->category(slice) == Category::Runtime) {
                ++calls[trace->externalId(slice)];
            } else if (trace->category(slice) == Category::UserAnnotation) {
                ranges[trace->externalId(slice)] = trace->name(slice);
            }
        }
        for (const auto& [id, name] : ranges) {
            QCOMPARE(calls[id], name == "outer" ? 3 : 2);
        }
    }

    // A domain's ranges nest for themselves, whatever is open in others.
    void rangesOfDomainsEndApart() {
        const QString steps =
            "range plain open a first open b second close a launch 1 close a end launch 2 close b";
        QCOMPARE(record({}, "domains", steps).exitCode, 0);
        const auto trace = load(captures("domains").first());
        QVERIFY(trace != nullptr);
        std::map<std::string, TimeSpan> spans;
        std::map<std::string, int> launches;
        std::map<std::int64_t, std::string> names;
        for (SliceId slice = 0; slice < trace->sliceCount(); ++slice) {
            if (trace->category(slice) == Category::UserAnnotation) {
                names[trace->externalId(slice)] = trace->name(slice);
                spans[std::string(trace->name(slice))] = trace->span(slice);
            }
        }
        for (SliceId slice = 0; slice < trace->sliceCount(); ++slice) {
            if (trace->category(slice) == Category::Runtime) {
                ++launches[names[trace->externalId(slice)]];
            }
        }
        QCOMPARE(spans.size(), 3U);
        QVERIFY(spans["first"].end <= spans["plain"].end);
        QVERIFY(spans["plain"].end <= spans["second"].end);
        QCOMPARE(launches["second"], 3);
    }

    void workKnowsTheRangeOfItsLaunch() {
        QCOMPARE(record({}, "external", "range outer launch 3 end launch 2").exitCode, 0);
        QCOMPARE(run({"convert", path("external"), path("external.json")}).exitCode, 0);
        for (const QString& file : {captures("external").first(), path("external.json")}) {
            const auto trace = load(file);
            QVERIFY(trace != nullptr);
            std::map<std::int64_t, std::int64_t> rangeOfCall;
            for (SliceId slice = 0; slice < trace->sliceCount(); ++slice) {
                if (trace->category(slice) == Category::Runtime) {
                    rangeOfCall[trace->correlation(slice)] = trace->externalId(slice);
                }
            }
            int inside = 0;
            for (const GpuOperation& operation : trace->gpuOperations()) {
                const std::int64_t range = trace->externalId(operation.slice);
                QCOMPARE(range, rangeOfCall[trace->correlation(operation.slice)]);
                inside += range == kNoId ? 0 : 1;
            }
            QCOMPARE(inside, 3);
        }
    }

    void gpusAreDescribedWithTheirClocks() {
        m_environment.insert("KINETOSCOPE_NVML", KINETOSCOPE_FAKE_NVML);
        record({}, "clocks", "launch 5");
        const auto trace = load(captures("clocks").first());
        QVERIFY(trace != nullptr && trace->info().devices.size() == 1);
        const QByteArray json = QByteArray::fromStdString(trace->info().devices[0].json);
        const QJsonObject gpu = QJsonDocument::fromJson(json).object();
        QCOMPARE(gpu["smClockMHz"].toInt(), 1755);
        QCOMPARE(gpu["maxSmClockMHz"].toInt(), 1980);
        QCOMPARE(gpu["memoryClockMHz"].toInt(), 3201);
        QVERIFY(!gpu.contains("powerMilliwatts"));
        QCOMPARE(gpu["maxThreadsPerMultiprocessor"].toInt(), 2048);
    }

    void gpusAreKnownWhenCuptiComesLate() {
        m_environment.insert("FAKE_CUPTI_LATE", "1");
        record({"--paused"}, "late", "launch 5 start launch 3");
        const auto trace = load(captures("late").first());
        QVERIFY(trace != nullptr);
        QCOMPARE(trace->gpuOperations().size(), 3U);
        QCOMPARE(trace->info().devices.size(), 1U);
        const DeviceProperties& gpu = trace->info().devices[0];
        QCOMPARE(gpu.name, std::string("Fake GPU of the driver"));
        QCOMPARE(gpu.multiprocessors, 132);
        QCOMPARE(gpu.maxThreadsPerMultiprocessor, 1024);
        QVERIFY2(gpu.json.find("2424242424") != std::string::npos, gpu.json.c_str());
    }

    // As torchrun, mpirun and srun start their ranks.
    void ranksOfALauncherAreInFileAndName_data() {
        QTest::addColumn<QString>("rank");
        QTest::addColumn<QString>("size");
        QTest::newRow("torchrun") << "RANK"
                                  << "WORLD_SIZE";
        QTest::newRow("mpirun") << "OMPI_COMM_WORLD_RANK"
                                << "OMPI_COMM_WORLD_SIZE";
        QTest::newRow("mpich") << "PMI_RANK"
                               << "PMI_SIZE";
        QTest::newRow("srun") << "SLURM_PROCID"
                              << "SLURM_NTASKS";
    }
    void ranksOfALauncherAreInFileAndName() {
        QFETCH(QString, rank);
        QFETCH(QString, size);
        const QString out = "ranks_" + rank;
        const QString script =
            QStringLiteral("for r in 0 1; do %1=$r %2=2 '%3' launch 1$r & done; wait")
                .arg(rank, size, QStringLiteral(KINETOSCOPE_RECORDED_PROGRAM));
        QCOMPARE(run({"record", "-o", path(out), "--", "sh", "-c", script}).exitCode, 0);
        QCOMPARE(captures(out).size(), 2);
        for (int i = 0; i < 2; ++i) {
            QVERIFY2(captures(out)[i].contains(QStringLiteral(".rank%1.").arg(i)),
                     qPrintable(captures(out)[i]));
            const auto trace = load(captures(out)[i]);
            QVERIFY(trace != nullptr && trace->info().distributed);
            QCOMPARE(trace->info().distributed->rank, i);
            QCOMPARE(trace->info().distributed->worldSize, 2);
            QCOMPARE(trace->gpuOperations().size(), static_cast<std::size_t>(10 + i));
        }
        // Both in one trace, named, and on streams of their own where they share a GPU.
        const auto both = load(path(out));
        QVERIFY(both != nullptr);
        QCOMPARE(both->gpuOperations().size(), 21U);
        std::set<std::int64_t> streams;
        for (const GpuOperation& operation : both->gpuOperations()) {
            streams.insert(operation.stream);
        }
        QCOMPARE(streams, (std::set<std::int64_t>{7, 100'007}));
        QVERIFY(std::ranges::any_of(both->processes(), [&](const Process& process) {
            return both->text(process.name) == "recorded_program (rank 1)";
        }));
    }

    void aFullDiskEndsTheRecordingAndNothingElse() {
        const QString disk = path("disk");
        QDir().mkpath(disk);
        if (::geteuid() != 0 ||
            ::mount("tmpfs", disk.toUtf8().constData(), "tmpfs", 0, "size=2m") != 0) {
            QSKIP("a small disk can only be mounted by root, outside of most containers");
        }
        const auto unmount = qScopeGuard([&] { ::umount(disk.toUtf8().constData()); });
        const Run result = record({}, "disk/run", "launch 30000 unrecorded exit 5");
        QCOMPARE(result.exitCode, 5);
        QVERIFY2(result.errors.contains("No space left on device"), result.errors);
        const auto trace = load(captures("disk/run").first());
        QVERIFY(trace != nullptr);
        QVERIFY(trace->gpuOperations().size() > 1000);
        QVERIFY(trace->gpuOperations().size() < 30000);
        QVERIFY(trace->log().find("capture_unfinished") != nullptr);
        QVERIFY(trace->log().find("capture_cut") == nullptr);
    }

    // Memory for the conversion of a capture does not grow with its length.
    void aCaptureLargerThanMemoryIsConverted() {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
        QSKIP("sanitizers need address space of their own");
#endif
        QString steps;
        for (int i = 0; i < 30; ++i) {
            steps += QStringLiteral("launch 20000 sleep 20 ");
        }
        record({}, "large", steps.trimmed());
        const QFileInfo capture(captures("large").first());
        constexpr qint64 kLimitKiB = 80 * 1024;
        QVERIFY2(capture.size() > kLimitKiB * 1024, qPrintable(QString::number(capture.size())));
        QProcess process;
        process.start("sh", {"-c", QStringLiteral("ulimit -v %1; exec '%2' convert '%3' '%4'")
                                       .arg(kLimitKiB)
                                       .arg(QStringLiteral(KINETOSCOPE_KSCOPE), capture.filePath(),
                                            path("large.json.gz"))});
        QVERIFY(process.waitForFinished(120'000));
        QVERIFY2(process.exitCode() == 0, process.readAllStandardError());
        QVERIFY(QFileInfo(path("large.json.gz")).size() > 1'000'000);
    }

    void otherToolsAreLeftAlone() {
        m_environment.insert("NV_TPS_LAUNCH_TOKEN", "1");
        const Run result = record({}, "tool", "launch 5 exit 6");
        QCOMPARE(result.exitCode, 6);
        QVERIFY2(result.errors.contains("not recording: Nsight Compute"), result.errors);
        QVERIFY(!QFileInfo::exists(path("tool")));
        m_environment.remove("NV_TPS_LAUNCH_TOKEN");
        m_environment.insert("CUDA_INJECTION64_PATH", "/opt/other.so");
        QVERIFY(record({}, "tool", "launch 5").errors.contains("not recording: /opt/other.so"));
    }

    void onlyTheChosenRangeIsRecorded() {
        record({"--range", "step_2"}, "chosen",
               "launch 5 range step_1 launch 5 end range step_2 "
               "launch 4 end launch 5");
        const auto trace = load(captures("chosen").first());
        QVERIFY(trace != nullptr);
        QCOMPARE(trace->gpuOperations().size(), 4U);
        QCOMPARE(named(*trace, "step_1"), 0U);
    }

    void programStartsAndStops() {
        record({"--paused"}, "paused", "launch 9 start launch 4 stop launch 9");
        const auto trace = load(captures("paused").first());
        QVERIFY(trace != nullptr);
        QCOMPARE(trace->gpuOperations().size(), 4U);
    }

    void socketStartsAndStops() {
        QProcess process;
        process.setProcessEnvironment(m_environment);
        process.start(
            QStringLiteral(KINETOSCOPE_KSCOPE),
            {"record", "-o", path("socket"), "--paused", "--", KINETOSCOPE_RECORDED_PROGRAM,
             "launch", "9", "touch", path("launched"), "recorded", "launch", "4"});
        QTRY_VERIFY(QFile::exists(path("launched")));
        const QFileInfo socket(path("socket/control.sock"));
        QCOMPARE(socket.permissions() & 0x77, QFile::Permissions());
        QCOMPARE(run({"record", "--send", "start", "-o", path("socket")}).exitCode, 0);
        QVERIFY(process.waitForFinished(30'000));
        const auto trace = load(captures("socket").first());
        QVERIFY(trace != nullptr);
        QCOMPARE(trace->gpuOperations().size(), 4U);
        QCOMPARE(run({"record", "--send", "stop", "-o", path("socket")}).exitCode, 2);
    }

    void levelOneHasKernelsOnly() {
        record({"--level", "1"}, "level", "launch 10");
        const auto trace = load(captures("level").first());
        QVERIFY(trace != nullptr);
        QCOMPARE(trace->sliceCount(), 10U);
    }

    // As JAX and Triton start them; other calls of the driver are too many.
    void copiesOfTheDriverHaveTheirCalls() {
        for (const char* level : {"1", "2", "3"}) {
            const QString name = QStringLiteral("driver") + level;
            record({"--level", level}, name, "copy 5");
            const auto trace = load(captures(name).first());
            QVERIFY(trace != nullptr);
            QCOMPARE(trace->gpuOperations().size(), 5U);
            const std::size_t calls = level[0] == '1' ? 0 : 5;
            QCOMPARE(named(*trace, "cuMemcpyHtoDAsync_v2"), calls);
            QCOMPARE(trace->sliceCount(), 5 + calls);
            const query::LaunchLinks links(*trace);
            for (GpuOpId operation = 0; operation < 5; ++operation) {
                QCOMPARE(links.apiCall(operation) != kNoSlice, calls > 0);
            }
        }
    }

    void kernelsAreChosenByName() {
        record({"--kernel", "^nothing"}, "filter", "launch 10");
        const auto trace = load(captures("filter").first());
        QVERIFY(trace != nullptr);
        QCOMPARE(trace->gpuOperations().size(), 0U);
        QCOMPARE(named(*trace, "cudaLaunchKernel"), 10U);
    }

    void recordingStopsAtItsSize() {
        const Run result =
            record({"--max-size", "1M"}, "size", "launch 20000 unrecorded launch 20000");
        QVERIFY2(result.errors.contains("size limit"), result.errors);
        const auto trace = load(captures("size").first());
        QVERIFY(trace != nullptr);
        QVERIFY(trace->log().find("size_limit") != nullptr);
        QCOMPARE(trace->gpuOperations().size(), 20000U);
    }

    void childOfAForkStaysSilent() {
        const Run result = record({}, "fork", "launch 5 fork 7 launch 5");
        QCOMPARE(result.exitCode, 0);
        QVERIFY2(!result.errors.contains("warning") && !result.errors.contains("kinetoscope:"),
                 result.errors);
        QCOMPARE(captures("fork").size(), 1);
        const auto trace = load(captures("fork").first());
        QVERIFY(trace != nullptr);
        QCOMPARE(trace->gpuOperations().size(), 10U);
    }

    void childrenWriteTheirOwnFile() {
        QCOMPARE(record({}, "exec", "launch 5 exec launch 7").exitCode, 0);
        QCOMPARE(captures("exec").size(), 2);
        std::vector<std::size_t> counts;
        for (const QString& file : captures("exec")) {
            counts.push_back(load(file)->gpuOperations().size());
        }
        std::ranges::sort(counts);
        QCOMPARE(counts, (std::vector<std::size_t>{5, 7}));
    }

    void processesBecomeOneTrace() {
        QCOMPARE(record({}, "both.json", "launch 5 exec launch 7").exitCode, 0);
        const auto trace = load(path("both.json"));
        QVERIFY(trace != nullptr);
        QVERIFY(trace->log().empty());
        QCOMPARE(trace->gpuOperations().size(), 12U);
        std::set<std::int64_t> correlations;
        for (const GpuOperation& operation : trace->gpuOperations()) {
            correlations.insert(trace->correlation(operation.slice));
        }
        QCOMPARE(correlations.size(), 12U);
        // Nothing but the trace stays behind.
        QCOMPARE(QDir(m_folder.path()).entryList({"both*"}, QDir::AllEntries).size(), 1);
    }

    void convertedTraceEqualsTheCapture() {
        record({}, "equal", "range outer launch 50 end");
        const auto capture = load(captures("equal").first());
        QCOMPARE(run({"convert", path("equal"), path("equal.json.gz")}).exitCode, 0);
        const auto json = load(path("equal.json.gz"));
        QVERIFY(capture != nullptr && json != nullptr);
        QVERIFY(json->log().empty());
        QCOMPARE(json->sliceCount(), capture->sliceCount());
        QCOMPARE(json->info().baseTimeNs, capture->info().baseTimeNs);
        for (SliceId slice = 0; slice < json->sliceCount(); ++slice) {
            QCOMPARE(json->span(slice), capture->span(slice));
            QCOMPARE(json->name(slice), capture->name(slice));
            QCOMPARE(json->category(slice), capture->category(slice));
            QCOMPARE(json->correlation(slice), capture->correlation(slice));
            QCOMPARE(json->externalId(slice), capture->externalId(slice));
        }
        QCOMPARE(json->counts().launchFlows, 100U);
    }

    void capturesThatCannotBeReadAreNamed() {
        record({}, "partly", "launch 5");
        QFile::link(path("nowhere"), path("partly/lost.kscope"));
        QFile(path("partly/empty.kscope")).open(QIODevice::WriteOnly);
        const Run report = run({"report", path("partly")});
        QCOMPARE(report.exitCode, 0);
        QVERIFY2(report.errors.contains("2 captures could not be read"), report.errors);
        QVERIFY2(report.errors.contains("/lost.kscope': does not exist"), report.errors);
        QVERIFY2(report.errors.contains("/empty.kscope': is a capture without"), report.errors);
        QVERIFY2(report.output.contains("none skipped, 2 captures unreadable"), report.output);
        const Run json = run({"report", "--json", path("partly")});
        QVERIFY(json.output.contains("capture_unreadable"));
        const Run compared = run({"compare", path("partly"), path("partly")});
        QCOMPARE(compared.errors.count("2 captures could not be read"), 2);
        const Run converted = run({"convert", path("partly"), path("partly.json")});
        QCOMPARE(converted.exitCode, 2);
        QVERIFY2(converted.errors.contains("empty.kscope"), converted.errors);
        QVERIFY(!QFileInfo::exists(path("partly.json")));
    }

    void killedProgramLeavesACapture() {
        const Run result = record({}, "kill", "launch 1000 captured 160000 kill");
        QCOMPARE(result.exitCode, 128 + 9);
        const auto trace = load(captures("kill").first());
        QVERIFY(trace != nullptr);
        QCOMPARE(trace->gpuOperations().size(), 1000U);
        QVERIFY(trace->log().find("capture_unfinished") != nullptr);
    }

    void heldCuptiIsNamedAndLeftAlone() {
        m_environment.insert("FAKE_CUPTI_HOLDER", "Nsight Systems");
        const Run result = record({}, "held", "launch 5 exit 3");
        QCOMPARE(result.exitCode, 3);
        QVERIFY2(result.errors.contains("CUPTI is held by Nsight Systems"), result.errors);
        QVERIFY(captures("held").isEmpty());
    }

    void anotherProfilerTakesOverUnharmed() {
        const Run result = record({}, "aside", "launch 5 profile 6");
        QCOMPARE(result.exitCode, 0);
        // Six kernels of its own, each 216 bytes, and no buffer of ours.
        QVERIFY2(result.output.contains("foreign 0"), result.output);
        QVERIFY2(result.output.contains("others bytes 1296"), result.output);
        QVERIFY2(result.errors.contains("uses CUPTI itself"), result.errors);
        const auto trace = load(captures("aside").first());
        QVERIFY(trace != nullptr);
        QCOMPARE(trace->gpuOperations().size(), 5U);
        QVERIFY(trace->log().find("stepped_aside") != nullptr);
        QVERIFY(trace->log().find("missing_buffers") == nullptr);
    }

    // Its buffers are freed: one of ours among them would end the program.
    void aProfilerThatLooksFunctionsUpTakesOverUnharmed() {
        const Run result = record({}, "xla", "launch 5 xla 6 recorded launch 7");
        QCOMPARE(result.exitCode, 0);
        QVERIFY2(result.output.contains("others bytes 1296 foreign 0"), result.output);
        QVERIFY2(result.errors.contains("again: libxla.so has ended") ||
                     result.errors.contains("again: recorded_program has ended"),
                 result.errors);
        const auto trace = load(captures("xla").first());
        QVERIFY(trace != nullptr);
        QCOMPARE(trace->gpuOperations().size(), 12U);
        QVERIFY(trace->log().find("missing_buffers") == nullptr);
    }

    void recordingGoesOnWhenTheOtherProfilerHasEnded() {
        const Run result = record({}, "back", "launch 5 profile 6 recorded launch 7");
        QVERIFY2(result.errors.contains("again: recorded_program has ended"), result.errors);
        const auto trace = load(captures("back").first());
        QVERIFY(trace != nullptr);
        QCOMPARE(trace->gpuOperations().size(), 12U);
        QVERIFY(trace->log().find("missing_buffers") == nullptr);
    }

    // Twice: our own buffers are in between.
    void anotherProfilerMayComeAgain() {
        const Run result = record({}, "twice", "launch 5 profile 6 recorded launch 7 profile 8");
        QVERIFY2(result.output.count("foreign 0") == 2, result.output);
        QVERIFY2(result.output.contains("others bytes 3024"), result.output);
        QCOMPARE(load(captures("twice").first())->gpuOperations().size(), 12U);
    }

    // The driver would refuse it another copy.
    void protonWorksWithTheCuptiInUse() {
        const Run result = record({}, "proton", "launch 5 proton launch 6");
        QCOMPARE(result.exitCode, 0);
        QVERIFY2(result.output.contains("proton uses /") && result.output.contains("cupti"),
                 result.output);
        QVERIFY2(result.errors.contains("libproton.so uses CUPTI itself"), result.errors);
        const auto trace = load(captures("proton").first());
        QCOMPARE(trace->gpuOperations().size(), 5U);
        QVERIFY(trace->log().find("stepped_aside") != nullptr);
    }

    void protonHasItsOwnCuptiWhereNothingWasRecorded() {
        const Run result = record({"--paused"}, "proton2", "launch 5 proton launch 6");
        QVERIFY2(result.output.contains("proton uses none"), result.output);
    }

    void whatIsNeverStartedLeavesNothing() {
        const Run result = record({"--paused"}, "never", "launch 9");
        QCOMPARE(result.exitCode, 0);
        QVERIFY(result.errors.contains("nothing was recorded"));
        QVERIFY(!QFileInfo::exists(path("never")));
    }

    void missingCuptiIsSaid() {
        m_environment.insert("KINETOSCOPE_CUPTI", "/nowhere/libcupti.so");
        const Run result = record({}, "missing", "exit 4");
        QCOMPARE(result.exitCode, 4);
        QVERIFY2(result.errors.contains("no libcupti.so.13 was found"), result.errors);
    }

    void mistakesOfThePersonAreSaid() {
        QCOMPARE(run({"record"}).exitCode, 2);
        QVERIFY(run({"record", "-o", path("x"), "--", "/no/such/program"})
                    .errors.contains("/no/such/program"));
        QVERIFY(!QFileInfo::exists(path("x")));
        QVERIFY(record({"--level", "9"}, "y", "exit 0").errors.contains("0 to 4"));
        QVERIFY(record({"--delay", "soon"}, "y", "exit 0").errors.contains("--delay 'soon'"));
        // At once, and not when CUDA starts.
        for (const QStringList& wrong : {QStringList{"--kernel", "(a"}, {"--kernel", "a{99999}"}}) {
            const Run result = record(wrong, "y", "exit 0");
            QCOMPARE(result.exitCode, 2);
            QVERIFY2(result.errors.contains("is not a regular expression"), result.errors);
        }
        for (const char* value : {"nan", "inf", "infinity", "-1", "1e400", "0x1p3", "1e-400"}) {
            for (const char* option : {"--max-size=", "--delay=", "--duration="}) {
                const Run result = record({QByteArray(option) + value}, "y", "exit 0");
                QCOMPARE(result.exitCode, 2);
                QVERIFY2(result.errors.contains("' is not a "), result.errors);
            }
        }
        QCOMPARE(record({"--duration=0.1ms"}, "y", "exit 0").exitCode, 2);
        QVERIFY(!QFileInfo::exists(path("y")));
        QVERIFY(run({"convert", path("nothing.kscope"), path("z.json")}).exitCode == 2);
        QVERIFY(run({"record", "-o", path("none"), "--", "true"})
                    .errors.contains("nothing was recorded"));
    }
};

QTEST_GUILESS_MAIN(RecordTest)
#include "RecordTest.moc"
