// SPDX-License-Identifier: GPL-3.0-or-later
// Tables as a person handles them: widths, the frozen name, sorting and filtering.
#include <QElapsedTimer>
#include <QHeaderView>
#include <QLabel>
#include <QScrollBar>
#include <QSignalSpy>
#include <QThread>
#include <QTimer>
#include <algorithm>
#include <utility>
#include "tests/Patience.h"

#include "tests/widgets/WindowTestSupport.h"
#include "widgets/models/ColumnTableModel.h"
#include "widgets/panels/parts/DataTable.h"
#include "widgets/style/WindowStyle.h"

using namespace kinetoscope;
using namespace kinetoscope::models;
using namespace kinetoscope::panels;
using namespace kinetoscope::query;
using namespace kinetoscope::style;

namespace {

/// A name and eight columns of numbers in nanoseconds with three decimals. Row r of n has n - r.
class NumbersModel final : public ColumnTableModel {
public:
    enum Column { Name, First, Columns = 9 };

    explicit NumbersModel(std::uint32_t rows) : ColumnTableModel(makeColumns()) { setRows(rows); }
    void setRows(std::uint32_t rows, double scale = 1.0) {
        replaceRows([&] {
            m_rows = rows;
            m_scale = scale;
            m_names.clear();
            for (std::uint32_t row = 0; row < rows; ++row) {
                m_names.push_back(nameOf(row));
            }
        });
    }
    /// So many keys take longer than the window may be kept waiting; 0: none does.
    void setSlow(std::uint32_t keys) { m_slowAfter = keys; }
    /// Cells that were made a text of since the last call, and keys that were read.
    std::uint32_t takeTexts() { return std::exchange(m_texts, 0U); }
    std::uint32_t takeKeys() { return std::exchange(m_keys, 0U); }
    std::uint32_t keys() const { return m_keys; }
    /// This row has a number that is small and long.
    void setLong(std::uint32_t row) { m_long = row; }
    void setScale(double scale) {
        m_scale = scale;
        emit dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
    }

protected:
    std::uint32_t sourceRowCount() const override { return m_rows; }
    QString cellText(std::uint32_t row, int column) const override {
        ++m_texts;
        return column == Name ? QString::fromStdString(m_names[row])
                              : QString::number(number(row, column), 'f', 3);
    }
    SortKey sortKey(std::uint32_t row, int column) const override {
        if (++m_keys; m_slowAfter > 0 && m_keys % m_slowAfter == 0) {
            QThread::msleep(20);
        }
        return column == Name ? SortKey(m_names[row]) : number(row, column);
    }
    bool matches(std::uint32_t row, std::string_view filter) const override {
        return containsText(m_names[row], filter);
    }

private:
    static std::vector<TableColumn> makeColumns() {
        std::vector<TableColumn> columns{
            {QStringLiteral("name"), QStringLiteral("Name"), QString(), Qt::AlignLeft, false}};
        for (int column = First; column < Columns; ++column) {
            columns.push_back(
                {QStringLiteral("n%1").arg(column), QStringLiteral("N%1").arg(column), QString()});
        }
        return columns;
    }
    static std::string nameOf(std::uint32_t row) {
        return (row % 3 == 0 ? "small_" : "a_kernel_with_a_rather_long_name_") +
               std::to_string((row * 7919U) % 1000003U);
    }
    double number(std::uint32_t row, int column) const {
        if (row == m_long) {
            return -123'456'789.0;
        }
        const double value = row % 3 == 0 ? 1.0 + row % 9 : 35704.0 * (m_rows - row) / m_rows;
        return m_scale * value * column;
    }

