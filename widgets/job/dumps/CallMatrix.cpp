// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/job/dumps/CallMatrix.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QScrollBar>
#include <QToolTip>
#include <algorithm>
#include <cmath>

#include "core/flight/FlightTables.h"
#include "widgets/job/dumps/FatePainting.h"
#include "widgets/models/Text.h"
#include "widgets/style/PlainText.h"
#include "widgets/style/Theme.h"

namespace kinetoscope::job::dumps {

using flight::Fate;

namespace {

constexpr int kHeader = 24;
constexpr int kLowestRow = 4;
constexpr int kHighestRow = 26;
constexpr int kNarrowest = 3;
constexpr int kWidest = 80;
constexpr int kWidestAtFirst = 30;
constexpr int kNarrowestAtFirst = 10;
constexpr int kMargin = 8;
constexpr int kGapFrom = 6;  // pixels of a cell from which on lines part it from the next one
constexpr int kMaxCells = 1 << 24;  // pixels of a scroll bar

}  // namespace

CallMatrix::CallMatrix(DumpState& state, QWidget* parent)
    : QAbstractScrollArea(parent), m_state(state) {
    setObjectName(QStringLiteral("calls"));
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::StrongFocus);
    viewport()->setMouseTracking(true);
    setAccessibleName(tr("Ranks by collectives"));
    setWhatsThis(
        tr("A row for each rank, a column for each collective of the process group by its number. "
           "The framed number is stuck. A click says what became of the call on that rank and "
           "where the program called it; the arrow keys go from cell to cell. Ctrl and the wheel "
           "make columns wider or narrower."));
    connect(&state, &DumpState::groupChanged, this, [this] {
        layOut();
        revealMain();
    });
    connect(&state, &DumpState::selectionChanged, this, [this] {
        if (const auto cell = m_state.cell()) {
            reveal(*cell);
        }
        viewport()->update();
    });
}

QString CallMatrix::rowLabel(std::size_t row) const {
    return tr("rank %1").arg(m_state.grid().ranks()[row]);
}

void CallMatrix::layOut() {
    const flight::CallGrid& grid = m_state.grid();
    const auto rows = static_cast<int>(std::min<std::size_t>(grid.ranks().size(), kMaxCells));
    const auto columns = static_cast<int>(std::min<std::size_t>(grid.numbers().size(), kMaxCells));
    const QFontMetrics metrics(viewport()->font());
    m_labelWidth =
        2 * kMargin +
        (rows == 0 ? 0 : metrics.horizontalAdvance(rowLabel(static_cast<std::size_t>(rows) - 1)));
    const int across = viewport()->width() - m_labelWidth;
    const int down = viewport()->height() - kHeader;
    m_rowHeight = std::clamp(down / std::max(1, rows), kLowestRow, kHighestRow);
    m_cellWidth = m_wantedWidth > 0.0 ? static_cast<int>(std::lround(m_wantedWidth))
                                      : std::clamp(across / std::max(1, columns), kNarrowestAtFirst,
                                                   kWidestAtFirst);
    verticalScrollBar()->setRange(0, std::max(0, rows * m_rowHeight - down));
    verticalScrollBar()->setPageStep(down);
    verticalScrollBar()->setSingleStep(m_rowHeight);
    const qint64 wide = qint64{columns} * m_cellWidth + kMargin - across;
    horizontalScrollBar()->setRange(0, static_cast<int>(std::clamp<qint64>(wide, 0, 1 << 30)));
    horizontalScrollBar()->setPageStep(across);
    horizontalScrollBar()->setSingleStep(m_cellWidth);
    viewport()->update();
}

// What is selected, else what is stuck.
void CallMatrix::revealMain() {
    if (const auto cell = m_state.cell()) {
        reveal(*cell);
    } else if (const auto stuck = m_state.grid().stuckColumn()) {
        reveal({0, *stuck});
    }
}

void CallMatrix::fit() {
    m_wantedWidth = 0.0;
    layOut();
    revealMain();
}

