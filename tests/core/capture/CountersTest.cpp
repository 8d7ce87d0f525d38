// SPDX-License-Identifier: Apache-2.0
// The GPUs' own counters beside a recorded program, with a fake driver, CUPTI and NVML.
#include <QtTest>
#include <map>
#include <string>
#include <vector>

#include "core/capture/counters/CounterRequest.h"
#include "core/import/load/LoadTrace.h"

using namespace kinetoscope;
using namespace kinetoscope::capture::counters;
using namespace kinetoscope::trace;

namespace {

using Samples = std::vector<CounterSample>;

// By "counter: series".
std::map<std::string, Samples> seriesOf(const Trace& trace) {
    std::map<std::string, Samples> result;
    for (const CounterSample& sample : trace.counters()) {
        const std::string counter(trace.rowIdText(trace.tracks()[sample.track].tid));
        result[counter + ": " + std::string(trace.text(sample.series))].push_back(sample);
    }
    return result;
}

}  // namespace

class CountersTest : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    QProcessEnvironment m_environment;

    QString path(const QString& name) const { return m_folder.filePath(name); }

    // What kscope says on its error output; the program's exit code must be its own.
    QByteArray record(const QStringList& options, const QString& out, const QString& steps) {
        QProcess process;
        process.setProcessEnvironment(m_environment);
        process.start(QStringLiteral(KINETOSCOPE_KSCOPE),
                      QStringList{"record", "-o", path(out)} + options + QStringList{"--"} +
                          QStringList{QStringLiteral(KINETOSCOPE_RECORDED_PROGRAM)} +
                          steps.split(' '));
        if (!process.waitForFinished(60'000)) {
            process.kill();
            process.waitForFinished();
            return "hangs";
        }
        return process.exitCode() == 3 ? process.readAllStandardError() : "another exit code";
    }

    std::shared_ptr<const Trace> counters(const QString& folder) const {
        const QDir dir(path(folder));
        const QStringList names = dir.entryList({"counters.*.kscope"}, QDir::Files);
        if (names.size() != 1) {
            return nullptr;
        }
        auto trace = import::loadTrace(dir.filePath(names.first()).toStdString());
        return trace ? *trace : nullptr;
    }

private slots:
    void init() {
        m_environment = QProcessEnvironment::systemEnvironment();
        m_environment.insert("KINETOSCOPE_CUPTI", KINETOSCOPE_FAKE_CUPTI);
        m_environment.insert("KINETOSCOPE_INJECT", KINETOSCOPE_INJECT_LIBRARY);
        m_environment.insert("KINETOSCOPE_NVML", "/nowhere/libnvidia-ml.so");
        m_environment.insert("LD_LIBRARY_PATH", KINETOSCOPE_FAKE_DRIVER_FOLDER);
    }

    void wordsAndIntervals() {
        const auto dram = parseCounterRequest("dram");
        QVERIFY(dram && dram->groups.size() == 1);
        QCOMPARE(dram->interval, TimeNs{20'000});
        const auto many = parseCounterRequest("tensor,dram,tensor");
        QVERIFY(many && many->groups.size() == 2);
        QCOMPARE(many->interval, TimeNs{100'000});
        QCOMPARE(parseCounterRequest("sm:2ms")->interval, TimeNs{2'000'000});
        QCOMPARE(parseCounterRequest("sm:50us")->interval, TimeNs{50'000});
        for (const char* wrong :
             {"", "dram,", "l2", "dram:", "dram:4us", "dram:101ms", "dram:20ns",
              "dram:9223372036854775807ms", ":20us", "dram:-5us", "dram:2e3us"}) {
            QVERIFY2(!parseCounterRequest(wrong), wrong);
        }
    }

    void samplesBecomeTracksInTheirUnits() {
        const QByteArray said =
            record({"--counters", "dram,tensor:1ms"}, "plain", "launch 5 sleep 300 exit 3");
        QVERIFY2(!said.contains("--counters"), said);
        const auto trace = counters("plain");
        QVERIFY(trace != nullptr);
        QVERIFY(trace->log().empty());
        const auto series = seriesOf(*trace);
        QCOMPARE(series.size(), std::size_t{3});
        const auto value = [&](const char* name) {
            const auto found = series.find(name);
            return found == series.end() ? -1.0 : found->second.front().value;
        };
        QCOMPARE(value("DRAM bandwidth (GB/s): read"), 100.0);
        QCOMPARE(value("DRAM bandwidth (GB/s): write"), 50.0);
        QCOMPARE(value("Tensor cores (%): active"), 25.0);
        // A value that stays is written once.
        QCOMPARE(series.at("Tensor cores (%): active").size(), std::size_t{1});
        QCOMPARE(trace->info().devices.size(), std::size_t{1});
        QCOMPARE(trace->info().devices[0].name, std::string("Fake GPU of the driver"));
    }

    void sensorsAreSampledWithoutAsking() {
        m_environment.insert("KINETOSCOPE_NVML", KINETOSCOPE_FAKE_NVML);
        record({}, "sensors", "launch 5 sleep 300 exit 3");
        const auto trace = counters("sensors");
        QVERIFY(trace != nullptr);
        const auto series = seriesOf(*trace);
        QCOMPARE(series.size(), std::size_t{4});  // the fake tells no power
        QCOMPARE(series.at("Clocks (MHz): SM").front().value, 1755.0);
        QCOMPARE(series.at("Clocks (MHz): memory").front().value, 3201.0);
        QCOMPARE(series.at("Temperature (°C): GPU").front().value, 41.0);
        QCOMPARE(series.at("Memory in use (bytes): all processes").front().value, 4096.0);
    }

    void whatDoesNotFitIsLeftOutAndSaid() {
        const QByteArray said =
            record({"--counters", "dram,pcie,nvlink"}, "passes", "launch 5 sleep 100 exit 3");
        QVERIFY2(said.contains("'pcie' cannot be measured together"), said);
        QVERIFY2(said.contains("(FAKE) does not measure 'nvlink'"), said);
        const auto trace = counters("passes");
        QVERIFY(trace != nullptr);
        QCOMPARE(seriesOf(*trace).size(), std::size_t{2});
    }

    void whyNothingIsSampledIsSaid_data() {
        QTest::addColumn<QString>("mode");
        QTest::addColumn<QByteArray>("line");
        QTest::newRow("not permitted")
            << "denied" << QByteArray("NVreg_RestrictProfilingToAdminUsers=0");
        QTest::newRow("in use") << "busy" << QByteArray("another program uses the GPU's counters");
    }
    void whyNothingIsSampledIsSaid() {
        QFETCH(QString, mode);
        QFETCH(QByteArray, line);
        m_environment.insert("FAKE_PM", mode);
        const QByteArray said = record({"--counters", "dram"}, mode, "launch 5 exit 3");
        QVERIFY2(said.contains(line), said);
    }

    void anOverflowIsALossAndTheIntervalGrows() {
        m_environment.insert("FAKE_PM", "overflow");
        const QByteArray said =
            record({"--counters", "dram:1ms"}, "overflow", "launch 5 sleep 300 exit 3");
        QVERIFY2(said.contains("continuing with one every 2000 µs"), said);
        QVERIFY2(!said.contains("cuptiPmSamplingStart"), said);
        const auto trace = counters("overflow");
        QVERIFY(trace != nullptr);
        QCOMPARE(trace->counters().size(), std::size_t{2});
        QCOMPARE(trace->log().sorted().front().name, std::string("counters_incomplete"));
        QVERIFY(trace->log().sorted().front().severity == Severity::DataLoss);
    }

    void whatNeverCameIsALoss() {
        m_environment.insert("FAKE_PM", "lossy");
        const QByteArray said =
            record({"--counters", "dram:1ms"}, "lossy", "launch 5 sleep 300 exit 3");
        QVERIFY2(said.contains("ms are missing: they came faster"), said);
        const auto trace = counters("lossy");
        QVERIFY(trace != nullptr && trace->log().find("counters_incomplete") != nullptr);
    }

    void aTraceOfTheProgramHoldsThemToo() {
        record({"--counters", "dram"}, "whole.json", "launch 5 sleep 300 exit 3");
        const auto trace = import::loadTrace(path("whole.json").toStdString());
        QVERIFY(trace.has_value());
        QCOMPARE((*trace)->gpuOperations().size(), std::size_t{5});
        QCOMPARE(seriesOf(**trace).at("DRAM bandwidth (GB/s): read").front().value, 100.0);
    }

    void withoutAGpuNothingIsSampled() {
        m_environment.remove("LD_LIBRARY_PATH");
        const QByteArray said = record({"--counters", "dram"}, "none", "launch 5 exit 3");
        QVERIFY2(said.contains("there is no CUDA driver"), said);
        QVERIFY(counters("none") == nullptr);
    }

    void nothingIsWrittenWhereNothingIsRecorded() {
        record({"--counters", "dram", "--paused"}, "never", "launch 5 exit 3");
        QVERIFY(!QFileInfo::exists(path("never")));
    }
};

QTEST_GUILESS_MAIN(CountersTest)
#include "CountersTest.moc"