    std::uint32_t m_rows = 0;
    std::vector<std::string> m_names;
    double m_scale = 1.0;
    std::uint32_t m_long = ~0U;
    std::uint32_t m_slowAfter = 0;
    mutable std::uint32_t m_texts = 0;
    mutable std::uint32_t m_keys = 0;
};

/// Whether events are handled meanwhile: how often, and the longest time between two.
class Pulse {
public:
    Pulse() {
        QObject::connect(&m_timer, &QTimer::timeout, &m_timer, [this] {
            ++m_beats;
            m_longest = std::max(m_longest, m_clock.restart());
        });
    }
    void start(const char* what) {
        m_what = what;
        m_beats = 0;
        m_longest = 0;
        m_clock.start();
        m_timer.start(0);
    }
    int stop() {
        m_timer.stop();
        m_longest = std::max(m_longest, m_clock.elapsed());
        qInfo("%s: %d events, at most %lld ms between two", m_what, m_beats,
              static_cast<long long>(m_longest));
        return m_beats;
    }

private:
    QTimer m_timer;
    QElapsedTimer m_clock;
    const char* m_what = "";
    int m_beats = 0;
    qint64 m_longest = 0;
};

struct Shown {
    explicit Shown(std::uint32_t rows, int width = 420) : model(rows), table(model) {
        table.resize(width, 300);
        table.show();
        QCoreApplication::processEvents();
    }
    QPoint inHeader(QHeaderView& header, int column) const {
        return {header.sectionViewportPosition(column) + 12, header.height() / 2};
    }
    void scrollSideways() {
        table.horizontalScrollBar()->setValue(table.horizontalScrollBar()->maximum());
        QCoreApplication::processEvents();
    }
    /// The first shown number whose text its column has no room for; empty: all are whole.
    QString cutNumber() {
        QStyleOptionViewItem option;
        option.font = table.font();
        option.fontMetrics = table.fontMetrics();
        const int last = table.rowAt(table.viewport()->height() - 1);
        const int rows = last < 0 ? model.rowCount() - 1 : last;
        for (int row = table.rowAt(0); row <= rows; ++row) {
            for (int column = NumbersModel::First; column < NumbersModel::Columns; ++column) {
                const QModelIndex cell = model.index(row, column);
                if (table.itemDelegate()->sizeHint(option, cell).width() >
                    table.columnWidth(column)) {
                    return cell.data().toString();
                }
            }
        }
        return {};
    }
    QStringList names() const {
        QStringList names;
        for (int row = 0; row < model.rowCount(); ++row) {
            names << model.index(row, NumbersModel::Name).data().toString();
        }
        return names;
    }

    NumbersModel model;
    DataTable table;
};

}  // namespace

