// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractButton>
#include <QApplication>
#include <QComboBox>
#include <QHeaderView>
#include <QLineEdit>
#include <QTableView>
#include "tests/Patience.h"

#include "app/kinetoscope/MainWindow.h"
#include "tests/widgets/TimelineFixture.h"
#include "widgets/models/details/DetailsModel.h"
#include "widgets/panels/parts/DataTable.h"
#include "widgets/plots/TimelineView.h"
#include "widgets/style/FigureTile.h"
#include "widgets/timeline/TimelineWidget.h"

namespace kinetoscope::app {

inline constexpr int kMaxActions = 3;

/// What a person does, counted.
class CountedActions {
public:
    [[nodiscard]] int count() const { return m_count; }

    void key(QWidget& window, Qt::Key key, Qt::KeyboardModifiers modifiers = {}) {
        ++m_count;
        QTest::keyClick(&window, key, modifiers);
    }
    void type(const QString& text) {
        ++m_count;
        const auto field = [] { return qobject_cast<QLineEdit*>(QApplication::focusWidget()); };
        QVERIFY(waitFor([&] { return field() != nullptr; }));
        QTest::keyClicks(field(), text);
    }
    void click(QAbstractButton& button) {
        ++m_count;
        QVERIFY(button.isVisible() && button.isEnabled());
        QTest::mouseClick(&button, Qt::LeftButton);
    }
    void click(QTableView& table, int row, int column) {
        ++m_count;
        QTest::mouseClick(table.viewport(), Qt::LeftButton, {}, cell(table, row, column));
    }
    void doubleClick(QTableView& table, int row, int column) {
        ++m_count;
        QTest::mouseClick(table.viewport(), Qt::LeftButton, {}, cell(table, row, column));
        QTest::mouseDClick(table.viewport(), Qt::LeftButton, {}, cell(table, row, column));
    }
    void click(QWidget& widget, QPoint at) {
        ++m_count;
        QVERIFY(widget.isVisible() && widget.rect().contains(at));
        movePointer(widget, at);
        QTest::mouseClick(&widget, Qt::LeftButton, {}, at);
    }
    /// Opens the list and takes the entry.
    void choose(QComboBox& box, int index) {
        ++m_count;
        QVERIFY(box.isVisible() && box.isEnabled());
        QTest::mouseClick(&box, Qt::LeftButton);
        QAbstractItemView& list = *box.view();
        QVERIFY(waitFor([&list] { return list.isVisible(); }));
        const QModelIndex entry = box.model()->index(index, box.modelColumn());
        QTest::mouseMove(list.viewport(), list.visualRect(entry).center());
        list.setCurrentIndex(entry);
        QTest::keyClick(&list, Qt::Key_Return);
        QCOMPARE(box.currentIndex(), index);
    }
    void clickHeader(QTableView& table, int column) {
        ++m_count;
        table.scrollTo(table.model()->index(0, column));
        QHeaderView* header = table.horizontalHeader();
        QTest::mouseClick(
            header->viewport(), Qt::LeftButton, {},
            QPoint(header->sectionViewportPosition(column) + 12, header->height() / 2));
    }
    void drag(QWidget& widget, QPoint from, QPoint to, Qt::KeyboardModifiers modifiers = {}) {
        ++m_count;
        QTest::mousePress(&widget, Qt::LeftButton, modifiers, from);
        movePointer(widget, (from + to) / 2, Qt::LeftButton, modifiers);
        movePointer(widget, to, Qt::LeftButton, modifiers);
        QTest::mouseRelease(&widget, Qt::LeftButton, modifiers, to);
    }

private:
    static QPoint cell(QTableView& table, int row, int column) {
        return table.visualRect(table.model()->index(row, column)).center();
    }

    int m_count = 0;
};

struct Desk {
    session::Settings settings{session::Settings::InMemory{}};
    MainWindow window{settings};
    CountedActions act;

    explicit Desk(const QStringList& paths = {}) {
        QFETCH_GLOBAL(QSize, size);
        window.resize(size);
        window.show();
        window.activateWindow();
        window.openFiles(paths);
    }
    bool ready() {
        return waitFor([&] {
            return window.view().trace() && window.session().reports().report() &&
                   !window.session().reports().busy() && !window.docks().busy() &&
                   !window.loader().isLoading();
        });
    }
    template <class T>
    T& part(const char* panel, const char* name = "") {
        return *window.docks().panel(panel)->findChild<T*>(QString::fromLatin1(name));
    }
    QString text(const char* panel, const char* table, int row, int column) {
        return part<panels::DataTable>(panel, table).model()->index(row, column).data().toString();
    }
    const trace::Trace& trace() { return *window.view().trace(); }
    trace::SliceId selected() { return window.view().selected(); }
    /// Row of a line of Details; -1: there is none.
    int detailRow(const QString& label) {
        const auto& table = part<panels::DataTable>("details");
        for (int row = 0; row < table.model()->rowCount(); ++row) {
            if (table.model()->index(row, models::DetailsModel::Label).data().toString() == label) {
                return row;
            }
        }
        return -1;
    }
    /// Value of a line of Details.
    QString detail(const QString& label) {
        const auto& table = part<panels::DataTable>("details");
        const int row = detailRow(label);
        return row < 0 ? QString()
                       : table.model()->index(row, models::DetailsModel::Value).data().toString();
    }
    timeline::TimelineWidget& timeline() {
        return qobject_cast<plots::TimelineView*>(window.timeline())->timeline();
    }
    /// Whether the slice is in the time and rows on screen.
    bool isInView(trace::SliceId slice) {
        const auto box = timeline().sliceBox(slice);
        return box && QRectF(timeline().timeArea()).intersects(*box) &&
               window.view().visible().contains(trace().start(slice));
    }
    /// Every figure of the Summary, one after the other.
    QString figures() {
        QStringList texts;
        for (const style::FigureTile* tile :
             window.docks().panel("summary")->findChildren<style::FigureTile*>()) {
            texts += tile->text();
        }
        return texts.join(' ');
    }
};

}  // namespace kinetoscope::app
