// SPDX-License-Identifier: Apache-2.0
#include <QDir>
#include <QtTest>
#include <vector>

#include "core/import/load/LoadTrace.h"
#include "core/query/LaneLayout.h"
#include "core/query/SlicesInView.h"

using namespace kinetoscope;
using namespace kinetoscope::import;
using namespace kinetoscope::query;
using namespace kinetoscope::trace;

/// Every trace file of the repository, laid out as the timeline does it.
class LaneTracesTest final : public QObject {
    Q_OBJECT

private slots:
    void noSliceIsDropped_data();
    void noSliceIsDropped();
};

void LaneTracesTest::noSliceIsDropped_data() {
    QTest::addColumn<QString>("path");
    const QDir root(QStringLiteral(KINETOSCOPE_SOURCE_DIR));
    for (const char* folder : {"resources", "tests/golden/traces"}) {
        const QDir dir(root.filePath(QString::fromLatin1(folder)));
        for (const QString& name : dir.entryList({"*.json.gz", "*_*.json", "no_gpu.json"})) {
            if (!name.endsWith(QLatin1String("_rules.json"))) {
                QTest::addRow("%s", qPrintable(name)) << dir.filePath(name);
            }
        }
    }
}

void LaneTracesTest::noSliceIsDropped() {
    QFETCH(QString, path);
    const auto trace = loadTrace(path.toStdString());
    QVERIFY(trace.has_value());
    LaneIndex index(*trace);
    index.layOutAll(2);
    std::vector<int> seen((*trace)->sliceCount());
    std::uint64_t drawn = 0;
    const TimeSpan extent = (*trace)->extent();
    for (TrackId track = 0; track < index.trackCount(); ++track) {
        for (std::size_t at = 0; at < index.laneCount(track); ++at) {
            const Lane lane = index.lane(track, at);
            TimeNs end = extent.start;
            for (const SliceId slice : lane.slices) {
                ++seen[slice];
                QVERIFY((*trace)->start(slice) >= end);
                end = (*trace)->end(slice);
            }
            for (const ViewItem& item :
                 slicesInView(**trace, lane, {extent.start, extent.end + 1}, 1'700)) {
                drawn += item.count;
            }
        }
    }
    QCOMPARE(std::count(seen.begin(), seen.end(), 1),
             static_cast<std::ptrdiff_t>((*trace)->sliceCount()));
    QCOMPARE(drawn, std::uint64_t{(*trace)->sliceCount()});
}

QTEST_GUILESS_MAIN(LaneTracesTest)
#include "LaneTracesTest.moc"
