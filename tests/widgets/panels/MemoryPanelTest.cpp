// SPDX-License-Identifier: GPL-3.0-or-later
// Memory in the window: the panel of a trace, and snapshots as pages of their own.
#include <QAbstractButton>
#include <QComboBox>
#include <QDragEnterEvent>
#include <QDropEvent>
#include <QLabel>
#include <QMimeData>
#include <QPlainTextEdit>
#include <QSignalSpy>
#include <QTabWidget>
#include <QTemporaryDir>
#include <QtEndian>
#include "tests/Patience.h"

#include "core/memory/ReadSnapshot.h"
#include "tests/widgets/ShownPanel.h"
#include "tests/widgets/WindowTestSupport.h"
#include "widgets/panels/memory/BlockMap.h"
#include "widgets/panels/memory/BlockMapSizes.h"
#include "widgets/panels/memory/MemoryTables.h"
#include "widgets/panels/parts/DataTable.h"
#include "widgets/snapshot/SnapshotLoader.h"
#include "widgets/style/Theme.h"

using namespace kinetoscope;
using namespace kinetoscope::app;
using namespace kinetoscope::panels;

namespace {

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
        return waitFor([&] {
            return !window.docks().busy() && part<QLabel>("state")->text().contains("peak ");
        });
    }
    BlockMap* map() { return part<BlockMap>("blockMap"); }
    DataTable* table(const char* name) { return part<DataTable>(name); }
    TimeNs selectedTime() {
        const auto span = session::selectedTime(*window.view().trace(), window.view().selection());
        return span ? span->start : -1;
    }
};

// Values of a pickle of protocol 2.
QByteArray text(const QByteArray& text) {
    QByteArray size(4, '\0');
    qToLittleEndian(static_cast<qint32>(text.size()), size.data());
    return 'X' + size + text;
}
QByteArray number(qint64 number) {
    QByteArray bytes(8, '\0');
    qToLittleEndian(number, bytes.data());
    return QByteArray("\x8a\x08", 2) + bytes;
}
QByteArray list(const QList<QByteArray>& values) {
    return "](" + values.join() + 'e';
}
QByteArray dict(const QList<std::pair<QByteArray, QByteArray>>& members) {
    QByteArray items;
    for (const auto& [key, value] : members) {
        items += text(key) + value;
    }
    return "}(" + items + 'u';
}

