// SPDX-License-Identifier: GPL-3.0-or-later
// Pictures and tables that the window writes.
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QContextMenuEvent>
#include <QFileDialog>
#include <QImage>
#include <QLineEdit>
#include <QMenu>
#include <QPainter>
#include <QSvgRenderer>
#include <QTemporaryDir>
#include <QTimer>
#include <QXmlStreamReader>
#include "tests/Patience.h"

#include "app/kinetoscope/MainWindow.h"
#include "app/kinetoscope/PanelRegistry.h"
#include "tests/widgets/OpenedSample.h"
#include "tests/widgets/WindowTestSupport.h"
#include "widgets/calls/CallTreeView.h"
#include "widgets/calls/FlameGraph.h"
#include "widgets/plots/Picture.h"
#include "widgets/plots/TimelineView.h"

using namespace kinetoscope;
using namespace kinetoscope::app;

namespace {

/// What stands in the elements of that name; nothing where the document is not well formed.
QStringList textsIn(const QByteArray& document, const QString& element) {
    QStringList texts;
    QXmlStreamReader reader(document);
    while (!reader.atEnd()) {
        if (reader.readNext() == QXmlStreamReader::StartElement && reader.name() == element) {
            texts.append(reader.readElementText(QXmlStreamReader::IncludeChildElements));
        }
    }
    return reader.hasError() ? QStringList() : texts;
}

QByteArray contents(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

/// Part of the pixels whose colours differ by more than a shade.
double differing(const QImage& a, const QImage& b) {
    int count = 0;
    for (int y = 0; y < a.height(); ++y) {
        for (int x = 0; x < a.width(); ++x) {
            const QRgb p = a.pixel(x, y);
            const QRgb q = b.pixel(x, y);
            count += std::abs(qRed(p) - qRed(q)) > 24 || std::abs(qGreen(p) - qGreen(q)) > 24 ||
                     std::abs(qBlue(p) - qBlue(q)) > 24;
        }
    }
    return static_cast<double>(count) / (a.width() * a.height());
}

/// Chooses the action of the next menu that opens.
void answerMenu(const QString& action) {
    auto* timer = new QTimer(qApp);
    QObject::connect(timer, &QTimer::timeout, timer, [timer, action] {
        auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
        if (menu != nullptr) {
            timer->deleteLater();
            QAction* chosen = nullptr;
            for (QAction* one : menu->actions()) {
                chosen = one->objectName() == action ? one : chosen;
            }
            menu->close();
            if (chosen != nullptr) {
                chosen->trigger();
            }
        }
    });
    timer->start(20);
}

/// Answers the next file dialog with a name and one of its filters.
void answerWithFilter(const QString& path, const QString& filter) {
    auto* timer = new QTimer(qApp);
    QObject::connect(timer, &QTimer::timeout, timer, [timer, path, filter] {
        if (auto* dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget())) {
            timer->deleteLater();
            dialog->selectNameFilter(filter);
            emit dialog->filterSelected(filter);
            dialog->findChild<QLineEdit*>(QStringLiteral("fileNameEdit"))->setText(path);
            QMetaObject::invokeMethod(dialog, "accept");
        }
    });
    timer->start(20);
}

class PictureTest final : public QObject {
    Q_OBJECT

    using Opened = OpenedSample;

private slots:
    static void init() { failOnQtWarnings(); }

    /// The timeline as SVG looks as on screen, and names of slices, rows and times are texts.
    static void timelineAsSvg() {
        Opened opened;
        QVERIFY(opened.ready);
        QTemporaryDir folder;
        const QString path = folder.filePath("timeline.svg");
        opened.window.timeline()->setFocus();
        answerFileDialog(path);
        opened.window.action(ActionId::SavePart)->trigger();
        const QByteArray svg = contents(path);
        const QString texts = textsIn(svg, "text").join('\n');
        QVERIFY2(texts.contains("GPU 0 busy"), qPrintable(texts));
        QVERIFY2(texts.contains("stream 7"), qPrintable(texts));
        QVERIFY2(texts.contains("run#"), qPrintable(texts));
        QVERIFY2(texts.contains(" ms") || texts.contains(QString::fromUtf8(" µs")),
                 qPrintable(texts));
        const QImage shown =
            opened.window.timeline()->grab().toImage().convertToFormat(QImage::Format_RGB32);
        QImage drawn(shown.size(), QImage::Format_RGB32);
        drawn.fill(Qt::magenta);
        QSvgRenderer renderer(svg);
        QVERIFY(renderer.isValid());
        QPainter painter(&drawn);
        renderer.render(&painter);
        painter.end();
        const double part = differing(shown, drawn);
        QVERIFY2(part < 0.1, qPrintable(QString::number(part)));
    }

