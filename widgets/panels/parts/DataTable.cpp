// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/parts/DataTable.h"

#include <QClipboard>
#include <QContextMenuEvent>
#include <QGuiApplication>
#include <QHeaderView>
#include <QKeyEvent>
#include <QMenu>
#include <QPainter>
#include <QScopedValueRollback>
#include <QScrollBar>
#include <chrono>

#include "widgets/models/TableText.h"
#include "widgets/panels/parts/CellDelegate.h"
#include "widgets/style/Icons.h"
#include "widgets/style/Theme.h"

namespace kinetoscope::panels {

namespace {

constexpr int kRowsMeasured = 200;  // enough for a width that fits nearly always
constexpr int kHeaderRoom = 30;     // padding and the sort arrow
constexpr int kWidest = 340;
constexpr int kWidestNumber = 1200;  // what a file calls a number may have any length
constexpr int kMinName = 140;
constexpr int kNarrowTable = 220;     // beyond it a name keeps a part of a table that scrolls
constexpr int kWidestYielding = 900;  // where there is room for it
constexpr int kMinLast = 120;         // of a last column that takes what is left
constexpr int kNoteMargin = 6;
constexpr std::chrono::milliseconds kToldAfter(100);
constexpr int kFrozenName = 1;  // the rightmost column that can be a frozen name

}  // namespace

DataTable::DataTable(models::ColumnTableModel& model, QWidget* parent)
    : QTableView(parent), m_model(model), m_arranging(new QLabel(tr("sorting rows…"), this)) {
    setModel(&model);
    setItemDelegate(new CellDelegate(this));
    setFrameShape(QFrame::NoFrame);
    setShowGrid(false);
    setWordWrap(false);
    setMouseTracking(true);
    setSelectionBehavior(QAbstractItemView::SelectRows);
    setSelectionMode(QAbstractItemView::ExtendedSelection);
    setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    setTabKeyNavigation(false);
    verticalHeader()->hide();
    verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    verticalHeader()->setDefaultSectionSize(m_lines * fontMetrics().height() + 7);
    horizontalHeader()->setHighlightSections(false);
    // A number at the far edge of a wide window would be far from its row.
    horizontalHeader()->setStretchLastSection(
        !model.columns().back().alignment.testFlag(Qt::AlignRight));
    horizontalHeader()->setSortIndicatorClearable(true);
    horizontalHeader()->setSortIndicator(-1, Qt::DescendingOrder);
    // Before the rows are sorted: Qt follows each selected cell on its way, which takes long.
    connect(horizontalHeader(), &QHeaderView::sortIndicatorChanged, this, [this] {
        if (selectedRows().count > models::ColumnTableModel::kRowsAtOnce) {
            clearSelection();
        }
    });
    setSortingEnabled(true);
    m_frozen = std::make_unique<FrozenColumns>(*this);
    connectHeader();
    connect(&model, &QAbstractItemModel::modelReset, this, &DataTable::fitColumns);
    m_arranging->setObjectName(QStringLiteral("arranging"));
    m_arranging->setAutoFillBackground(true);
    m_arranging->setMargin(kNoteMargin);
    m_arranging->hide();
    m_toldLate.setSingleShot(true);
    connect(&m_toldLate, &QTimer::timeout, this, &DataTable::tellArranging);
    connect(&model, &models::ColumnTableModel::arrangingChanged, this, [this] {
        viewport()->setCursor(m_model.isArranging() ? Qt::BusyCursor : Qt::ArrowCursor);
        m_arranging->hide();
        m_toldLate.start(kToldAfter);
    });
    connect(&model, &QAbstractItemModel::dataChanged, this,
            [this](const QModelIndex& first, const QModelIndex& last) {
                keepNumbersWhole(first.row(), qMin(last.row(), first.row() + kRowsMeasured));
            });
    const auto keepShown = [this] { keepNumbersWhole(rowAt(0), rowAt(viewport()->height() - 1)); };
    connect(&model, &QAbstractItemModel::layoutChanged, this, keepShown);
    connect(verticalScrollBar(), &QScrollBar::valueChanged, this, keepShown);
    connect(selectionModel(), &QItemSelectionModel::selectionChanged, this,
            &DataTable::selectedRowsChanged);
    connect(&model, &QAbstractItemModel::modelReset, this, &DataTable::selectedRowsChanged);
    chooseRoles();
}

// In a corner, where it hides least.
void DataTable::tellArranging() {
    m_arranging->adjustSize();
    const QRect place = viewport()->geometry();
    m_arranging->move(place.right() - m_arranging->width(), place.bottom() - m_arranging->height());
    m_arranging->setVisible(m_model.isArranging());
    m_arranging->raise();
}

DataTable::SelectedRows DataTable::selectedRows() const {
    SelectedRows rows;
    std::vector<std::pair<int, int>> ranges;
    for (const QItemSelectionRange& range : selectionModel()->selection()) {
        ranges.emplace_back(range.top(), range.bottom());
        rows.count += static_cast<std::uint64_t>(range.height());
    }
    const int column = m_model.mainFigure();
    if (column >= 0 && rows.count > 0) {
        rows.column = m_model.columns()[static_cast<std::size_t>(column)].header;
        rows.figure = m_model.sumOf(column, ranges);
    }
    return rows;
}

void DataTable::connectHeader() {
    connect(horizontalHeader(), &QHeaderView::sectionResized, this,
            [this](int column, int /*before*/, int width) {
                // The last column also follows the window; any other only the user's hand.
                const bool byHand = !m_fitting && QGuiApplication::mouseButtons() != Qt::NoButton &&
                                    column + 1 < m_model.columnCount();
                if (byHand) {
                    m_userSized.insert(column);
                }
                if (byHand && isNumber(column) && width < m_natural.value(column)) {
                    setWidth(column, m_natural.value(column));
                }
                if (!m_fitting && column != m_yielding) {
                    fitYielding();
                }
            });
}

bool DataTable::isNumber(int column) const {
    return m_model.columns()[static_cast<std::size_t>(column)].alignment.testFlag(Qt::AlignRight);
}

// Otherwise: the first texts are the name, which is elided and stays in sight.
void DataTable::chooseRoles() {
    int name = -1;
    bool numbers = false;
    for (int column = m_model.columnCount() - 1; column >= 0; --column) {
        numbers = numbers || isNumber(column);
        name = isNumber(column) ? name : column;
    }
    // A short text before the name, like a verdict, leaves that to the next one.
    if (name == 0 && m_model.columnCount() > 1 && !isNumber(1) && m_widest.contains(1)) {
        name = 1;
    }
    m_yielding = m_toldYielding.value_or(numbers ? name : -1);
    m_leastYielding = m_toldYielding ? m_leastYielding : kMinName;
    const bool freezes = numbers && name >= 0 && name <= kFrozenName;
    m_frozen->setCount(qMin(m_toldFrozen.value_or(freezes ? name + 1 : 0), m_model.columnCount()));
}

void DataTable::setEmptyText(const QString& text) {
    m_emptyText = text;
    viewport()->update();
}

void DataTable::setWidest(int column, int pixels) {
    m_widest[column] = pixels;
    chooseRoles();
}

void DataTable::setYielding(int column, int least) {
    m_toldYielding = column;
    m_leastYielding = least;
    chooseRoles();
}

void DataTable::setFrozen(int columns) {
    m_toldFrozen = columns;
    chooseRoles();
}

void DataTable::setWidth(int column, int width) {
    const QScopedValueRollback fitting(m_fitting, true);
    setColumnWidth(column, width);
}

int DataTable::textWidth(int row, int column, const QStyleOptionViewItem& option) const {
    return itemDelegate()->sizeHint(option, m_model.index(row, column)).width();
}

void DataTable::fitColumn(int column, const QStyleOptionViewItem& option) {
    const QString header = m_model.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
    int width = fontMetrics().horizontalAdvance(header) + kHeaderRoom;
    if (m_model.rowCount() == 0) {
        width = qMax(width, m_natural.value(column));  // as wide as its rows were
    }
    for (int row = 0; row < qMin(m_model.rowCount(), kRowsMeasured); ++row) {
        width = qMax(width, textWidth(row, column, option));
    }
    // A number is never cut, wherever it stands.
    const int largest = m_model.rowCount() > kRowsMeasured ? m_model.rowOfLargest(column) : -1;
    if (largest >= 0) {
        width = qMax(width, textWidth(largest, column, option));
    }
    const int widest = m_widest.value(column, kWidest);
    width = qMin(width, isNumber(column)       ? kWidestNumber
                        : column == m_yielding ? qMax(widest, kWidestYielding)
                                               : widest);
    m_natural[column] = width;
    const bool cutsNumber = isNumber(column) && columnWidth(column) < width;
    if (!m_userSized.contains(column) || cutsNumber) {
        setWidth(column, width);
    }
}

void DataTable::fitColumns() {
    if (!isVisible()) {
        return;  // before the first show nothing is known about the font
    }
    chooseRoles();
    QStyleOptionViewItem option;
    initViewItemOption(&option);
    const int fitted = m_model.columnCount() - (m_lastElides ? 1 : 0);
    for (int column = 0; column < fitted; ++column) {
        fitColumn(column, option);
    }
    fitYielding();
    m_frozen->layOut();
}

// Beyond the rows that were measured, a shorter number may have the longer text.
void DataTable::keepNumbersWhole(int firstRow, int lastRow) {
    const int last = lastRow < 0 ? m_model.rowCount() - 1 : lastRow;
    if (!isVisible() || firstRow < 0) {
        return;
    }
    QStyleOptionViewItem option;
    initViewItemOption(&option);
    for (int column = 0; column < m_model.columnCount(); ++column) {
        if (!isNumber(column) || isColumnHidden(column)) {
            continue;
        }
        int width = m_natural.value(column);
        for (int row = firstRow; row <= qMin(last, firstRow + kRowsMeasured); ++row) {
            width = qMax(width, textWidth(row, column, option));
        }
        m_natural[column] = qMin(width, kWidestNumber);
        if (columnWidth(column) < m_natural[column]) {
            setWidth(column, m_natural[column]);
        }
    }
    fitYielding();
}

void DataTable::fitYielding() {
    if (m_yielding < 0 || m_userSized.contains(m_yielding) || isColumnHidden(m_yielding)) {
        return;
    }
    const int last = m_model.columnCount() - 1;
    int room = viewport()->width();
    for (int column = 0; column <= last; ++column) {
        if (column == m_yielding || isColumnHidden(column)) {
            continue;
        }
        // The last one may be wider than it needs.
        const bool stretched = column == last && horizontalHeader()->stretchLastSection();
        room -= stretched ? m_natural.value(column, kMinLast) : columnWidth(column);
    }
    const int wanted = m_natural.value(m_yielding);
    if (wanted > 0) {
        // Where numbers have to be scrolled to anyway, a name need not be as short as it can be.
        const int part = room < m_leastYielding ? 2 * (viewport()->width() - kNarrowTable) / 5 : 0;
        const int least = qMax(m_leastYielding, part);
        setWidth(m_yielding, qBound(qMin(least, wanted), room, wanted));
    }
}

void DataTable::showEvent(QShowEvent* event) {
    QTableView::showEvent(event);
    // Asked for again, it would take from each row the height that it has of its own.
    if (const int height = m_lines * fontMetrics().height() + 7;
        verticalHeader()->defaultSectionSize() != height) {
        verticalHeader()->setDefaultSectionSize(height);
    }
    fitColumns();
    emit selectedRowsChanged();
}

void DataTable::hideEvent(QHideEvent* event) {
    QTableView::hideEvent(event);
    emit selectedRowsChanged();
}

void DataTable::resizeEvent(QResizeEvent* event) {
    QTableView::resizeEvent(event);
    fitYielding();
    m_frozen->layOut();
}

QModelIndex DataTable::indexAt(const QPoint& at) const {
    // Views call it while they are constructed.
    const auto column = m_frozen == nullptr ? std::nullopt : m_frozen->columnAt(at.x());
    return column ? m_model.index(rowAt(at.y()), *column) : QTableView::indexAt(at);
}

QRect DataTable::visualRect(const QModelIndex& index) const {
    const QRect cell = QTableView::visualRect(index);
    const bool isFrozen = m_frozen != nullptr && index.isValid() &&
                          index.column() < m_frozen->count() && m_frozen->active();
    return isFrozen ? QRect(m_frozen->left(index.column()), cell.top(), cell.width(), cell.height())
                    : cell;
}

// A frozen cell is in sight, however far the others are scrolled.
void DataTable::scrollTo(const QModelIndex& index, ScrollHint hint) {
    const int sideways = horizontalScrollBar()->value();
    const bool isFrozen = m_frozen != nullptr && index.column() < m_frozen->count();
    const bool wasActive = m_frozen != nullptr && m_frozen->active();
    QTableView::scrollTo(index, hint);
    if (isFrozen && wasActive) {
        horizontalScrollBar()->setValue(sideways);
    } else if (m_frozen != nullptr && m_frozen->active() && index.isValid()) {
        // What Qt takes for the left edge lies below the frozen ones.
        const int covered = m_frozen->width() - QTableView::visualRect(index).left();
        horizontalScrollBar()->setValue(horizontalScrollBar()->value() - qMax(0, covered));
    }
}

void DataTable::scrollContentsBy(int dx, int dy) {
    QTableView::scrollContentsBy(dx, dy);
    if (dx != 0) {
        viewport()->update();  // Qt moves the pixels, frozen ones too
    }
}

void DataTable::paintFrozen(QPainter& painter) {
    QStyleOptionViewItem option;
    initViewItemOption(&option);
    const QPoint pointer = viewport()->mapFromGlobal(QCursor::pos());
    const QModelIndex hovered = viewport()->underMouse() ? indexAt(pointer) : QModelIndex();
    m_frozen->paint(painter, [&](QPainter& on, const QRect& rect, int row, int column) {
        const QModelIndex index = m_model.index(row, column);
        QStyleOptionViewItem cell = option;
        cell.rect = rect;
        cell.state.setFlag(QStyle::State_Selected, selectionModel()->isSelected(index));
        cell.state.setFlag(QStyle::State_MouseOver, index == hovered);
        itemDelegate()->paint(&on, cell, index);
    });
}

void DataTable::paintEvent(QPaintEvent* event) {
    QTableView::paintEvent(event);
    if (m_frozen->active()) {
        QPainter painter(viewport());
        paintFrozen(painter);
    }
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
        QGuiApplication::clipboard()->setText(m_model.copiedText(cell.row(), cell.column()));
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
    if (event->key() == Qt::Key_Escape && selectionModel()->hasSelection()) {
        clearSelection();
        setCurrentIndex({});
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
