// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/job/CellMatrix.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QScrollBar>
#include <QToolTip>
#include <algorithm>

#include "widgets/style/Theme.h"

namespace kinetoscope::job {

namespace {

constexpr int kWidestLabel = 220;
constexpr int kGapFrom = 8;  // pixels of a cell from which on lines part it from the next one
constexpr std::size_t kMeasured = 200;  // labels; the others are as wide as these

void setBar(QScrollBar& bar, qint64 whole, int inSight, int step) {
    bar.setRange(0, static_cast<int>(std::clamp<qint64>(whole - inSight, 0, 1 << 30)));
    bar.setPageStep(inSight);
    bar.setSingleStep(step);
}

}  // namespace

CellMatrix::CellMatrix(QWidget* parent) : QAbstractScrollArea(parent) {
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::StrongFocus);
    viewport()->setMouseTracking(true);
}

QSize CellMatrix::room() const {
    return {viewport()->width() - m_labelWidth, viewport()->height() - kHeader};
}

int CellMatrix::widthOfLabels(std::size_t rows) const {
    const QFontMetrics metrics(viewport()->font());
    const std::size_t step = rows / kMeasured + 1;
    int widest = 0;
    for (std::size_t row = rows; row > 0; row -= std::min(row, step)) {
        if (!headingOf(row - 1)) {
            widest = std::max(widest, metrics.horizontalAdvance(rowLabel(row - 1)));
        }
    }
    return std::min(widest + 3 * kMargin, kWidestLabel);
}

void CellMatrix::setSizes(const std::vector<int>& heights, int rowHeight, int labelWidth,
                          int cellWidth) {
    m_rows.assign(heights);
    m_rowHeight = rowHeight;
    m_labelWidth = labelWidth;
    m_cellWidth = cellWidth;
    setBar(*verticalScrollBar(), m_rows.height(), room().height(),
           std::max(rowHeight, kHeadingRow));
    setBar(*horizontalScrollBar(), static_cast<qint64>(columns()) * cellWidth + kMargin,
           room().width(), cellWidth);
    viewport()->update();
}

int CellMatrix::columnLeft(std::size_t column) const {
    return m_labelWidth + static_cast<int>(column) * m_cellWidth - horizontalScrollBar()->value();
}

QRect CellMatrix::boxOf(Place place) const {
    return {columnLeft(place.column),
            kHeader + m_rows.top(place.row) - verticalScrollBar()->value(), m_cellWidth,
            m_rows.height(place.row)};
}

std::optional<std::size_t> CellMatrix::rowAt(int y) const {
    return y < kHeader ? std::nullopt : m_rows.at(y - kHeader + verticalScrollBar()->value());
}

std::optional<CellMatrix::Place> CellMatrix::placeAt(QPoint at) const {
    const auto row = rowAt(at.y());
    if (!row || headingOf(*row) || at.x() < m_labelWidth) {
        return std::nullopt;
    }
    const auto column = static_cast<std::size_t>(
        (at.x() - m_labelWidth + horizontalScrollBar()->value()) / m_cellWidth);
    return column < columns() ? std::optional(Place{*row, column}) : std::nullopt;
}

// Distant cells are scrolled into the middle, so that their neighbours are visible too.
void CellMatrix::reveal(Place place) {
    if (place.row >= m_rows.count()) {
        return;  // nothing is laid out yet
    }
    const QRect box = boxOf(place);
    const auto bring = [](QScrollBar& bar, int from, int to, int least, int most) {
        const int beyond = from < least ? from - least : std::max(0, to - most);
        const bool isFar = std::abs(beyond) > 2 * (to - from);
        bar.setValue(bar.value() + (isFar ? (from + to - least - most) / 2 : beyond));
    };
    bring(*verticalScrollBar(), box.top(), box.bottom() + 1, kHeader, viewport()->height());
    bring(*horizontalScrollBar(), box.left(), box.right() + 1, m_labelWidth, viewport()->width());
}