    /// A name without a suffix gets that of the chosen filter, for pictures and tables.
    static void filterAddsItsSuffix() {
        Opened opened;
        QVERIFY(opened.ready);
        QTemporaryDir folder;
        opened.window.docks().showPanel("summary");
        opened.window.docks().panel("summary")->setFocus();
        answerWithFilter(folder.filePath("a"), "PNG (*.png)");
        opened.window.action(ActionId::SavePart)->trigger();
        const QImage picture(folder.filePath("a.png"));
        QCOMPARE(picture.size(), opened.window.docks().panel("summary")->size() *
                                     opened.window.devicePixelRatioF());
        answerWithFilter(folder.filePath("b"), "SVG (*.svg)");
        opened.window.action(ActionId::SavePart)->trigger();
        QVERIFY(textsIn(contents(folder.filePath("b.svg")), "text").contains("Idle"));
        answerWithFilter(folder.filePath("window"), "SVG (*.svg)");
        opened.window.action(ActionId::SaveScreenshot)->trigger();
        QVERIFY(textsIn(contents(folder.filePath("window.svg")), "title").contains("Kinetoscope"));
        opened.window.docks().showPanel("kernels");
        answerWithFilter(folder.filePath("kernels"), "Markdown (*.md)");
        opened.window.action(ActionId::ExportTable)->trigger();
        QVERIFY(contents(folder.filePath("kernels.md")).startsWith("| "));
        QVERIFY(opened.window.errorBar().text().isEmpty());
    }

    /// What cannot be written is said, and nothing is left of it.
    static void unwritable() {
        Opened opened;
        QVERIFY(opened.ready);
        QTemporaryDir folder;
        answerFileDialog(folder.filePath("none/there.svg"));
        opened.window.action(ActionId::SavePart)->trigger();
        QVERIFY(opened.window.errorBar().text().contains("there.svg"));
        QVERIFY(QDir(folder.path()).isEmpty());
    }

    /// A plot's own menu writes that plot alone.
    static void plotMenu() {
        Opened opened;
        QVERIFY(opened.ready);
        QTemporaryDir folder;
        const QString path = folder.filePath("strip.svg");
        auto* view = qobject_cast<plots::TimelineView*>(opened.window.timeline());
        auto* strip = reinterpret_cast<QWidget*>(view->strips().front());
        QWidget* plot = plots::plotAt(*strip, strip->rect().center());
        QVERIFY(plot != nullptr);
        answerMenu("savePlot");
        answerFileDialog(path);
        QContextMenuEvent event(QContextMenuEvent::Mouse, plot->rect().center(),
                                plot->mapToGlobal(plot->rect().center()));
        QApplication::sendEvent(plot, &event);
        QTRY_VERIFY(QFile::exists(path));
        const QByteArray svg = contents(path);
        QVERIFY(textsIn(svg, "text").contains("GPU 0 busy"));
        QVERIFY(svg.contains(QByteArray("height=\"") + QByteArray::number(plot->height())));
    }