class DataTableTest final : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { applyTheme(ThemeChoice::Light); }
    void init() { failOnQtWarnings(); }

    void numbersAreWholeAndNamesGiveWay() {
        Shown shown(500);
        QCOMPARE(shown.cutNumber(), QString());
        QVERIFY(shown.table.columnWidth(NumbersModel::Name) <= 160);
        shown.table.resize(2000, 300);
        QCoreApplication::processEvents();
        QVERIFY(shown.table.columnWidth(NumbersModel::Name) > 200);
    }

    void widthsAreRightAfterAFilterIsTakenAway() {
        Shown shown(60);
        // What filters is a click: a button of the mouse is down while columns get their widths.
        connect(&shown.table, &QTableView::pressed, &shown.table,
                [&] { shown.model.setFilter(QStringLiteral("small")); });
        shown.table.resize(1600, 300);
        const int name = shown.table.columnWidth(NumbersModel::Name);
        const QRect cell = shown.table.visualRect(shown.model.index(1, NumbersModel::Name));
        QTest::mouseClick(shown.table.viewport(), Qt::LeftButton, {}, cell.center());
        QCOMPARE(shown.model.rowCount(), 20);
        QCOMPARE(shown.cutNumber(), QString());
        shown.model.setFilter(QString());
        QCOMPARE(shown.model.rowCount(), 60);
        QCOMPARE(shown.cutNumber(), QString());
        QCOMPARE(shown.table.columnWidth(NumbersModel::Name), name);
    }

    void numbersThatGrowStayWhole() {
        Shown shown(60);
        shown.model.setScale(1e6);
        QCOMPARE(shown.cutNumber(), QString());
    }

    void otherRowsAreMeasuredAnew() {
        Shown shown(60);
        shown.model.setRows(70, 1e6);
        QCOMPARE(shown.cutNumber(), QString());
    }

    // Widths are those of the first rows and of the largest number.
    void aLongNumberFurtherDownIsWholeOnceItIsSeen() {
        Shown scrolled(500);
        scrolled.model.setLong(400);
        scrolled.table.scrollTo(scrolled.model.index(400, NumbersModel::Name));
        QCOMPARE(scrolled.cutNumber(), QString());
        Shown sorted(500);
        sorted.model.setLong(400);
        sorted.model.sort(NumbersModel::First, Qt::AscendingOrder);
        QTRY_VERIFY(!sorted.model.isArranging());
        QVERIFY(sorted.model.index(0, NumbersModel::First).data().toString().startsWith("-123"));
        QCOMPARE(sorted.cutNumber(), QString());
    }

    void aWidthMadeByHandIsTheNamesAlone() {
        Shown shown(60);
        QHeaderView& header = *shown.table.horizontalHeader();
        const auto drag = [&](int column, int by) {
            const QPoint edge(
                header.sectionViewportPosition(column) + header.sectionSize(column) - 1,
                header.height() / 2);
            QTest::mouseMove(header.viewport(), edge);
            QTest::mousePress(header.viewport(), Qt::LeftButton, {}, edge);
            QTest::mouseMove(header.viewport(), edge + QPoint(by / 2, 0));
            QTest::mouseMove(header.viewport(), edge + QPoint(by, 0));
            QTest::mouseRelease(header.viewport(), Qt::LeftButton, {}, edge + QPoint(by, 0));
        };
        const int before = shown.table.columnWidth(NumbersModel::Name);
        drag(NumbersModel::Name, 45);
        const int byHand = shown.table.columnWidth(NumbersModel::Name);
        QCOMPARE(byHand, before + 45);
        shown.model.setFilter(QStringLiteral("small"));
        shown.model.setFilter(QString());
        QCOMPARE(shown.table.columnWidth(NumbersModel::Name), byHand);
        QCOMPARE(shown.cutNumber(), QString());
        drag(NumbersModel::First, -30);  // a number has no less than it needs
        QCOMPARE(shown.cutNumber(), QString());
        drag(NumbersModel::First, 40);
        const int wide = shown.table.columnWidth(NumbersModel::First);
        shown.model.setFilter(QStringLiteral("small"));
        QCOMPARE(shown.table.columnWidth(NumbersModel::First), wide);
    }

    void theNameStaysWhileNumbersAreScrolled() {
        Shown shown(60);
        const auto left = [&] {
            return shown.table.viewport()->grab(QRect(0, 0, 100, 200)).toImage();
        };
        const QImage before = left();
        shown.scrollSideways();
        QVERIFY(shown.table.horizontalScrollBar()->value() > 100);
        QCOMPARE(left(), before);
        const int row = 4;
        const QRect cell = shown.table.visualRect(shown.model.index(row, NumbersModel::Name));
        QVERIFY(cell.left() >= 0);
        QSignalSpy twice(&shown.table, &QTableView::doubleClicked);
        QTest::mouseClick(shown.table.viewport(), Qt::LeftButton, {}, cell.center());
        QCOMPARE(shown.table.currentIndex(), shown.model.index(row, NumbersModel::Name));
        QVERIFY(shown.table.horizontalScrollBar()->value() > 100);
        QVERIFY(left() != before);  // the row is marked there too
        QTest::mouseDClick(shown.table.viewport(), Qt::LeftButton, {}, cell.center());
        QCOMPARE(twice.count(), 1);
        QCOMPARE(twice[0][0].toModelIndex(), shown.model.index(row, NumbersModel::Name));
        shown.table.selectRow(row + 2);
        QVERIFY(shown.table.horizontalScrollBar()->value() > 100);
        // A cell that is scrolled to is beside the name, not below it.
        const int end = shown.table.horizontalScrollBar()->value();
        shown.table.scrollTo(shown.model.index(row, NumbersModel::First + 1));
        const QRect scrolledTo =
            shown.table.visualRect(shown.model.index(row, NumbersModel::First + 1));
        QVERIFY(shown.table.horizontalScrollBar()->value() < end);
        QCOMPARE(shown.table.indexAt(scrolledTo.center()).column(), int{NumbersModel::First + 1});
        QCOMPARE(shown.table.indexAt(scrolledTo.topLeft()).column(), int{NumbersModel::First + 1});
        shown.scrollSideways();
        // Right of the name lies what is scrolled there.
        QVERIFY(shown.table.indexAt({shown.table.frozen().width() + 20, 10}).column() >
                NumbersModel::First);
    }

    void theFrozenHeaderSortsLikeTheRealOne() {
        Shown real(60);
        Shown frozen(60);
        frozen.scrollSideways();
        QHeaderView& own = frozen.table.frozen().header();
        QVERIFY(own.isVisible());
        QVERIFY(own.geometry().left() == frozen.table.horizontalHeader()->geometry().left());
        const QStringList untouched = real.names();
        QSet<QStringList> orders;
        for (int click = 0; click < 4; ++click) {
            QHeaderView& header = *real.table.horizontalHeader();
            QTest::mouseClick(header.viewport(), Qt::LeftButton, {},
                              real.inHeader(header, NumbersModel::Name));
            QTest::mouseClick(own.viewport(), Qt::LeftButton, {},
                              frozen.inHeader(own, NumbersModel::Name));
            QCOMPARE(frozen.names(), real.names());
            QCOMPARE(own.sortIndicatorSection(), header.sortIndicatorSection());
            QCOMPARE(frozen.table.horizontalHeader()->sortIndicatorOrder(),
                     header.sortIndicatorOrder());
            QVERIFY(click != 0 || std::ranges::is_sorted(frozen.names()));
            QVERIFY(click != 2 || frozen.names() == untouched);
            orders.insert(frozen.names());
        }
        QCOMPARE(orders.size(), 3);  // up, down, and as it was
    }

    void aMillionRowsAreArrangedWhileTheWindowGoesOn() {
        constexpr int kRows = 1'000'000;
        Shown shown(kRows, 900);
        NumbersModel& model = shown.model;
        Pulse pulse;
        const auto first = [&] { return model.index(0, NumbersModel::Name).data().toString(); };
        const auto number = [&](int row) {
            return model.index(row, NumbersModel::First).data().toDouble();
        };
        const auto falls = [&] {
            for (int row = 97; row < model.rowCount(); row += 97) {
                if (number(row) > number(row - 97)) {
                    return false;
                }
            }
            return true;
        };
        const auto done = [&] { return !model.isArranging(); };
        const QString before = first();
        shown.table.selectRow(5);
        const std::uint32_t chosen = model.sourceRow(5);
        QHeaderView& header = *shown.table.horizontalHeader();
        pulse.start("sort by a number");
        QTest::mouseClick(header.viewport(), Qt::LeftButton, {},
                          shown.inHeader(header, NumbersModel::First));
        QVERIFY(model.isArranging());
        QCOMPARE(first(), before);  // until the new order is there
        QTRY_VERIFY_WITH_TIMEOUT(done(), 120000);
        QVERIFY(pulse.stop() > 0);
        QCOMPARE(model.rowCount(), kRows);
        QVERIFY(falls());
        QCOMPARE(model.sourceRow(shown.table.currentIndex().row()), chosen);
        pulse.start("filter");
        model.setFilter(QStringLiteral("sm"));
        model.setFilter(QStringLiteral("small"));  // the next letter
        QCOMPARE(model.rowCount(), kRows);
        QTRY_VERIFY_WITH_TIMEOUT(done(), 120000);
        QVERIFY(pulse.stop() > 1);
        QCOMPARE(model.rowCount(), kRows / 3 + 1);
        QVERIFY(falls());
        pulse.start("sort by name");
        QTest::mouseClick(header.viewport(), Qt::LeftButton, {},
                          shown.inHeader(header, NumbersModel::Name));
        QTRY_VERIFY_WITH_TIMEOUT(done(), 120000);
        pulse.stop();
        QStringList names;
        for (int row = 0; row < model.rowCount(); row += 997) {
            names << model.index(row, NumbersModel::Name).data().toString();
        }
        QVERIFY(std::ranges::is_sorted(names));
        // A click and a letter one after the other: what comes last holds, with both.
        QTest::mouseClick(header.viewport(), Qt::LeftButton, {},
                          shown.inHeader(header, NumbersModel::First));
        model.setFilter(QString());
        QTRY_VERIFY_WITH_TIMEOUT(done(), 120000);
        QCOMPARE(model.rowCount(), kRows);
        QVERIFY(falls());
        pulse.start("scroll");
        for (const double part : {0.5, 1.0, 0.25}) {
            QScrollBar* bar = shown.table.verticalScrollBar();
            bar->setValue(static_cast<int>(part * bar->maximum()));
            QCoreApplication::processEvents();
            QCOMPARE(shown.cutNumber(), QString());
        }
        pulse.stop();
    }

    void sortingMakesNoTextsAndReadsEachKeyOnce() {
        constexpr std::uint32_t kRows = 60'000;
        constexpr std::uint32_t kPainted = 10'000;  // the rows in sight, a few times
        Shown shown(kRows);
        NumbersModel& model = shown.model;
        const auto count = [&](auto change, std::uint32_t keys) {
            model.takeTexts();
            model.takeKeys();
            change();
            QTRY_VERIFY(!model.isArranging());
            QCOMPARE(model.takeKeys(), keys);
            QVERIFY(model.takeTexts() < kPainted);
        };
        for (const int column : {int{NumbersModel::Name}, int{NumbersModel::First}}) {
            count([&] { model.sort(column, Qt::AscendingOrder); }, kRows);
            count([&] { model.sort(column, Qt::DescendingOrder); }, kRows);
        }
        count([&] { model.setFilter(QStringLiteral("small")); }, kRows / 3);
        count([&] { model.sort(NumbersModel::Name, Qt::AscendingOrder); }, kRows / 3);
        QVERIFY(std::ranges::is_sorted(shown.names()));
        // What is selected is summed up, not the whole column.
        model.takeKeys();
        QCOMPARE(model.sumOf(NumbersModel::First, {{0, 4}, {10, 10}}).count, std::uint64_t{6});
        QCOMPARE(model.takeKeys(), 6U);
    }

    void keysThatTakeLongAreReadBetweenEvents() {
        constexpr std::uint32_t kRows = 32'768;
        Shown shown(kRows);
        shown.model.setSlow(kRows / 16);
        auto* said = shown.table.findChild<QLabel*>(QStringLiteral("arranging"));
        QVERIFY(said != nullptr && said->text().endsWith(QChar(0x2026)));
        bool seen = false;
        int between = 0;  // events while some keys were read and others were not
        QTimer looks;
        connect(&looks, &QTimer::timeout, this, [&] {
            seen = seen || said->isVisible();
            between += shown.model.keys() > 0 && shown.model.keys() < kRows ? 1 : 0;
        });
        looks.start(0);
        shown.model.takeKeys();
        shown.model.sort(NumbersModel::First, Qt::DescendingOrder);
        QTRY_VERIFY(!shown.model.isArranging());
        QVERIFY(between >= 10);  // each of the 16 waits is longer than a slice of work may be
        QVERIFY(seen && !said->isVisible());
        QCOMPARE(shown.model.rowCount(), int{kRows});
    }

    void otherRowsEndWhatIsBeingArranged() {
        Shown shown(200'000);
        shown.model.setFilter(QStringLiteral("small"));
        QVERIFY(shown.model.isArranging());
        shown.model.setRows(30);
        QCOMPARE(shown.model.rowCount(), 10);
        QVERIFY(!shown.model.isArranging());
        QCoreApplication::processEvents();
        QCOMPARE(shown.model.rowCount(), 10);
        shown.model.setRows(200'000);
        shown.model.sort(NumbersModel::First, Qt::AscendingOrder);
        QVERIFY(shown.model.isArranging());  // and the model goes while a worker sorts
    }

    void escapeDeselects() {
        Shown shown(60);
        shown.table.selectRow(3);
        QTest::keyClick(&shown.table, Qt::Key_Escape);
        QVERIFY(!shown.table.selectionModel()->hasSelection());
    }
};

QTEST_MAIN(DataTableTest)
#include "DataTableTest.moc"