// What is in the middle stays there.
void CallMatrix::zoom(double factor) {
    const double before = m_cellWidth;
    const double middle =
        horizontalScrollBar()->value() + (viewport()->width() - m_labelWidth) / 2.0;
    const double wanted = m_wantedWidth > 0.0 ? m_wantedWidth : before;
    m_wantedWidth = std::clamp(wanted / factor, double{kNarrowest}, double{kWidest});
    layOut();
    horizontalScrollBar()->setValue(
        horizontalScrollBar()->value() +
        static_cast<int>(std::lround(middle * m_cellWidth / before - middle)));
}

int CallMatrix::columnLeft(std::size_t column) const {
    return m_labelWidth + static_cast<int>(column) * m_cellWidth - horizontalScrollBar()->value();
}

QRect CallMatrix::cellRect(CallPlace cell) const {
    return {columnLeft(cell.column),
            kHeader + static_cast<int>(cell.row) * m_rowHeight - verticalScrollBar()->value(),
            m_cellWidth, m_rowHeight};
}

std::optional<CallPlace> CallMatrix::cellAt(QPoint at) const {
    if (at.x() < m_labelWidth || at.y() < kHeader) {
        return std::nullopt;
    }
    const auto row =
        static_cast<std::size_t>((at.y() - kHeader + verticalScrollBar()->value()) / m_rowHeight);
    const auto column = static_cast<std::size_t>(
        (at.x() - m_labelWidth + horizontalScrollBar()->value()) / m_cellWidth);
    return row < m_state.grid().ranks().size() && column < m_state.grid().numbers().size()
               ? std::optional(CallPlace{row, column})
               : std::nullopt;
}

QString CallMatrix::toolTipAt(QPoint at) const {
    const auto cell = cellAt(at);
    if (!cell) {
        return {};
    }
    const flight::CallGrid& grid = m_state.grid();
    QString text = tr(flight::fateName(grid.fate(cell->row, cell->column)));
    if (const auto call = grid.call(cell->row, cell->column)) {
        const flight::Dump& dump = m_state.job().dumps[call->dump];
        const flight::Entry& entry = m_state.job().entry(*call);
        text = tr("%1: %2").arg(
            style::shownText(std::string_view(flight::callWords(dump, entry)), 200), text);
        const std::string where = flight::whereWords(dump, entry);
        text += where.empty() ? QString()
                              : tr("\nat %1").arg(style::shownText(std::string_view(where), 200));
    }
    if (grid.differs(cell->column)) {
        text += tr("\nThe ranks’ calls of this number do not fit each other");
    }
    return style::plainToolTip(
        text, tr("%1, number %2").arg(rowLabel(cell->row)).arg(grid.numbers()[cell->column]));
}

bool CallMatrix::viewportEvent(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        QToolTip::showText(help->globalPos(), toolTipAt(help->pos()), viewport());
        return true;
    }
    return QAbstractScrollArea::viewportEvent(event);
}

void CallMatrix::reveal(CallPlace cell) {
    const QRect box = cellRect(cell);
    if (box.left() < m_labelWidth || box.right() >= viewport()->width()) {
        horizontalScrollBar()->setValue(horizontalScrollBar()->value() + box.left() -
                                        (m_labelWidth + viewport()->width()) / 2);
    }
    if (box.top() < kHeader) {
        verticalScrollBar()->setValue(verticalScrollBar()->value() - (kHeader - box.top()));
    } else if (box.bottom() >= viewport()->height()) {
        verticalScrollBar()->setValue(verticalScrollBar()->value() + box.bottom() + 1 -
                                      viewport()->height());
    }
}

void CallMatrix::moveBy(int rows, int columns) {
    const auto lastRow = static_cast<int>(m_state.grid().ranks().size()) - 1;
    const auto lastColumn = static_cast<int>(m_state.grid().numbers().size()) - 1;
    if (lastRow < 0 || lastColumn < 0) {
        return;
    }
    const auto cell = m_state.cell();
    const int row = cell ? static_cast<int>(cell->row) + rows : 0;
    const int column = cell ? static_cast<int>(cell->column) + columns
                            : static_cast<int>(m_state.grid().stuckColumn().value_or(0));
    m_state.setCell(CallPlace{static_cast<std::size_t>(std::clamp(row, 0, lastRow)),
                              static_cast<std::size_t>(std::clamp(column, 0, lastColumn))});
}