    /// The call tree as a table: all of it as CSV, what is open as Markdown; by what is shown.
    static void callTreeTables() {
        Opened opened;
        QVERIFY(opened.ready);
        QTemporaryDir folder;
        MainWindow& window = opened.window;
        const auto written = [&](const char* name, const char* filter) {
            answerWithFilter(folder.filePath(name), filter);
            window.action(ActionId::ExportTable)->trigger();
            return QString::fromUtf8(contents(folder.filePath(name)))
                .split('\n', Qt::SkipEmptyParts);
        };
        window.docks().showPanel("calltree");
        auto* panel = window.docks().panel("calltree");
        QTRY_VERIFY(panel->findChild<calls::FlameGraph*>()->rows().count() > 1);
        const QStringList csv = written("tree.csv", "CSV (*.csv)");
        QVERIFY(csv.size() > 50);
        QCOMPARE(csv.front(),
                 QString("level,name,total_ns,total_percent,self_ns,self_percent,calls"));
        TimeNs tops = 0;
        TimeNs own = 0;
        int before = -1;
        for (const QString& line : csv.mid(1)) {
            const QStringList cells = line.split(',');  // names may hold commas
            const int level = cells.front().toInt();
            QVERIFY(level <= before + 1);
            before = level;
            own += cells[cells.size() - 3].toLongLong();
            tops += level == 0 ? cells[cells.size() - 5].toLongLong() : 0;
        }
        TimeNs work = 0;
        for (const auto& operation : window.view().trace()->gpuOperations()) {
            work += window.view().trace()->duration(operation.slice);
        }
        QCOMPARE(tops, work);
        QCOMPARE(own, work);
        auto* shown = panel->findChild<QComboBox*>("shown");
        shown->setCurrentIndex(1);
        auto* rows = panel->findChild<calls::CallTreeView*>("topDown");
        rows->expand(rows->model()->index(0, 0));
        const QStringList open = written("tree.md", "Markdown (*.md)");
        QVERIFY(open.size() > 3 && open.size() < csv.size());
        QCOMPARE(open[0], QString("| Name | Total ms | Total % | Self ms | Self % | Calls |"));
        QCOMPARE(open[1], QString("| --- | ---: | ---: | ---: | ---: | ---: |"));
        QVERIFY(open[3].startsWith(QString("| ") + QChar(0xa0)));  // below the first
        shown->setCurrentIndex(2);                                 // bottom-up: the kernels
        QTRY_VERIFY(panel->findChild<calls::CallTreeView*>("bottomUp")->model()->rowCount() > 0);
        QVERIFY(written("up.csv", "CSV (*.csv)").value(1).startsWith("0,"));
        QVERIFY(contents(folder.filePath("up.csv")) != contents(folder.filePath("tree.csv")));
        // Of the selected time, though its rows were never in front.
        shown->setCurrentIndex(0);
        const TimeSpan all = window.view().trace()->extent();
        window.view().selectRange(TimeSpan{all.start, all.start + all.duration() / 2});
        QTRY_VERIFY(!window.docks().busy());
        const QStringList part = written("part.csv", "CSV (*.csv)");
        QVERIFY(part.size() > 1 && part != csv);
        QVERIFY(window.errorBar().text().isEmpty());
    }

    /// The flame graph's own menu writes it alone; its names are texts.
    static void flameGraphMenu() {
        Opened opened;
        QVERIFY(opened.ready);
        QTemporaryDir folder;
        opened.window.docks().showPanel("calltree");
        auto* flames = opened.window.docks().panel("calltree")->findChild<calls::FlameGraph*>();
        QTRY_VERIFY(flames->rows().count() > 1);
        const auto write = [&](const char* name) {
            answerMenu("savePlot");
            answerFileDialog(folder.filePath(name));
            QContextMenuEvent event(QContextMenuEvent::Mouse, flames->rect().center(),
                                    flames->mapToGlobal(flames->rect().center()));
            QApplication::sendEvent(flames, &event);
            return contents(folder.filePath(name));
        };
        const QByteArray svg = write("flames.svg");
        const QStringList texts = textsIn(svg, "text");
        QVERIFY2(texts.contains("run*"), qPrintable(texts.join('\n')));
        const QImage shown = flames->grab().toImage().convertToFormat(QImage::Format_RGB32);
        QImage drawn(shown.size(), QImage::Format_RGB32);
        drawn.fill(Qt::magenta);
        QSvgRenderer renderer(svg);
        QVERIFY(renderer.isValid());
        QPainter painter(&drawn);
        renderer.render(&painter);
        painter.end();
        const double part = differing(shown, drawn);
        QVERIFY2(part < 0.1, qPrintable(QString::number(part)));
        QVERIFY(!QImage::fromData(write("flames.png")).isNull());
    }

    /// Every panel of the registry is well-formed SVG, with the texts of its tables.
    static void everyPanel() {
        Opened opened;
        QVERIFY(opened.ready);
        for (const panels::PanelEntry& entry : panelTable()) {
            const QString id = QString::fromLatin1(entry.id);
            opened.window.docks().showPanel(id);
            QTRY_VERIFY(!opened.window.docks().busy());
            const QByteArray svg =
                plots::svgOf(*opened.window.docks().panel(id), QString::fromLatin1(entry.title));
            QCOMPARE(textsIn(svg, "title").value(0), QString::fromLatin1(entry.title));
            if (id == "kernels") {
                const QString texts = textsIn(svg, "text").join('\n');
                QVERIFY2(texts.contains("nvjet"), qPrintable(texts));
            }
        }
    }
};

}  // namespace

QTEST_MAIN(PictureTest)
#include "PictureTest.moc"
