// SPDX-License-Identifier: Apache-2.0
// Pictures of counters against a reading that looks at every sample.
#include <QTest>
#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "core/query/CounterView.h"
#include "core/trace/TraceBuilder.h"

using namespace kinetoscope;
using namespace kinetoscope::query;

namespace {

struct Told {
    TimeNs time;
    double value;
};

std::shared_ptr<const trace::Trace> traceOf(const std::vector<Told>& samples) {
    trace::TraceBuilder builder;
    const trace::TrackId track =
        builder.track({false, 1}, {true, builder.name("c")}, trace::TrackKind::Counter);
    for (const Told& sample : samples) {
        builder.addCounter({sample.time, track, builder.name("v"), sample.value, 0});
    }
    return builder.finish();
}

// Column by column, each sample looked at.
std::vector<CounterColumn> plainColumns(std::vector<Told> samples, TimeSpan view,
                                        std::int32_t columns) {
    std::ranges::stable_sort(samples, {}, &Told::time);
    std::vector<CounterColumn> found;
    for (const Told& sample : samples) {
        if (sample.time <= view.start) {
            found = {{0, sample.value, sample.value, sample.value}};
            continue;
        }
        if (sample.time >= view.end) {
            break;
        }
        const double share =
            static_cast<double>(sample.time - view.start) / static_cast<double>(view.duration());
        const auto column = static_cast<std::int32_t>(std::floor(share * columns));
        if (found.empty() || found.back().column != column) {
            found.push_back({column, sample.value, sample.value, sample.value});
        }
        found.back().least = std::min(found.back().least, sample.value);
        found.back().most = std::max(found.back().most, sample.value);
        found.back().last = sample.value;
    }
    return found;
}

}  // namespace