void CallMatrix::keyPressEvent(QKeyEvent* event) {
    constexpr int kFar = 1 << 24;
    const int page = std::max(1, (viewport()->height() - kHeader) / m_rowHeight - 1);
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
        case Qt::Key_Escape:
            return m_state.setCell(std::nullopt);
        default:
            return QAbstractScrollArea::keyPressEvent(event);
    }
}

void CallMatrix::mousePressEvent(QMouseEvent* event) {
    const auto cell = cellAt(event->position().toPoint());
    if (event->button() == Qt::LeftButton && cell) {
        m_state.setCell(*cell);
    } else {
        QAbstractScrollArea::mousePressEvent(event);
    }
}

void CallMatrix::wheelEvent(QWheelEvent* event) {
    const int turn = event->angleDelta().y();
    if (event->modifiers().testFlag(Qt::ControlModifier)) {
        if (turn != 0) {
            zoom(turn > 0 ? 0.8 : 1.25);
        }
    } else if (event->modifiers().testFlag(Qt::ShiftModifier) ||
               verticalScrollBar()->maximum() == 0) {
        const int by = turn != 0 ? turn : event->angleDelta().x();
        horizontalScrollBar()->setValue(horizontalScrollBar()->value() - by);
    } else {
        return QAbstractScrollArea::wheelEvent(event);
    }
    event->accept();
}

void CallMatrix::resizeEvent(QResizeEvent* /*event*/) {
    layOut();
    revealMain();
}

void CallMatrix::changeEvent(QEvent* event) {
    QAbstractScrollArea::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) {
        layOut();
    }
}

void CallMatrix::paintEvent(QPaintEvent* /*event*/) {
    const style::Theme& theme = style::Theme::current();
    QPainter painter(viewport());
    painter.fillRect(viewport()->rect(), theme.base());
    if (m_state.grid().numbers().empty()) {
        painter.setPen(theme.mutedText());
        painter.drawText(viewport()->rect().adjusted(kMargin, kMargin, -kMargin, -kMargin),
                         Qt::AlignCenter | Qt::TextWordWrap,
                         tr("The dumps tell of no collective of this group. Messages from rank to "
                            "rank that wait are among the answers."));
        return;
    }
    painter.save();
    painter.setClipRect(QRect(QPoint(m_labelWidth, kHeader), viewport()->rect().bottomRight()));
    paintCells(painter);
    painter.restore();
    paintLabels(painter);
    paintHeader(painter);
    paintStuck(painter);
    paintSelection(painter);
}

void CallMatrix::paintCells(QPainter& painter) {
    const flight::CallGrid& grid = m_state.grid();
    const auto firstRow = static_cast<std::size_t>(verticalScrollBar()->value() / m_rowHeight);
    const auto firstColumn = static_cast<std::size_t>(horizontalScrollBar()->value() / m_cellWidth);
    const int gapRight = m_cellWidth >= kGapFrom ? 1 : 0;
    const int gapBelow = m_rowHeight >= kGapFrom ? 1 : 0;
    for (std::size_t row = firstRow; row < grid.ranks().size(); ++row) {
        for (std::size_t column = firstColumn; column < grid.numbers().size(); ++column) {
            const QRect box = cellRect({row, column}).adjusted(0, 0, -gapRight, -gapBelow);
            if (box.top() >= viewport()->height()) {
                return;
            }
            if (box.left() >= viewport()->width()) {
                break;
            }
            paintFate(painter, box, grid.fate(row, column));
            if (grid.differs(column) && grid.call(row, column)) {
                paintDifference(painter, box);
            }
        }
    }
}

