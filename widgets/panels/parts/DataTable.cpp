// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/parts/DataTable.h"

#include <QClipboard>
#include <QContextMenuEvent>
#include <QGuiApplication>
#include <QHeaderView>
#include <QKeyEvent>
#include <QMenu>
#include <QPainter>

#include "widgets/models/TableText.h"
#include "widgets/panels/parts/CellDelegate.h"
#include "widgets/style/Icons.h"
#include "widgets/style/Theme.h"

namespace kinetoscope::panels {

namespace {

constexpr int kRowsMeasured = 200;  // enough for a width that fits nearly always
constexpr int kHeaderRoom = 30;     // padding and the sort arrow
constexpr int kWidest = 340;

}  // namespace

DataTable::DataTable(models::ColumnTableModel& model, QWidget* parent)
    : QTableView(parent), m_model(model) {
    setModel(&model);
    setItemDelegate(new CellDelegate(this));
    setFrameShape(QFrame::NoFrame);
    setShowGrid(false);
    setWordWrap(false);
    setMouseTracking(true);
    setSelectionBehavior(QAbstractItemView::SelectRows);
    setSelectionMode(QAbstractItemView::SingleSelection);
    setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    setTabKeyNavigation(false);
    verticalHeader()->hide();
    verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 7);
    horizontalHeader()->setHighlightSections(false);
    // A number at the far edge of a wide window would be far from its row.
    horizontalHeader()->setStretchLastSection(
        !model.columns().back().alignment.testFlag(Qt::AlignRight));
    horizontalHeader()->setSortIndicatorClearable(true);
    horizontalHeader()->setSortIndicator(-1, Qt::DescendingOrder);
    setSortingEnabled(true);
    connect(horizontalHeader(), &QHeaderView::sectionResized, this, [this](int column) {
        // The last column also follows the window; any other only the user's hand.
        const bool byHand = QGuiApplication::mouseButtons() != Qt::NoButton;
        m_userSized = m_userSized || (byHand && column + 1 < m_model.columnCount());
        if (column != m_yielding) {
            fitYielding();
        }
    });
    connect(&model, &QAbstractItemModel::modelReset, this, &DataTable::fitColumns);
}

void DataTable::setEmptyText(const QString& text) {
    m_emptyText = text;
    viewport()->update();
}

void DataTable::setWidest(int column, int pixels) {
    m_widest[column] = pixels;
}

void DataTable::setYielding(int column, int least) {
    m_yielding = column;
    m_leastYielding = least;
}

void DataTable::fitColumns() {
    // A size the user gave stays; before the first show nothing is known about the font.
    if (!isVisible() || m_userSized) {
        return;
    }
    QStyleOptionViewItem option;
    initViewItemOption(&option);
    const int fitted = m_model.columnCount() - (m_lastElides ? 1 : 0);
    for (int column = 0; column < fitted; ++column) {
        const QString header =
            m_model.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
        int width = fontMetrics().horizontalAdvance(header) + kHeaderRoom;
        if (m_model.rowCount() == 0) {
            width = qMax(width, columnWidth(column));  // as wide as its rows were
        }
        for (int row = 0; row < qMin(m_model.rowCount(), kRowsMeasured); ++row) {
            const QModelIndex index = m_model.index(row, column);
            width = qMax(width, itemDelegate()->sizeHint(option, index).width());
        }
        // A number is never cut, wherever it stands.
        const int largest = m_model.rowCount() > kRowsMeasured ? m_model.rowOfLargest(column) : -1;
        if (largest >= 0) {
            const QModelIndex index = m_model.index(largest, column);
            width = qMax(width, itemDelegate()->sizeHint(option, index).width());
        }
        width = qMin(width, m_widest.value(column, kWidest));
        setColumnWidth(column, width);
        if (column == m_yielding) {
            m_wantedYielding = width;
        }
    }
    fitYielding();
}

void DataTable::fitYielding() {
    if (m_yielding < 0 || m_userSized) {
        return;
    }
    int room = viewport()->width();
    for (int column = 0; column < m_model.columnCount(); ++column) {
        room -= column == m_yielding ? 0 : columnWidth(column);
    }
    setColumnWidth(m_yielding,
                   qBound(qMin(m_leastYielding, m_wantedYielding), room, m_wantedYielding));
}

void DataTable::showEvent(QShowEvent* event) {
    QTableView::showEvent(event);
    verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 7);
    fitColumns();
}

void DataTable::resizeEvent(QResizeEvent* event) {
    QTableView::resizeEvent(event);
    fitYielding();
}

void DataTable::paintEvent(QPaintEvent* event) {
    QTableView::paintEvent(event);
    if (m_model.rowCount() == 0 && !m_emptyText.isEmpty()) {
        QPainter painter(viewport());
        painter.setPen(style::Theme::current().mutedText());
        painter.drawText(viewport()->rect().adjusted(24, 8, -24, -8),
                         Qt::AlignCenter | Qt::TextWordWrap, m_emptyText);
    }
}

void DataTable::copyCell() {
    if (currentIndex().isValid()) {
        const QModelIndex cell = currentIndex();
        QGuiApplication::clipboard()->setText(m_model.wholeText(cell.row(), cell.column()));
    }
}

void DataTable::copyCsv() const {
    QGuiApplication::clipboard()->setText(models::tableAsCsv(m_model));
}

void DataTable::copyMarkdown() const {
    QGuiApplication::clipboard()->setText(models::tableAsMarkdown(m_model));
}

void DataTable::keyPressEvent(QKeyEvent* event) {
    if (event->matches(QKeySequence::Copy)) {
        copyCell();
        return;
    }
    QTableView::keyPressEvent(event);
}

void DataTable::contextMenuEvent(QContextMenuEvent* event) {
    QMenu menu(this);  // actions() are those of the row that the table's owner added
    const QModelIndex cell = indexAt(event->pos());
    if (cell.isValid()) {
        setCurrentIndex(cell);
        menu.addActions(actions());
        menu.addSeparator();
        menu.addAction(style::themedIcon(QStringLiteral("copy")), tr("Copy cell"), this,
                       &DataTable::copyCell);
        menu.addSeparator();
    }
    menu.addAction(tr("Copy table as CSV"), this, &DataTable::copyCsv);
    menu.addAction(tr("Copy table as Markdown"), this, &DataTable::copyMarkdown);
    menu.exec(event->globalPos());
}

}  // namespace kinetoscope::panels
