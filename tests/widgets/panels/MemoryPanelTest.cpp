// SPDX-License-Identifier: GPL-3.0-or-later
// Memory in the window: the panel of a trace, and snapshots as pages of their own.
#include <QComboBox>
#include <QDragEnterEvent>
#include <QDropEvent>
#include <QLabel>
#include <QMimeData>
#include <QPlainTextEdit>
#include <QTabBar>
#include <QTemporaryDir>
#include <QTest>
#include <QToolTip>

#include "core/memory/ReadSnapshot.h"
#include "tests/widgets/ShownPanel.h"
#include "tests/widgets/WindowTestSupport.h"
#include "widgets/panels/memory/BlockMap.h"
#include "widgets/panels/memory/MemoryTables.h"
#include "widgets/panels/parts/DataTable.h"

using namespace kinetoscope;
using namespace kinetoscope::app;
using namespace kinetoscope::panels;

namespace {

constexpr int kWaitMs = 60'000;
const QString kSnapshot =
    QStringLiteral(KINETOSCOPE_SOURCE_DIR "/tests/data/memory/memory_snapshot.pickle");

QByteArray memoryEvent(int ts, qint64 address, qint64 bytes, qint64 total) {
    return QStringLiteral(
               R"({"ph":"i","cat":"cpu_instant_event","s":"t","name":"[memory]","pid":1,"tid":7,)"
               R"("ts":%1,"args":{"Total Reserved":8388608,"Total Allocated":%4,"Bytes":%3,)"
               R"("Device Id":0,"Device Type":1,"Addr":%2}})")
        .arg(ts)
        .arg(address)
        .arg(bytes)
        .arg(total)
        .toUtf8();
}

QByteArray slice(const char* category, const char* name, int ts, int dur) {
    return QStringLiteral(R"({"ph":"X","cat":"%1","name":"%2","pid":1,"tid":7,"ts":%3,"dur":%4})")
        .arg(QLatin1String(category), QLatin1String(name))
        .arg(ts)
        .arg(dur)
        .toUtf8();
}

constexpr qint64 kMiB = 1 << 20;

// 3 MiB of a convolution that stay, 2 MiB of a product until 600 µs, then 1 MiB of a sum.
QByteArray traceText() {
    const QList<QByteArray> events{slice("cpu_op", "aten::conv2d", 0, 100),
                                   slice("cpu_op", "aten::mm", 200, 100),
                                   slice("cpu_op", "aten::sum", 700, 100),
                                   slice("cpu_op", "aten::last", 990, 10),
                                   memoryEvent(50, 4096, 3 * kMiB, 3 * kMiB),
                                   memoryEvent(250, 9'000'000, 2 * kMiB, 5 * kMiB),
                                   memoryEvent(600, 9'000'000, -2 * kMiB, 3 * kMiB),
                                   memoryEvent(750, 9'000'000, kMiB, 4 * kMiB)};
    return "{\"traceEvents\":[" + events.join(",\n") + "]}";
}

QStringList rowTexts(const DataTable& table) {
    QStringList rows;
    for (int row = 0; row < table.model()->rowCount(); ++row) {
        QStringList cells;
        for (int column = 0; column < table.model()->columnCount(); ++column) {
            cells.append(table.model()->index(row, column).data().toString());
        }
        rows.append(cells.join(QLatin1Char('|')));
    }
    return rows;
}

QPoint cellOf(DataTable& table, int row) {
    table.scrollTo(table.model()->index(row, 0));
    return table.visualRect(table.model()->index(row, 0)).center();
}

// The middle of a block at a time of its life.
QPoint placeOf(BlockMap& map, const ShownMemory& memory, std::uint32_t block, TimeNs time) {
    const memory::view::BlockStacks& stacks = *memory.stacks.front();
    const std::int64_t offset = stacks.offsetAt(block, stacks.momentAt(time));
    const double middle = map.y(offset + memory.device(0).blocks[block].bytes / 2);
    return {qRound(map.coordinates().x(time)), qRound(middle)};
}

struct Traced : ShownPanel {
    explicit Traced(const QString& path) : ShownPanel("memory", {1600, 1000}) {
        window.docks().showPanel(QStringLiteral("memory"));
        window.openFiles({path});
    }
    bool ready() {
        return QTest::qWaitFor(
            [&] {
                return !window.docks().busy() && part<QLabel>("state")->text().contains("peak ");
            },
            kWaitMs);
    }
    BlockMap* map() { return part<BlockMap>("blockMap"); }
    DataTable* table(const char* name) { return part<DataTable>(name); }
    TimeNs selectedTime() {
        const auto span = session::selectedTime(*window.view().trace(), window.view().selection());
        return span ? span->start : -1;
    }
};

/// A window with snapshots.
struct Opened {
    Opened() {
        window.resize(1280, 800);
        window.show();
    }
    bool open(const QString& path, std::size_t pages) {
        window.openFiles({path});
        return ready(pages);
    }
    bool ready(std::size_t pages) {
        return QTest::qWaitFor(
            [&] {
                return window.jobs().items().size() == pages && !window.jobs().isLoading() &&
                       page() != nullptr && !page()->busy();
            },
            kWaitMs);
    }
    snapshot::SnapshotView* page() { return window.jobs().shownSnapshot(); }
    QString words() { return page()->findChild<QPlainTextEdit*>("words")->toPlainText(); }