// Where rows are lower than a line, so many are left out that the others can be read.
void CallMatrix::paintLabels(QPainter& painter) {
    const style::Theme& theme = style::Theme::current();
    const QFontMetrics metrics = painter.fontMetrics();
    painter.fillRect(0, kHeader, m_labelWidth, viewport()->height(), theme.base());
    const auto chosen = m_state.cell();
    int free = kHeader;
    for (auto row = static_cast<std::size_t>(verticalScrollBar()->value() / m_rowHeight);
         row < m_state.grid().ranks().size(); ++row) {
        const QRect line = cellRect({row, 0});
        if (line.top() >= viewport()->height()) {
            break;
        }
        const int top = line.center().y() - metrics.height() / 2;
        if (top < free - 2) {
            continue;
        }
        const bool isChosen = chosen && chosen->row == row;
        painter.setPen(isChosen ? theme.text() : theme.mutedText());
        painter.drawText(QRect(kMargin, top, m_labelWidth - kMargin, metrics.height()),
                         Qt::AlignVCenter, rowLabel(row));
        free = top + metrics.height();
    }
}

void CallMatrix::paintHeader(QPainter& painter) {
    const style::Theme& theme = style::Theme::current();
    painter.fillRect(0, 0, viewport()->width(), kHeader, theme.raised());
    painter.fillRect(0, kHeader - 1, viewport()->width(), 1, theme.border());
    const QFontMetrics metrics = painter.fontMetrics();
    painter.setPen(theme.mutedText());
    painter.drawText(QRect(kMargin, 0, m_labelWidth, kHeader - 1), Qt::AlignVCenter, tr("number"));
    painter.save();
    painter.setClipRect(m_labelWidth, 0, viewport()->width() - m_labelWidth, kHeader);
    const auto& numbers = m_state.grid().numbers();
    int free = m_labelWidth;
    for (auto column = static_cast<std::size_t>(horizontalScrollBar()->value() / m_cellWidth);
         column < numbers.size() && columnLeft(column) < viewport()->width(); ++column) {
        const QString text = QString::number(numbers[column]);
        const int width = metrics.horizontalAdvance(text) + 6;
        const int left = columnLeft(column) + (m_cellWidth - width) / 2;
        if (left < free) {
            continue;
        }
        painter.drawText(QRect(left, 0, width, kHeader - 1), Qt::AlignCenter, text);
        free = left + width;
    }
    painter.restore();
}

// A frame around the column, and its number with the word above it.
void CallMatrix::paintStuck(QPainter& painter) {
    const auto stuck = m_state.grid().stuckColumn();
    if (!stuck) {
        return;
    }
    const style::Theme& theme = style::Theme::current();
    const QRect first = cellRect({0, *stuck});
    const int bottom = std::min(viewport()->height(),
                                cellRect({m_state.grid().ranks().size() - 1, 0}).bottom() + 1);
    painter.save();
    painter.setClipRect(m_labelWidth - 2, 0, viewport()->width(), viewport()->height());
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(theme.error(), 2));
    painter.drawRect(QRect(QPoint(first.left() - 1, kHeader), QPoint(first.right(), bottom)));
    const QString text = tr("%1 is stuck").arg(m_state.grid().numbers()[*stuck]);
    const int width = painter.fontMetrics().horizontalAdvance(text) + 2 * kMargin;
    QRect sign(first.center().x() - width / 2, 2, width, kHeader - 5);
    if (first.right() >= m_labelWidth && first.left() < viewport()->width()) {
        sign.moveLeft(std::clamp(sign.left(), m_labelWidth,
                                 std::max(m_labelWidth, viewport()->width() - width)));
        painter.setPen(Qt::NoPen);
        painter.setBrush(theme.error());
        painter.setRenderHint(QPainter::Antialiasing);
        painter.drawRoundedRect(sign, 4, 4);
        painter.setPen(theme.textOn(theme.error()));
        painter.drawText(sign, Qt::AlignCenter, text);
    }
    painter.restore();
}

void CallMatrix::paintSelection(QPainter& painter) {
    const auto cell = m_state.cell();
    if (!cell) {
        return;
    }
    painter.setClipRect(
        QRect(QPoint(m_labelWidth - 2, kHeader - 2), viewport()->rect().bottomRight()));
    const QRect box = cellRect(*cell);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(style::Theme::current().base(), 4));
    painter.drawRect(box.adjusted(-1, -1, 0, 0));
    painter.setPen(QPen(style::Theme::current().selection(), 2));
    painter.drawRect(box.adjusted(-1, -1, 0, 0));
}

}  // namespace kinetoscope::job::dumps