// Headings are passed by.
void CellMatrix::moveBy(int rows, int columns) {
    const auto lastRow = static_cast<int>(m_rows.count()) - 1;
    const auto lastColumn = static_cast<int>(this->columns()) - 1;
    if (lastRow < 0 || lastColumn < 0) {
        return;
    }
    const auto from = selected();
    const Place start = from.value_or(firstPlace());
    const int row = static_cast<int>(start.row);
    const auto isHeading = [&](int at) {
        return headingOf(static_cast<std::size_t>(at)).has_value();
    };
    int next = std::clamp(row + (from ? rows : 0), 0, lastRow);
    while (next >= 0 && next <= lastRow && isHeading(next)) {
        next += rows < 0 ? -1 : 1;
    }
    next = next >= 0 && next <= lastRow ? next : row;
    const int column =
        std::clamp(static_cast<int>(start.column) + (from ? columns : 0), 0, lastColumn);
    if (!isHeading(next)) {
        select(Place{static_cast<std::size_t>(next), static_cast<std::size_t>(column)});
    }
}

void CellMatrix::keyPressEvent(QKeyEvent* event) {
    constexpr int kFar = 1 << 24;
    const int page = std::max(1, room().height() / std::max(1, m_rowHeight) - 1);
    switch (event->key()) {
        case Qt::Key_Up:
            return moveBy(-1, 0);
        case Qt::Key_Down:
            return moveBy(1, 0);
        case Qt::Key_Left:
            return moveBy(0, -1);
        case Qt::Key_Right:
            return moveBy(0, 1);
        case Qt::Key_PageUp:
            return moveBy(-page, 0);
        case Qt::Key_PageDown:
            return moveBy(page, 0);
        case Qt::Key_Home:
            return moveBy(0, -kFar);
        case Qt::Key_End:
            return moveBy(0, kFar);
        case Qt::Key_Return:
        case Qt::Key_Enter:
            if (selected()) {
                return activate();
            }
            break;
        case Qt::Key_Escape:
            if (selected()) {
                return select(std::nullopt);
            }
            break;
        default:
            break;
    }
    QAbstractScrollArea::keyPressEvent(event);
}

void CellMatrix::mousePressEvent(QMouseEvent* event) {
    const auto place = placeAt(event->position().toPoint());
    if (event->button() == Qt::LeftButton && place) {
        select(place);
    } else {
        QAbstractScrollArea::mousePressEvent(event);
    }
}

void CellMatrix::resizeEvent(QResizeEvent* /*event*/) {
    layOut();
}

void CellMatrix::changeEvent(QEvent* event) {
    QAbstractScrollArea::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) {
        layOut();
    }
}

bool CellMatrix::viewportEvent(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        QToolTip::showText(help->globalPos(), toolTipAt(help->pos()), viewport());
        return true;
    }
    return QAbstractScrollArea::viewportEvent(event);
}

void CellMatrix::paintEvent(QPaintEvent* /*event*/) {
    const style::Theme& theme = style::Theme::current();
    QPainter painter(viewport());
    painter.fillRect(viewport()->rect(), theme.base());
    if (const QString empty = emptyText(); columns() == 0 && !empty.isEmpty()) {
        painter.setPen(theme.mutedText());
        painter.drawText(viewport()->rect().adjusted(kMargin, kMargin, -kMargin, -kMargin),
                         Qt::AlignCenter | Qt::TextWordWrap, empty);
        return;
    }
    painter.save();
    painter.setClipRect(QRect(QPoint(m_labelWidth, kHeader), viewport()->rect().bottomRight()));
    paintCells(painter);
    painter.restore();
    paintLabels(painter);
    paintHeader(painter);
    paintMarks(painter);
    paintSelection(painter);
}

void CellMatrix::paintCells(QPainter& painter) {
    const int gapRight = m_cellWidth >= kGapFrom ? 1 : 0;
    const int gapBelow = m_rowHeight >= kGapFrom ? 1 : 0;
    const auto first = static_cast<std::size_t>(horizontalScrollBar()->value() / m_cellWidth);
    for (std::size_t row = m_rows.firstBelow(verticalScrollBar()->value()); row < m_rows.count();
         ++row) {
        if (boxOf({row, 0}).top() >= viewport()->height()) {
            break;
        }
        for (std::size_t column = headingOf(row) ? columns() : first;
             column < columns() && columnLeft(column) < viewport()->width(); ++column) {
            paintCell(painter, boxOf({row, column}).adjusted(0, 0, -gapRight, -gapBelow),
                      {row, column});
        }
    }
}

