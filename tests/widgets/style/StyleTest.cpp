// SPDX-License-Identifier: GPL-3.0-or-later
#include <QApplication>
#include <QDir>
#include <QListWidget>
#include <QScrollBar>
#include <QTest>
#include <set>

#include "tests/widgets/WindowTestSupport.h"
#include "widgets/style/Icons.h"
#include "widgets/style/Oklch.h"
#include "widgets/style/PlainText.h"
#include "widgets/style/StackedBar.h"
#include "widgets/style/WindowStyle.h"

using namespace kinetoscope;
using namespace kinetoscope::style;
using namespace kinetoscope::trace;

class StyleTest final : public QObject {
    Q_OBJECT

private slots:
    void init() { failOnQtWarnings(); }

    void oklchMeetsKnownColours() {
        QCOMPARE(oklch(1.0, 0.0, 0.0), QColor(255, 255, 255));
        QCOMPARE(oklch(0.0, 0.0, 0.0), QColor(0, 0, 0));
        QCOMPARE(oklch(0.6279553606, 0.2576833077, 29.2338851923), QColor(255, 0, 0));
        QCOMPARE(contrastRatio(Qt::black, Qt::white), 21.0);
    }

    // "exe.png" with an override before its end would read "gnp.exe".
    void marksOfDirectionAreSpelledOut() {
        const QString name = QStringLiteral("a\u202egnp.exe\u2066b\u061c\u200f");
        const QString shown = QStringLiteral("a\\u202egnp.exe\\u2066b\\u061c\\u200f");
        QCOMPARE(shownText(name), shown);
        QCOMPARE(shownText(name.toStdString()), shown);
        QVERIFY(plainToolTip(name).contains(shown));
        QCOMPARE(plainActionText(name), shown);
        QCOMPARE(shownText(QStringLiteral("\u202e") + QString(2000, QLatin1Char('x')), 5),
                 QStringLiteral("\\u202exxx\u2026"));
        QCOMPARE(shownText(QStringLiteral("שלום")), QStringLiteral("שלום"));
    }

    void coloursFollowThePalette() {
        applyTheme(ThemeChoice::Light);
        const QColor light = Theme::current().base();
        QVERIFY(!Theme::current().isDark());
        applyTheme(ThemeChoice::Dark);
        QVERIFY(Theme::current().isDark());
        QVERIFY(Theme::current().base() != light);
        QVERIFY(relativeLuminance(Theme::current().base()) < 0.05);
    }

    void textIsReadableOnEveryGround_data() {
        QTest::addColumn<bool>("dark");
        QTest::newRow("light") << false;
        QTest::newRow("dark") << true;
    }
    void textIsReadableOnEveryGround() {
        QFETCH(bool, dark);
        const Theme theme(dark ? Theme::darkPalette() : Theme::lightPalette());
        for (const QColor& ground : {theme.base(), theme.raised(), theme.window()}) {
            QVERIFY(contrastRatio(theme.text(), ground) > 10.0);
            QVERIFY(contrastRatio(theme.mutedText(), ground) > 4.0);
            QVERIFY(contrastRatio(theme.error(), ground) > 3.0);
        }
        for (const char* name : {"aten::mm", "nvjet_x", "cudaLaunchKernel", "a", "b", "c", "d"}) {
            const QColor ground = theme.nameColor(name);
            QVERIFY(contrastRatio(theme.textOn(ground), ground) > 4.5);
        }
    }

    void namesKeepTheirColourAndDiffer() {
        const Theme theme(Theme::lightPalette());
        std::set<QRgb> colours;
        for (int i = 0; i < 200; ++i) {
            const std::string name = "kernel_" + std::to_string(i);
            QCOMPARE(theme.nameColor(name), Theme(Theme::lightPalette()).nameColor(name));
            colours.insert(theme.nameColor(name).rgb());
        }
        QVERIFY2(colours.size() > 40, qPrintable(QString::number(colours.size())));
    }

    void kindsOfWorkDiffer() {
        const Theme theme(Theme::lightPalette());
        QVERIFY(theme.categoryColor(Category::Kernel) != theme.categoryColor(Category::GpuMemcpy));
        QVERIFY(theme.categoryColor(Category::CpuOp) != theme.categoryColor(Category::Runtime));
    }

