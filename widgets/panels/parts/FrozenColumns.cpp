// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/parts/FrozenColumns.h"

#include <QScopedValueRollback>
#include <QScrollBar>

#include "widgets/style/Theme.h"

namespace kinetoscope::panels {

namespace {

constexpr int kMinBeside = 80;  // pixels that the scrolled columns need

}  // namespace

FrozenColumns::FrozenColumns(QTableView& table)
    : m_table(table), m_header(new QHeaderView(Qt::Horizontal, &table)) {
    QHeaderView& real = *table.horizontalHeader();
    m_header->setModel(table.model());
    m_header->setObjectName(QStringLiteral("frozenHeader"));
    m_header->setSectionsClickable(true);
    m_header->setHighlightSections(false);
    m_header->setSortIndicatorShown(true);
    m_header->setSortIndicatorClearable(true);
    m_header->setSortIndicator(real.sortIndicatorSection(), real.sortIndicatorOrder());
    m_header->setFocusPolicy(Qt::NoFocus);
    m_header->hide();
    // Either header updates the other, which does not answer once both are equal.
    connect(m_header, &QHeaderView::sortIndicatorChanged, &real, &QHeaderView::setSortIndicator);
    connect(&real, &QHeaderView::sortIndicatorChanged, m_header, &QHeaderView::setSortIndicator);
    connect(m_header, &QHeaderView::sectionResized, this, [this](int column, int, int size) {
        if (!m_syncing && column < m_count) {
            m_table.setColumnWidth(column, size);
        }
    });
    connect(&real, &QHeaderView::sectionResized, this, &FrozenColumns::layOut);
    connect(&real, &QHeaderView::geometriesChanged, this, &FrozenColumns::layOut);
    connect(table.horizontalScrollBar(), &QScrollBar::valueChanged, this, &FrozenColumns::layOut);
}

void FrozenColumns::setCount(int columns) {
    m_count = columns;
    layOut();
}

int FrozenColumns::width() const {
    int sum = 0;
    for (int column = 0; column < m_count; ++column) {
        sum += m_table.columnWidth(column);
    }
    return sum;
}

bool FrozenColumns::active() const {
    return m_count > 0 && m_table.horizontalScrollBar()->value() > 0 &&
           width() + kMinBeside <= m_table.viewport()->width();
}

int FrozenColumns::left(int column) const {
    int sum = 0;
    for (int before = 0; before < column; ++before) {
        sum += m_table.columnWidth(before);
    }
    return sum;
}

std::optional<int> FrozenColumns::columnAt(int x) const {
    int right = 0;
    for (int column = 0; active() && column < m_count; ++column) {
        right += m_table.columnWidth(column);
        if (x < right) {
            return column;
        }
    }
    return std::nullopt;
}

void FrozenColumns::paint(QPainter& painter, const PaintCell& paintCell) const {
    if (!active()) {
        return;
    }
    const style::Theme& theme = style::Theme::current();
    const int height = m_table.viewport()->height();
    painter.fillRect(0, 0, width(), height, theme.base());
    const int rows = m_table.model()->rowCount();
    int row = m_table.rowAt(0);
    for (; row >= 0 && row < rows && m_table.rowViewportPosition(row) < height; ++row) {
        for (int column = 0; column < m_count; ++column) {
            const QRect cell(left(column), m_table.rowViewportPosition(row),
                             m_table.columnWidth(column), m_table.rowHeight(row));
            if (cell.width() > 0) {
                painter.save();
                painter.setClipRect(cell);
                paintCell(painter, cell, row, column);
                painter.restore();
            }
        }
    }
    painter.fillRect(width() - 1, 0, 1, height, theme.border());
}

void FrozenColumns::layOut() {
    if (m_syncing) {
        return;
    }
    const QScopedValueRollback syncing(m_syncing, true);
    if (active() && !m_table.horizontalHeader()->isHidden()) {
        const QRect real = m_table.horizontalHeader()->geometry();
        m_header->setGeometry(real.left(), real.top(), width(), real.height());
        for (int column = 0; column < m_count; ++column) {
            m_header->setSectionHidden(column, m_table.isColumnHidden(column));
            if (!m_table.isColumnHidden(column)) {
                m_header->resizeSection(column, m_table.columnWidth(column));
            }
        }
        m_header->show();
        m_header->raise();
    } else {
        m_header->hide();
    }
}

}  // namespace kinetoscope::panels