// Where rows are lower than a line, so many are left out that the others can be read.
void CellMatrix::paintLabels(QPainter& painter) {
    const style::Theme& theme = style::Theme::current();
    const int scroll = verticalScrollBar()->value();
    const QFontMetrics metrics = painter.fontMetrics();
    const auto chosen = selected();
    int free = kHeader;
    for (std::size_t row = m_rows.firstBelow(scroll); row < m_rows.count(); ++row) {
        const int top = kHeader + m_rows.top(row) - scroll;
        if (top >= viewport()->height()) {
            break;
        }
        const QRect line(0, top, viewport()->width(), m_rows.height(row));
        if (const auto heading = headingOf(row)) {
            painter.fillRect(line, theme.raised());
            painter.setPen(theme.text());
            painter.drawText(line.adjusted(kMargin, 0, -kMargin, 0), Qt::AlignVCenter, *heading);
            free = line.bottom();
            continue;
        }
        const bool isChosen = chosen && chosen->row == row;
        const int textTop = top + line.height() / 2 - metrics.height() / 2;
        // Not across the heading of the next group either.
        const auto below = m_rows.at(textTop + metrics.height() - 3 - kHeader + scroll);
        const bool isCut = below && *below > row && headingOf(*below);
        if ((textTop < free - 2 || isCut) && !isChosen) {
            continue;
        }
        const QRect label(kMargin, textTop, m_labelWidth - 2 * kMargin, metrics.height());
        if (isChosen) {
            painter.fillRect(label, theme.base());
        }
        painter.setPen(isChosen ? theme.text() : theme.mutedText());
        painter.drawText(label, Qt::AlignVCenter | Qt::AlignLeft,
                         metrics.elidedText(rowLabel(row), Qt::ElideRight, label.width()));
        free = textTop + metrics.height();
    }
}

void CellMatrix::paintHeader(QPainter& painter) {
    const style::Theme& theme = style::Theme::current();
    painter.fillRect(0, 0, viewport()->width(), kHeader, theme.raised());
    painter.fillRect(0, kHeader - 1, viewport()->width(), 1, theme.border());
    const QFontMetrics metrics = painter.fontMetrics();
    painter.setPen(theme.mutedText());
    painter.drawText(QRect(kMargin, 0, m_labelWidth - kMargin, kHeader - 1), Qt::AlignVCenter,
                     columnsTitle());
    painter.save();
    painter.setClipRect(m_labelWidth, 0, viewport()->width() - m_labelWidth, kHeader);
    const auto chosen = selected();
    int free = m_labelWidth;
    for (auto column = static_cast<std::size_t>(horizontalScrollBar()->value() / m_cellWidth);
         column < columns() && columnLeft(column) < viewport()->width(); ++column) {
        const QString text = columnLabel(column);
        const int width = metrics.horizontalAdvance(text) + 6;
        const int left = columnLeft(column) + (m_cellWidth - width) / 2;
        if (left < free && m_cellWidth < width) {
            continue;
        }
        const bool isChosen = chosen && chosen->column == column;
        painter.setPen(isChosen ? theme.text() : theme.mutedText());
        painter.drawText(QRect(left, 0, width, kHeader - 1), Qt::AlignCenter, text);
        free = left + width;
    }
    painter.restore();
}

void CellMatrix::paintSelection(QPainter& painter) {
    const auto place = selected();
    if (!place) {
        return;
    }
    const style::Theme& theme = style::Theme::current();
    painter.setClipRect(
        QRect(QPoint(m_labelWidth - 2, kHeader - 2), viewport()->rect().bottomRight()));
    const QRect box = boxOf(*place).adjusted(-1, -1, 0, 0);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(theme.base(), 4));
    painter.drawRect(box);
    painter.setPen(QPen(theme.selection(), 2));
    painter.drawRect(box);
}

}  // namespace kinetoscope::job