class CounterViewTest final : public QObject {
    Q_OBJECT

private slots:
    void everyViewIsWhatItsSamplesSay() {
        std::mt19937_64 random(20);
        for (int round = 0; round < 300; ++round) {
            const std::size_t count = random() % 64;  // no column is crowded
            const TimeNs length = 1 + static_cast<TimeNs>(random() % 5'000);
            std::vector<Told> samples;
            for (std::size_t i = 0; i < count; ++i) {  // many at the same time, in any order
                samples.push_back(
                    {static_cast<TimeNs>(random() % static_cast<std::uint64_t>(length)),
                     static_cast<double>(random() % 1'000) - 300.0});
            }
            if (round % 3 == 0) {
                std::ranges::stable_sort(samples, {}, &Told::time);
            }
            const auto trace = traceOf(samples);
            const TrackMarks marks(*trace);
            if (samples.empty()) {
                QVERIFY(marks.counters(0).empty());
                continue;
            }
            const CounterSeries& series = marks.counters(0).front();
            QCOMPARE(series.samples.size(), samples.size());
            for (int view = 0; view < 8; ++view) {
                const TimeNs start = static_cast<TimeNs>(random() % 6'000) - 500;
                const TimeSpan span{start, start + 1 + static_cast<TimeNs>(random() % 6'000)};
                const auto columns = static_cast<std::int32_t>(1 + random() % 50);
                QVERIFY(counterColumns(*trace, series, span, columns) ==
                        plainColumns(samples, span, columns));
            }
        }
    }

    // Columns that are cut between blocks: every sample counts in one of them, its own or the one
    // before.
    void crowdedColumnsLoseNothing() {
        std::mt19937_64 random(21);
        for (int round = 0; round < 40; ++round) {
            std::vector<Told> samples;
            const std::size_t count = 2'000 + random() % 6'000;
            const TimeNs length = 10'000;
            for (std::size_t i = 0; i < count; ++i) {
                samples.push_back({static_cast<TimeNs>(random() % 10'000),
                                   static_cast<double>(random() % 1'000'000)});
            }
            std::ranges::stable_sort(samples, {}, &Told::time);
            const auto trace = traceOf(samples);
            const TrackMarks marks(*trace);
            const TimeSpan view{static_cast<TimeNs>(random() % 100) - 50, length};
            const auto columns = static_cast<std::int32_t>(1 + random() % 25);
            const auto found = counterColumns(*trace, marks.counters(0).front(), view, columns);
            const auto plain = plainColumns(samples, view, columns);
            double most = 0.0;
            for (const CounterColumn& column : found) {
                most = std::max(most, column.most);
            }
            double plainMost = 0.0;
            for (const CounterColumn& column : plain) {
                plainMost = std::max(plainMost, column.most);
                // What belongs to a column is in it or in the one before.
                const auto holds = [&](const CounterColumn& other) {
                    return (other.column == column.column || other.column + 1 == column.column) &&
                           other.least <= column.most && column.most <= other.most;
                };
                QVERIFY(std::ranges::any_of(found, holds));
            }
            QCOMPARE(most, plainMost);
            QCOMPARE(found.back().last, plain.back().last);
            QVERIFY(
                std::ranges::is_sorted(found, std::ranges::less_equal(), &CounterColumn::column));
        }
    }

    void peaksAndScaleAreThoseOfAllSamples() {
        std::vector<Told> samples;
        for (int i = 0; i < 1'000; ++i) {
            samples.push_back({i, 100.0 + i % 50});
        }
        samples[777].value = 5'000.0;
        samples[800].value = 5'000.0;
        samples[3].value = -2.0;
        const auto trace = traceOf(samples);
        const TrackMarks marks(*trace);
        const CounterSeries& series = marks.counters(0).front();
        QCOMPARE(series.highest, 777U);  // the first of equals
        QCOMPARE(series.lowest, 3U);
        const CounterScale scale = counterScale(*trace, marks.counters(0));
        QCOMPARE(scale.least, -2.0);
        QCOMPARE(scale.most, 5'000.0);
        QCOMPARE(scale.heightOf(5'000.0), 1.0);
        QCOMPARE(scale.heightOf(-2.0), 0.0);
        QVERIFY(sampleAt(*trace, series, 776) == std::size_t{776});
        QVERIFY(sampleAt(*trace, series, 1'000'000) == std::size_t{999});
        QVERIFY(!sampleAt(*trace, series, -1));
        // Values that are all above zero still stand on zero.
        const auto high = traceOf({{0, 10.0}, {1, 30.0}});
        const CounterScale fromZero = counterScale(*high, TrackMarks(*high).counters(0));
        QCOMPARE(fromZero.least, 0.0);
        QCOMPARE(fromZero.heightOf(15.0), 0.5);
    }

    // Nanosecond by nanosecond.
    void meansHoldEachValueUntilTheNext() {
        std::mt19937_64 random(5);
        for (int round = 0; round < 300; ++round) {
            const auto trace = [&] {
                std::vector<Told> samples;
                for (std::size_t i = random() % 40 + 1; i > 0; --i) {
                    samples.push_back({static_cast<TimeNs>(random() % 100),
                                       static_cast<double>(random() % 1000)});
                }
                std::ranges::stable_sort(samples, {}, &Told::time);
                return traceOf(samples);
            }();
            const auto start = static_cast<TimeNs>(random() % 60);
            const TimeSpan time{start, start + 1 + static_cast<TimeNs>(random() % 60)};
            std::size_t inside = 0;
            double sum = 0.0;
            double count = 0.0;
            for (TimeNs at = time.start; at < time.end; ++at) {
                std::optional<double> value;
                for (const trace::CounterSample& sample : trace->counters()) {
                    value = sample.time <= at ? std::optional(sample.value) : value;
                    inside += sample.time == at ? 1 : 0;
                }
                sum += value.value_or(0.0);
                count += value ? 1.0 : 0.0;
            }
            const TrackMarks marks(*trace);
            const auto mean = meanOver(*trace, marks.counters(0).front(), time);
            QCOMPARE(mean.has_value(), inside >= kMinSamplesOfMean);
            QVERIFY(!mean || std::abs(*mean - sum / count) < 1e-9);
        }
    }

    void whatIsNoNumberIsLeftOut() {
        const double infinite = std::numeric_limits<double>::infinity();
        const auto trace =
            traceOf({{1, std::nan("")}, {2, 4.0}, {3, infinite}, {4, -infinite}, {5, 1.0}});
        const TrackMarks marks(*trace);
        const CounterSeries& series = marks.counters(0).front();
        QVERIFY(series.samples == (std::vector<std::uint32_t>{1, 4}));
        QVERIFY(marks.seriesOf(*trace, 0) == nullptr);
        QVERIFY(marks.seriesOf(*trace, 1) == &series);
        QVERIFY(marks.seriesOf(*trace, 99) == nullptr);
        const auto columns = counterColumns(*trace, series, {0, 10}, 10);
        QVERIFY(columns == (std::vector<CounterColumn>{{2, 4.0, 4.0, 4.0}, {5, 1.0, 1.0, 1.0}}));
        QVERIFY(counterColumns(*trace, series, {0, 0}, 10).empty());
        QVERIFY(counterColumns(*trace, series, {0, 10}, 0).empty());
        const auto none = traceOf({{1, infinite}});
        QVERIFY(TrackMarks(*none).counters(0).empty());
    }

    void manySeriesKeepTheirSamples() {
        trace::TraceBuilder builder;
        const trace::TrackId track =
            builder.track({false, 1}, {true, builder.name("c")}, trace::TrackKind::Counter);
        for (int i = 0; i < 3'000; ++i) {
            const NameId name = builder.name("s" + std::to_string(i % 30));
            builder.addCounter({i, track, name, static_cast<double>(i), 0});
        }
        const auto trace = builder.finish();
        const TrackMarks marks(*trace);
        QCOMPARE(marks.counters(track).size(), std::size_t{30});
        for (const CounterSeries& series : marks.counters(track)) {
            QCOMPARE(series.samples.size(), std::size_t{100});
            for (const std::uint32_t sample : series.samples) {
                QCOMPARE(trace->counters()[sample].series, series.name);
            }
        }
    }

    void bytesAreToldByTheirNames() {
        trace::TraceBuilder builder;
        const auto track = [&](const char* name) {
            return builder.track({false, 1}, {true, builder.name(name)}, trace::TrackKind::Counter);
        };
        const trace::TrackId memory = track("GPU 0 memory");
        const trace::TrackId read = track("Bytes read");
        const NameId total = builder.name("Total Allocated");
        const NameId other = builder.name("v");
        const auto trace = builder.finish();
        QVERIFY(countsBytes(*trace, memory, total));
        QVERIFY(countsBytes(*trace, read, other));
        QVERIFY(!countsBytes(*trace, memory, other));
    }
};

QTEST_APPLESS_MAIN(CounterViewTest)
#include "CounterViewTest.moc"
