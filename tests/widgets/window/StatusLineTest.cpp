// SPDX-License-Identifier: GPL-3.0-or-later
// The status bar says what is selected and what it amounts to, and nothing in it jumps.
#include <QLabel>
#include <QLineEdit>
#include <QStatusBar>
#include <cmath>
#include "tests/Patience.h"

#include "app/kinetoscope/MainWindow.h"
#include "app/kinetoscope/status/StatusLine.h"
#include "core/analysis/GpuBusy.h"
#include "core/text/Format.h"
#include "tests/widgets/WindowTestSupport.h"
#include "widgets/models/KernelTableModel.h"
#include "widgets/panels/parts/DataTable.h"
#include "widgets/style/ElidedLabel.h"

using namespace kinetoscope;
using namespace kinetoscope::app;
using namespace kinetoscope::style;

namespace {

QString durationText(double ns) {
    return QString::fromStdString(text::formatDuration(std::llround(ns)));
}

struct Opened {
    Opened() {
        window.resize(1600, 1000);
        window.show();
        window.openFiles({samplePath()});
        ready = waitFor([&] { return window.session().reports().report() != nullptr; });
    }
    QLabel& field(const char* name) { return *window.statusBar()->findChild<QLabel*>(name); }
    ElidedLabel& label(const char* name) {
        return *window.statusBar()->findChild<ElidedLabel*>(name);
    }
    session::ViewState& view() { return window.view(); }
    const trace::Trace& trace() { return *window.view().trace(); }
    panels::DataTable& kernels() {
        window.docks().showPanel("kernels");
        for (auto* table : window.docks().panel("kernels")->findChildren<panels::DataTable*>()) {
            if (qobject_cast<const models::KernelTableModel*>(table->model()) != nullptr) {
                return *table;
            }
        }
        qFatal("no table of kernels");
    }
    void clickRow(panels::DataTable& table, int row, Qt::KeyboardModifiers keys = {}) {
        const QModelIndex index = table.model()->index(row, 0);
        table.scrollTo(index);
        QTest::mouseClick(table.viewport(), Qt::LeftButton, keys, table.visualRect(index).center());
    }
    /// Where everything at the right stands.
    QList<QRect> places() {
        QApplication::processEvents();
        QList<QRect> all;
        for (const char* name : {"rangeBusy", "selectedRows", "hits", "visible"}) {
            all.append(field(name).geometry());
        }
        return all;
    }

    session::Settings settings{session::Settings::InMemory{}};
    MainWindow window{settings};
    bool ready = false;
};

class StatusLineTest final : public QObject {
    Q_OBJECT

private slots:
    static void init() { failOnQtWarnings(); }

    static void aSliceHasItsShare() {
        Opened opened;
        QVERIFY(opened.ready);
        QVERIFY(opened.label("contents").text().contains("slices"));
        QVERIFY(!opened.label("selection").isVisible());
        // A kernel that runs within one step.
        const auto& steps = opened.window.session().reports().report()->steps;
        QVERIFY(!steps.empty());
        trace::SliceId inside = trace::kNoSlice;
        const analysis::Step* around = nullptr;
        for (const trace::GpuOperation& operation : opened.trace().gpuOperations()) {
            const TimeSpan span = opened.trace().span(operation.slice);
            int holders = 0;
            for (const analysis::Step& step : steps) {
                if (step.span.start <= span.start && span.end <= step.span.end) {
                    ++holders;
                    around = &step;
                }
            }
            if (holders == 1) {
                inside = operation.slice;
                break;
            }
        }
        QVERIFY(inside != trace::kNoSlice);
        opened.view().select(inside);
        const auto length = static_cast<double>(opened.trace().duration(inside));
        QCOMPARE(opened.label("selection").text(),
                 QString::fromStdString(std::string(opened.trace().name(inside))));
        QCOMPARE(opened.field("selectionFigures").text(),
                 QStringLiteral("%1, %2 % of step %3")
                     .arg(durationText(length))
                     .arg(100.0 * length / static_cast<double>(around->span.duration()), 0, 'f', 1)
                     .arg(around->number));
        QVERIFY(opened.field("selectionFigures").isVisible());
        QVERIFY(!opened.label("contents").isVisible());
        // Of the selected time where there is one: here it has half of the kernel.
        const TimeSpan span = opened.trace().span(inside);
        opened.view().selectRange(TimeSpan{span.start + span.duration() / 2, span.end});
        QCOMPARE(opened.field("selectionFigures").text(),
                 QStringLiteral("%1, 100.0 % of the selected time").arg(durationText(length)));
        opened.view().selectRange(std::nullopt);
        opened.view().select(trace::kNoSlice);
        QVERIFY(opened.label("contents").isVisible());
        QVERIFY(!opened.field("selectionFigures").isVisible());
    }

    static void selectedTimeSaysHowBusyItWas() {
        Opened opened;
        QVERIFY(opened.ready);
        QVERIFY(opened.field("rangeBusy").text().isEmpty());
        const TimeSpan all = opened.trace().extent();
        const TimeSpan range{all.start + all.duration() / 3, all.start + all.duration() / 2};
        opened.view().selectRange(range);
        const auto gpus = analysis::busyStrips(opened.trace());
        double share = 0.0;
        for (const analysis::BusyStrips& gpu : gpus) {
            TimeNs busy = 0;
            for (const TimeSpan span : gpu.all) {
                busy += range.clip(span).duration();
            }
            share += static_cast<double>(busy) / static_cast<double>(range.duration());
        }
        QVERIFY(share > 0.0);
        QVERIFY2(
            opened.field("rangeBusy")
                .text()
                .contains(QStringLiteral(" %1 % busy")
                              .arg(100.0 * share / static_cast<double>(gpus.size()), 0, 'f', 1)),
            qPrintable(opened.field("rangeBusy").text()));
        opened.view().selectRange(std::nullopt);
        QVERIFY(opened.field("rangeBusy").text().isEmpty());
    }