    void everyDrawingShowsInTheColourAsked() {
        const QDir icons(QStringLiteral(KINETOSCOPE_SOURCE_DIR "/resources/icons"));
        const QStringList files = icons.entryList({"*.svg"});
        QVERIFY(files.size() > 20);
        for (const QString& file : files) {
            const QString name = QString(file).remove(".svg");
            QVERIFY2(!themedIcon(name).isNull(), qPrintable(name));
            const QImage image = tintedPixmap(name, QColor(200, 0, 0), 32, 2.0).toImage();
            QCOMPARE(image.size(), QSize(64, 64));
            int painted = 0;
            int red = 0;
            for (int y = 0; y < 64; ++y) {
                for (int x = 0; x < 64; ++x) {
                    const QColor pixel = image.pixelColor(x, y);
                    painted += pixel.alpha() > 200;
                    red += pixel.alpha() > 200 && pixel.red() > 180 && pixel.green() < 40;
                }
            }
            QVERIFY2(painted > 60, qPrintable(name));
            QVERIFY2(name == "kinetoscope" || red == painted, qPrintable(name));
        }
        QVERIFY(themedIcon("no such drawing").isNull());
    }

    void scrollBarsAreFlatAndMove_data() {
        QTest::addColumn<bool>("lying");
        QTest::newRow("upright") << false;
        QTest::newRow("lying") << true;
    }
    void scrollBarsAreFlatAndMove() {
        QFETCH(bool, lying);
        applyTheme(ThemeChoice::Light);
        QScrollBar bar(lying ? Qt::Horizontal : Qt::Vertical);
        bar.resize(lying ? QSize(200, bar.sizeHint().height())
                         : QSize(bar.sizeHint().width(), 200));
        bar.setRange(0, 300);
        bar.setPageStep(100);
        bar.show();
        QVERIFY(QTest::qWaitForWindowExposed(&bar));
        const auto at = [&](int along) {
            return lying ? QPoint(along, bar.height() / 2) : QPoint(bar.width() / 2, along);
        };
        const auto color = [&](int along) { return bar.grab().toImage().pixelColor(at(along)); };
        // A quarter of the bar from its very beginning, with nothing before it: no buttons.
        const QColor groove = Theme::current().raised();
        QVERIFY(color(6) != groove);
        QVERIFY(color(44) != groove);
        QCOMPARE(color(1), groove);  // the slider has a margin
        QCOMPARE(color(60), groove);
        QCOMPARE(color(199), groove);
        QTest::mouseClick(&bar, Qt::LeftButton, {}, at(190));
        QCOMPARE(bar.value(), 100);
        QTest::mouseClick(&bar, Qt::LeftButton, {}, at(10));
        QCOMPARE(bar.value(), 0);
        // The whole way of the slider is the whole range.
        QTest::mousePress(&bar, Qt::LeftButton, {}, at(20));
        QTest::mouseMove(&bar, at(95));
        QCOMPARE(bar.value(), 150);
        QTest::mouseMove(&bar, at(170));
        QTest::mouseRelease(&bar, Qt::LeftButton, {}, at(170));
        QCOMPARE(bar.value(), 300);
        QVERIFY(color(190) != groove);
        bar.setRange(0, 0);
        QCOMPARE(color(100), groove);
    }

    // As in every table: pale, with the text as it was.
    void chosenRowsOfListsAreReadable() {
        applyTheme(ThemeChoice::Light);
        QListWidget list;
        list.addItem(QString());
        list.setCurrentRow(0);
        list.resize(120, 60);
        list.show();
        list.activateWindow();
        QVERIFY(QTest::qWaitForWindowExposed(&list));
        const QColor chosen = list.viewport()->grab().toImage().pixelColor(
            list.visualItemRect(list.item(0)).center());
        QVERIFY(chosen != Theme::current().base());
        QVERIFY(contrastRatio(list.palette().color(QPalette::HighlightedText), chosen) > 7.0);
        QCOMPARE(list.palette().color(QPalette::HighlightedText), Theme::current().text());
    }

    void barPartsFillTheBarWithoutGaps() {
        StackedBar bar;
        bar.resize(300, 20);
        bar.setParts({{Qt::red, 1, {}}, {Qt::green, 0, {}}, {Qt::blue, 2, {}}});
        const auto rects = bar.partRects();
        QCOMPARE(rects.size(), std::size_t{3});
        QCOMPARE(rects[0], QRectF(0, 0, 100, 20));
        QCOMPARE(rects[2], QRectF(100, 0, 200, 20));
        const QImage image = bar.grab().toImage();
        QCOMPARE(image.pixelColor(50, 3), QColor(Qt::red));
        QCOMPARE(image.pixelColor(250, 3), QColor(Qt::blue));
    }
};

QTEST_MAIN(StyleTest)
#include "StyleTest.moc"