    session::Settings settings{session::Settings::InMemory{}};
    MainWindow window{settings};
};

}  // namespace

class MemoryPanelTest final : public QObject {
    Q_OBJECT

private slots:
    void init() { failOnQtWarnings(); }

    void traceWithMemoryEvents() {
        const QTemporaryDir folder;
        Traced shown(writeTrace(folder, traceText()));
        QVERIFY(shown.ready());
        QCOMPARE(shown.part<QLabel>("state")->text(),
                 "peak 5.0 MiB · reserved 8.0 MiB · never freed 4.0 MiB");
        QCOMPARE(rowTexts(*shown.table("alive")),
                 (QStringList{"3.0 MiB|60.00 %|1|other|aten::conv2d|",
                              "2.0 MiB|40.00 %|1|other|aten::mm|"}));
        QCOMPARE(rowTexts(*shown.table("neverFreed")),
                 (QStringList{"3.0 MiB|+50.000 µs|other|aten::conv2d|",
                              "1.0 MiB|+750.000 µs|other|aten::sum|"}));
        // Where the timeline goes, this goes.
        QCOMPARE(shown.map()->time(), shown.window.view().visible());
        shown.window.view().setVisible({500'000, 800'000});
        QCOMPARE(shown.map()->time(), shown.window.view().visible());
        QVERIFY(shown.map()->time().duration() < 400'000);
    }

    void selectedTimeHasAPeakOfItsOwn() {
        const QTemporaryDir folder;
        Traced shown(writeTrace(folder, traceText()));
        QVERIFY(shown.ready());
        shown.window.view().selectRange(TimeSpan{650'000, 900'000});
        QTRY_COMPARE_WITH_TIMEOUT(rowTexts(*shown.table("alive")),
                                  (QStringList{"3.0 MiB|75.00 %|1|other|aten::conv2d|",
                                               "1.0 MiB|25.00 %|1|other|aten::sum|"}),
                                  kWaitMs);
    }

    void clicksLeadToTheTimeline() {
        const QTemporaryDir folder;
        Traced shown(writeTrace(folder, traceText()));
        QVERIFY(shown.ready());
        auto* const panelMemory = shown.map();
        QTRY_VERIFY_WITH_TIMEOUT(!panelMemory->busy(), kWaitMs);
        // The product lies on top of the convolution, between 250 and 600 µs.
        const double y = panelMemory->y(4 * kMiB);
        const auto at = [&](TimeNs time) {
            return QPoint(qRound(panelMemory->coordinates().x(time)), qRound(y));
        };
        QCOMPARE(panelMemory->blockAt(at(400'000)), 1U);
        QCOMPARE(panelMemory->blockAt(at(650'000)), memory::kNoBlock);
        QVERIFY(panelMemory->toolTipAt(at(400'000)).contains("aten::mm"));
        QTest::mouseClick(panelMemory, Qt::LeftButton, {}, at(400'000));
        QCOMPARE(shown.selectedTime(), 250'000);
        QCOMPARE(panelMemory->block(), 1U);
        // A row of what never was freed, and a double click that brings it into sight.
        auto* const tabs = shown.part<DataTable>("neverFreed");
        shown.window.docks().panel("memory")->findChild<MemoryTables*>()->setCurrentWidget(tabs);
        QTest::mouseClick(tabs->viewport(), Qt::LeftButton, {}, cellOf(*tabs, 1));
        QCOMPARE(shown.selectedTime(), 750'000);
        shown.window.view().zoomTo({0, 100'000}, 0.0);
        QTest::mouseDClick(tabs->viewport(), Qt::LeftButton, {}, cellOf(*tabs, 1));
        QVERIFY(shown.window.view().visible().contains(750'000));
    }

    void rowsByOperatorAndPurpose() {
        const QTemporaryDir folder;
        Traced shown(writeTrace(folder, traceText()));
        QVERIFY(shown.ready());
        shown.part<QComboBox>("by")->setCurrentIndex(static_cast<int>(memory::GroupBy::Operator));
        QCOMPARE(rowTexts(*shown.table("alive")),
                 (QStringList{"3.0 MiB|60.00 %|1|aten::conv2d", "2.0 MiB|40.00 %|1|aten::mm"}));
        shown.part<QComboBox>("by")->setCurrentIndex(static_cast<int>(memory::GroupBy::Purpose));
        QCOMPARE(rowTexts(*shown.table("alive")), (QStringList{"5.0 MiB|100.00 %|2|other"}));
    }

    void withoutMemoryEvents() {
        ShownPanel shown("memory");
        shown.window.docks().showPanel(QStringLiteral("memory"));
        shown.window.openFiles({samplePath()});
        QTRY_VERIFY_WITH_TIMEOUT(shown.window.view().trace() != nullptr, kWaitMs);
        QTRY_VERIFY_WITH_TIMEOUT(!shown.window.docks().busy(), kWaitMs);
        QVERIFY(rowTexts(*shown.part<DataTable>("alive")).isEmpty());
    }

    void snapshotAsAPage() {
        Opened shown;
        QVERIFY(shown.open(kSnapshot, 1));
        QCOMPARE(shown.page()->summary().front(),
                 "peak 345.1 MiB · reserved 352.0 MiB · never freed 108.0 MiB");
        QVERIFY(shown.window.windowTitle().contains("memory_snapshot.pickle"));
        QVERIFY(shown.settings.recentFiles.value().contains(kSnapshot));
        // The kept blocks lead what never was freed.
        DataTable* const kept = shown.page()->tables().table("neverFreed");
        const QStringList rows = rowTexts(*kept);
        const QStringList sizes{"20.0 MiB", "16.0 MiB", "12.0 MiB", "8.0 MiB", "4.0 MiB"};
        for (qsizetype i = 0; i < sizes.size(); ++i) {
            QVERIFY2(rows[i].startsWith(sizes[i] + "|") && rows[i].endsWith("single.py:81 memory"),
                     qPrintable(rows[i]));
        }
        shown.page()->tables().setCurrentWidget(kept);
        QTest::mouseDClick(kept->viewport(), Qt::LeftButton, {}, cellOf(*kept, 0));
        QTRY_VERIFY_WITH_TIMEOUT(!shown.page()->busy(), kWaitMs);
        QVERIFY2(shown.words().contains("20.0 MiB (20,971,520 bytes)"), qPrintable(shown.words()));
        QVERIFY(shown.words().contains("never freed"));
        QVERIFY(shown.words().contains("single.py:81 memory"));
        // It was brought into sight, and is where it is told to be.
        BlockMap& map = shown.page()->map();
        const ShownMemory& memory = *shown.page()->memory();
        const std::uint32_t block = map.block();
        const TimeNs since = memory.device(0).allocated[memory.device(0).blocks[block].from].time;
        const TimeNs later = (since + map.time().end) / 2;
        QCOMPARE(map.blockAt(placeOf(map, memory, block, later)), block);
    }

    void clickInTheStack() {
        Opened shown;
        QVERIFY(shown.open(kSnapshot, 1));
        BlockMap& map = shown.page()->map();
        const ShownMemory& memory = *shown.page()->memory();
        const memory::DeviceReport& report = memory.report->devices.front();
        // The largest one that is alive at the peak.
        std::uint32_t largest = 0;
        for (const std::uint32_t block : memory.stacks.front()->aliveAt(report.peakEvent + 1)) {
            largest = memory.device(0).blocks[block].bytes > memory.device(0).blocks[largest].bytes
                          ? block
                          : largest;
        }
        const QPoint at = placeOf(map, memory, largest, report.peakTime);
        QTest::mouseClick(&map, Qt::LeftButton, {}, at);
        QVERIFY(map.block() != memory::kNoBlock);
        QCOMPARE(memory.device(0).blocks[map.block()].bytes,
                 memory.device(0).blocks[largest].bytes);
        QVERIFY(shown.words().contains("purpose: "));
        QTRY_VERIFY_WITH_TIMEOUT(!shown.page()->busy(), kWaitMs);
        QVERIFY(shown.page()->tables().tabText(0).startsWith("At +"));
        // Zoomed in with the wheel's keys and out again.
        const TimeSpan whole = map.time();
        QTest::keyClick(&map, Qt::Key_W);
        QVERIFY(map.time().duration() < whole.duration());
        shown.window.fitTrace();
        QCOMPARE(map.time(), whole);
    }

    void segmentsOfASnapshot() {
        Opened shown;
        QVERIFY(shown.open(kSnapshot, 1));
        snapshot::SegmentMap& map = shown.page()->segments();
        shown.page()->findChild<QTabWidget*>("pictures")->setCurrentWidget(&map);
        const memory::Device& device = shown.page()->memory()->device(0);
        std::int64_t held = 0;
        for (const memory::Segment& segment : device.segmentList) {
            held += segment.bytes;
        }
        QCOMPARE(held, 369'098'752);  // memory_facts.json
        // The first block of the first segment fills its first quarter at least.
        const QRect row = map.segmentRect(0);
        const auto place = map.placeAt(row.center());
        QVERIFY(place);
        QCOMPARE(place->segment, std::size_t{0});
        const memory::SegmentBlock& block = device.segmentList[0].blocks[place->block];
        QVERIFY(!map.toolTipAt(row.center()).isEmpty());
        if (block.state == memory::BlockState::Allocated) {
            QTest::mouseClick(map.viewport(), Qt::LeftButton, {}, row.center());
            QVERIFY(shown.words().contains(
                QLocale(QLocale::English).toString(static_cast<qlonglong>(block.bytes))));
        }
    }

    void twoSnapshots() {
        const QTemporaryDir folder;
        const QString copy = folder.filePath("later.pickle");
        QVERIFY(QFile::copy(kSnapshot, copy));
        Opened shown;
        QVERIFY(shown.open(kSnapshot, 1));
        QVERIFY(shown.open(copy, 2));
        auto* const choice = shown.page()->findChild<QComboBox*>("baseline");
        QCOMPARE(choice->count(), 2);
        choice->setCurrentIndex(1);
        QTRY_VERIFY_WITH_TIMEOUT(!shown.page()->busy(), kWaitMs);
        QVERIFY2(shown.words().contains("Every place holds the same"), qPrintable(shown.words()));
        QVERIFY(shown.words().contains("GPU 0, peak allocated: 345.1 MiB"));
        shown.window.jobs().close(0);
        QCOMPARE(choice->count(), 1);
    }

    void choicesAreKept() {
        Opened shown;
        QVERIFY(shown.open(kSnapshot, 1));
        shown.page()->setChoices({"purpose", 1, 0});
        QCOMPARE(shown.page()->choices().figure, "purpose");
        QCOMPARE(shown.page()->choices().order, std::uint64_t{1});
        shown.window.reloadFile();
        QVERIFY(shown.ready(1));
        QCOMPARE(shown.page()->choices().figure, "purpose");
    }

    // Nothing of it is run, and a line says what is wrong.
    void hostileFiles() {
        const QTemporaryDir folder;
        const QString path = folder.filePath("evil.pickle");
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("\x80\x04}\x8c\x08segments\x8c\x05posix\x8c\x06system\x93\x8c\x04true\x85Rs.");
        file.close();
        Opened shown;
        shown.window.openFiles({path});
        QTRY_VERIFY_WITH_TIMEOUT(!shown.window.errorBar().text().isEmpty(), kWaitMs);
        QVERIFY2(shown.window.errorBar().text().contains("posix.system"),
                 qPrintable(shown.window.errorBar().text()));
        QVERIFY(shown.page() == nullptr);
    }
};

QTEST_MAIN(MemoryPanelTest)
#include "MemoryPanelTest.moc"
