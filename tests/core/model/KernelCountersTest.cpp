// SPDX-License-Identifier: Apache-2.0
// Sampled counters of a GPU, averaged over its kernels.
#include <QtTest>
#include <cmath>
#include <random>
#include <string>

#include "core/report/Report.h"
#include "tests/support/TraceText.h"

using namespace kinetoscope;
using namespace kinetoscope::model;

namespace {

std::string kernel(const char* name, double ts, double dur, int gpu = 0, int stream = 7) {
    return QStringLiteral(R"({"ph": "X", "cat": "kernel", "name": "%1", "pid": %4, "tid": %5,
        "ts": %2, "dur": %3, "args": {"device": %4, "stream": %5}})")
        .arg(name)
        .arg(ts, 0, 'f', 3)
        .arg(dur, 0, 'f', 3)
        .arg(gpu)
        .arg(stream)
        .toStdString();
}

std::string sample(const char* series, double ts, double value, int gpu = 0) {
    return QStringLiteral(R"({"ph": "C", "name": "DRAM", "pid": %4, "ts": %2, "args": {"%1": %3}})")
        .arg(series)
        .arg(ts, 0, 'f', 3)
        .arg(value, 0, 'g', 17)
        .arg(gpu)
        .toStdString();
}

report::Report reportOf(const std::vector<std::string>& events) {
    std::string text = "{\"traceEvents\": [";
    for (const std::string& event : events) {
        text += (text.back() == '[' ? "" : ",\n") + event;
    }
    const auto trace = test::importText(text + "]}");
    return report::makeReport(**trace).value();
}

}  // namespace

class KernelCountersTest final : public QObject {
    Q_OBJECT

private slots:
    void meansAreWeightedByTime() {
        // 100 from 0 to 30 µs, then 400.
        const auto report =
            reportOf({kernel("copy", 10, 40), sample("read", 0, 100), sample("read", 30, 400),
                      sample("read", 31, 400), sample("read", 90, 0)});
        QCOMPARE(report.counters.size(), std::size_t{1});
        const GpuCounters& gpu = report.counters.front();
        QCOMPARE(gpu.names.front().counter, std::string("DRAM"));
        QCOMPARE(gpu.names.front().series, std::string("read"));
        QCOMPARE(gpu.kernels.size(), std::size_t{1});
        QCOMPARE(gpu.kernels[0].count, std::uint64_t{1});
        QCOMPARE(gpu.kernels[0].timeNs, TimeNs{40'000});
        QCOMPARE(gpu.kernels[0].means[0], 250.0);
    }

    void timeBeforeTheFirstSampleDoesNotCount() {
        const auto report =
            reportOf({kernel("copy", 10, 40), sample("read", 30, 400), sample("read", 31, 400)});
        QCOMPARE(report.counters.front().kernels[0].means[0], 400.0);
    }

    void shortAndSharedKernelsAreLeftOut() {
        const auto report =
            reportOf({kernel("short", 0, 49), kernel("under", 100, 100),
                      kernel("over", 150, 100, 0, 8), kernel("alone", 300, 50),
                      sample("read", 0, 1), sample("read", 10, 2), sample("read", 400, 0)});
        QCOMPARE(report.counters.front().kernels.size(), std::size_t{1});
        QCOMPARE(report.counters.front().kernels[0].timeNs, TimeNs{50'000});
    }

    void seriesOfWhichNoKernelIsLongEnoughAreLeftOut() {
        const auto report =
            reportOf({kernel("copy", 0, 50), sample("read", 0, 1), sample("read", 10, 1),
                      sample("slow", 0, 7), sample("slow", 11, 7)});
        QCOMPARE(report.counters.front().names.size(), std::size_t{1});
        QCOMPARE(report.counters.front().names[0].series, std::string("read"));
        QCOMPARE(report.counters.front().kernels[0].means.size(), std::size_t{1});
    }

    void countersOfOtherRowsAreNotTheGpus() {
        QVERIFY(reportOf({kernel("copy", 10, 40), sample("read", 0, 1, 3), sample("read", 1, 2, 3)})
                    .counters.empty());
        QVERIFY(reportOf({kernel("copy", 10, 40)}).counters.empty());
        QVERIFY(reportOf({sample("read", 0, 1), sample("read", 1, 2)}).counters.empty());
    }

    // Nanosecond by nanosecond, on small random traces.
    void meansEqualThoseOfEveryNanosecond() {
        std::mt19937 random(7);
        for (int round = 0; round < 50; ++round) {
            std::vector<std::string> events;
            std::vector<double> values(2000, std::nan(""));  // by nanosecond
            double now = std::nan("");
            for (std::size_t ns = random() % 50; ns < values.size(); ++ns) {
                if (ns % 20 == 0) {
                    now = static_cast<double>(random() % 1000);
                    events.push_back(sample("read", static_cast<double>(ns) * 1e-3, now));
                }
                values[ns] = now;
            }
            const std::size_t start = random() % 500;
            const std::size_t length = 100 + random() % 1200;
            events.push_back(kernel("copy", static_cast<double>(start) * 1e-3,
                                    static_cast<double>(length) * 1e-3));
            double sum = 0.0;
            double count = 0.0;
            for (std::size_t ns = start; ns < start + length; ++ns) {
                if (!std::isnan(values[ns])) {
                    sum += values[ns];
                    count += 1.0;
                }
            }
            const auto report = reportOf(events);
            QCOMPARE(report.counters.size(), std::size_t{1});
            const double mean = report.counters.front().kernels[0].means[0];
            QVERIFY(std::abs(mean - sum / count) < 1e-9);
        }
    }
};

QTEST_GUILESS_MAIN(KernelCountersTest)
#include "KernelCountersTest.moc"