// 8 MiB at 100 µs, a request of 1 GiB that fails at 200 µs, another 8 MiB at 900 µs.
QByteArray failedSnapshot() {
    const QByteArray frame =
        dict({{"name", text("f")}, {"filename", text("big.py")}, {"line", number(7)}});
    const auto event = [&](const char* action, qint64 address, qint64 size, qint64 time) {
        return dict({{"action", text(action)},
                     {"addr", number(address)},
                     {"size", number(size)},
                     {"device_free", number(5 * kMiB)},
                     {"time_us", number(time)},
                     {"frames", list({frame})}});
    };
    const QByteArray events =
        list({event("alloc", 4096, 8 * kMiB, 100), event("oom", 0, 1024 * kMiB, 200),
              event("alloc", 16 * kMiB, 8 * kMiB, 900)});
    return QByteArray("\x80\x02", 2) +
           dict({{"segments", list({})}, {"device_traces", list({events})}}) + '.';
}

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
        return waitFor([&] {
            return window.jobs().items().size() == pages && !window.jobs().isLoading() &&
                   page() != nullptr && !page()->busy();
        });
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
        QTRY_COMPARE(rowTexts(*shown.table("alive")),
                     (QStringList{"3.0 MiB|75.00 %|1|other|aten::conv2d|",
                                  "1.0 MiB|25.00 %|1|other|aten::sum|"}));
    }

    void clicksLeadToTheTimeline() {
        const QTemporaryDir folder;
        Traced shown(writeTrace(folder, traceText()));
        QVERIFY(shown.ready());
        auto* const panelMemory = shown.map();
        QTRY_VERIFY(!panelMemory->busy());
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

    void theScaleHasOneUnit() {
        constexpr std::int64_t kGiB = std::int64_t{1} << 30;
        QCOMPARE(scaleText(0, kGiB / 8, 2 * kGiB), QStringLiteral("0"));
        QCOMPARE(scaleText(13 * kGiB / 8, kGiB / 8, 2 * kGiB), QStringLiteral("1.625 GiB"));
        QCOMPARE(scaleText(kGiB / 8, kGiB / 8, 2 * kGiB), QStringLiteral("0.125 GiB"));
        QCOMPARE(scaleText(kGiB / 8, kGiB / 8, kGiB / 2), QStringLiteral("128 MiB"));
        QCOMPARE(scaleText(6 * kGiB, 2 * kGiB, 9 * kGiB), QStringLiteral("6 GiB"));
    }

    void withoutMemoryEvents() {
        ShownPanel shown("memory");
        shown.window.docks().showPanel(QStringLiteral("memory"));
        shown.window.openFiles({samplePath()});
        QTRY_VERIFY(shown.window.view().trace() != nullptr);
        QTRY_VERIFY(!shown.window.docks().busy());
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
        QTRY_VERIFY(!shown.page()->busy());
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
        QTRY_VERIFY(!shown.page()->busy());
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
        QTRY_VERIFY(!shown.page()->busy());
        QVERIFY2(shown.words().contains("Every allocation site holds the same"),
                 qPrintable(shown.words()));
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

    void requestsThatFailedAreMarked() {
        const QTemporaryDir folder;
        const QString path = folder.filePath("failed.pickle");
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(failedSnapshot()) > 0);
        file.close();
        Opened shown;
        QVERIFY(shown.open(path, 1));
        DataTable* const table = shown.page()->tables().table("outOfMemory");
        QCOMPARE(table->model()->rowCount(), 1);
        QVERIFY2(rowTexts(*table).front().contains("1.0 GiB") &&
                     rowTexts(*table).front().contains("big.py:7 f"),
                 qPrintable(rowTexts(*table).front()));
        // A mark at its time, which says what it is.
        BlockMap& map = shown.page()->map();
        const TimeNs failed = shown.page()->memory()->device(0).outOfMemory.front().time;
        const QColor mark = style::Theme::current().error();
        const auto at = [&](TimeNs time) {
            return QPoint(qRound(map.coordinates().x(time)), map.plot().top() + 2);
        };
        const auto isMarked = [&](TimeNs time) {
            const QImage image = map.grab().toImage();
            for (int x = at(time).x() - 1; x <= at(time).x() + 1; ++x) {
                const QPointF place(x, at(time).y());
                if (image.pixelColor((place * map.devicePixelRatioF()).toPoint()) == mark) {
                    return true;
                }
            }
            return false;
        };
        QVERIFY(isMarked(failed));
        QVERIFY(!isMarked(failed + 300'000));
        const QString tip = map.toolTipAt(at(failed));
        QVERIFY2(tip.contains("Out of memory") && tip.contains("1.0 GiB"), qPrintable(tip));
        // A click on its row brings it into the middle, with its stack in words.
        map.setTime({failed + 500'000, failed + 600'000});
        shown.page()->tables().setCurrentWidget(table);
        QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, cellOf(*table, 0));
        QVERIFY(map.time().contains(failed));
        QVERIFY(isMarked(failed));
        QVERIFY2(shown.words().contains("requested 1.0 GiB") && shown.words().contains("big.py:7"),
                 qPrintable(shown.words()));
    }

    void readingCanBeEnded() {
        snapshot::SnapshotLoader loader;
        QSignalSpy loaded(&loader, &snapshot::SnapshotLoader::loaded);
        QSignalSpy idle(&loader, &snapshot::SnapshotLoader::idle);
        const QTemporaryDir folder;
        const QString copy = folder.filePath("second.pickle");
        QVERIFY(QFile::copy(kSnapshot, copy));
        loader.open(kSnapshot);
        loader.open(copy);
        loader.cancel();
        QVERIFY(!loader.isLoading());
        QCOMPARE(idle.size(), 1);
        // Nothing of them comes, though others that began later are read,
        snapshot::SnapshotLoader later;
        QSignalSpy read(&later, &snapshot::SnapshotLoader::loaded);
        later.open(kSnapshot);
        later.open(copy);
        QTRY_COMPARE(read.size(), 2);
        QCOMPARE(loaded.size(), 0);
        QCOMPARE(idle.size(), 1);
        // and not when this one reads again.
        loader.open(copy);
        QTRY_COMPARE(idle.size(), 2);
        QCOMPARE(loaded.size(), 1);
        QCOMPARE(loaded.front().front().toString(), copy);
        // In the window the bar's button does it.
        Opened shown;
        shown.window.openFiles({kSnapshot});
        QVERIFY(shown.window.jobs().isLoading());
        shown.window.findChild<QAbstractButton*>("cancelJob")->click();
        QVERIFY(!shown.window.jobs().isLoading());
        QVERIFY(shown.page() == nullptr && shown.window.jobs().items().empty());
        QVERIFY(shown.open(kSnapshot, 1));
        QVERIFY(shown.window.errorBar().text().isEmpty());
    }

    void snapshotsAreDroppedAndComeBackWithTheSession() {
        const QTemporaryDir folder;
        const QString saved = folder.filePath("work.kscopes");
        {
            Opened shown;
            QMimeData data;
            data.setUrls({QUrl::fromLocalFile(kSnapshot)});
            QDragEnterEvent enter(QPoint(20, 20), Qt::CopyAction, &data, Qt::LeftButton, {});
            QApplication::sendEvent(&shown.window, &enter);
            QVERIFY(enter.isAccepted());
            QDropEvent drop(QPointF(20, 20), Qt::CopyAction, &data, Qt::LeftButton, {});
            QApplication::sendEvent(&shown.window, &drop);
            QVERIFY(shown.ready(1));
            shown.page()->setChoices({"purpose", 1, 0});
            answerFileDialog(saved);
            shown.window.action(ActionId::SaveSession)->trigger();
            QVERIFY2(shown.window.errorBar().text().isEmpty(),
                     qPrintable(shown.window.errorBar().text()));
            QVERIFY(QFile::exists(saved));
        }
        Opened shown;
        QVERIFY(shown.open(saved, 1));
        QVERIFY(shown.window.windowTitle().contains("memory_snapshot.pickle"));
        QCOMPARE(shown.page()->choices().figure, "purpose");
        QCOMPARE(shown.page()->choices().order, std::uint64_t{1});
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
        QTRY_VERIFY(!shown.window.errorBar().text().isEmpty());
        QVERIFY2(shown.window.errorBar().text().contains("posix.system"),
                 qPrintable(shown.window.errorBar().text()));
        QVERIFY(shown.page() == nullptr);
    }
};

QTEST_MAIN(MemoryPanelTest)
#include "MemoryPanelTest.moc"