    static void rowsOfATableAreSummed() {
        Opened opened;
        QVERIFY(opened.ready);
        panels::DataTable& table = opened.kernels();
        const auto& model = static_cast<const models::ColumnTableModel&>(*table.model());
        QTRY_VERIFY(model.rowCount() >= 3);
        int total = -1;
        for (int column = 0; column < model.columnCount(); ++column) {
            total = model.columns()[static_cast<std::size_t>(column)].key == "total_ns" ? column
                                                                                        : total;
        }
        QVERIFY(total >= 0);
        opened.clickRow(table, 0);
        const double first = model.exportText(0, total).toDouble();
        QCOMPARE(opened.field("selectedRows").text(),
                 QStringLiteral("1 row: %1").arg(durationText(first)));
        opened.clickRow(table, 2, Qt::ControlModifier);
        const double third = model.exportText(2, total).toDouble();
        QCOMPARE(opened.field("selectedRows").text(),
                 QStringLiteral("2 rows: %1, mean %2")
                     .arg(durationText(first + third), durationText((first + third) / 2)));
        // What no one sees is not told; it is still selected when its panel is in front again.
        opened.window.docks().bringForward(QStringLiteral("steps"));
        QTRY_VERIFY(opened.field("selectedRows").text().isEmpty());
        opened.window.docks().bringForward(QStringLiteral("kernels"));
        QTRY_VERIFY(opened.field("selectedRows").text().startsWith("2 rows: "));
        opened.clickRow(table, 0);
        opened.clickRow(table, 2, Qt::ShiftModifier);
        QVERIFY(opened.field("selectedRows").text().startsWith("3 rows: "));
        QVERIFY(opened.field("selectedRows").toolTip().contains("Total"));
        QTest::keyClick(&table, Qt::Key_Escape);
        QVERIFY(opened.field("selectedRows").text().isEmpty());
    }

    static void aTableThatIsGoneHasNoRows() {
        Opened opened;
        QVERIFY(opened.ready);
        auto& model = static_cast<models::ColumnTableModel&>(*opened.kernels().model());
        QTRY_VERIFY(model.rowCount() > 0);
        auto* table = new panels::DataTable(model, &opened.window);
        opened.window.statusBar()->findChild<StatusLine*>()->follow(*table);
        table->resize(600, 400);
        table->show();
        opened.clickRow(*table, 0);
        QVERIFY(opened.field("selectedRows").text().startsWith("1 row: "));
        delete table;
        QVERIFY(opened.field("selectedRows").text().isEmpty());
    }

    static void hitsAreCounted() {
        Opened opened;
        QVERIFY(opened.ready);
        opened.window.session().find().setText("aten");
        const auto& find = opened.window.session().find();
        QTRY_VERIFY(find.result() && !find.busy());
        QVERIFY(find.count() > 1);
        QCOMPARE(opened.field("hits").text(),
                 QStringLiteral("%1 hits").arg(QString::fromStdString(
                     text::formatCount(static_cast<std::int64_t>(find.count())))));
        opened.window.session().find().setText({});
        QTRY_VERIFY(opened.field("hits").text().isEmpty());
    }

    static void nothingAtTheRightJumps() {
        Opened opened;
        QVERIFY(opened.ready);
        opened.window.resize(1280, 800);
        const QList<QRect> before = opened.places();
        for (const QRect& place : before) {
            QVERIFY(place.width() > 40);
        }
        const auto everyTextFits = [&] {
            for (const char* name : {"rangeBusy", "selectedRows", "hits", "visible"}) {
                const QLabel& field = opened.field(name);
                QVERIFY2(field.fontMetrics().horizontalAdvance(field.text()) <= field.width(),
                         name);
            }
        };
        everyTextFits();  // with the longest time in view
        const auto whole = static_cast<double>(opened.trace().extent().duration());
        QCOMPARE(opened.field("visible").text(), durationText(whole) + " in view");
        opened.view().select(opened.trace().gpuOperations()[0].slice);
        QCOMPARE(opened.places(), before);
        const TimeSpan all = opened.trace().extent();
        opened.view().selectRange(TimeSpan{all.start, all.start + 1'234});
        QCOMPARE(opened.places(), before);
        opened.view().setVisible({all.start, all.start + 7});
        QCOMPARE(opened.places(), before);
        opened.clickRow(opened.kernels(), 0);
        QCOMPARE(opened.places(), before);
        everyTextFits();
        QVERIFY(opened.label("selection").width() > 20);
    }

    static void narrowWindowsKeepTheSelection() {
        Opened opened;
        QVERIFY(opened.ready);
        opened.view().select(opened.trace().gpuOperations()[0].slice);
        QWidget* line = opened.field("visible").parentWidget();
        line->resize(800, line->height());
        QVERIFY(!opened.field("selectedRows").isVisible());
        QVERIFY(!opened.field("rangeBusy").isVisible());
        QVERIFY(opened.field("visible").isVisible());
        QVERIFY(line->minimumSizeHint().width() <= 200);
    }
};

}  // namespace

QTEST_MAIN(StatusLineTest)
#include "StatusLineTest.moc"
