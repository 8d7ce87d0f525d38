// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/job/MatrixView.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QScrollBar>
#include <QToolTip>
#include <algorithm>
#include <cmath>

#include "core/ranks/view/JobWords.h"
#include "widgets/models/Text.h"
#include "widgets/style/Oklch.h"
#include "widgets/style/PlainText.h"

namespace kinetoscope::job {

using ranks::view::JobRow;

namespace {

constexpr int kHeader = 22;
constexpr int kHeadingRow = 20;
constexpr int kLowestRow = 4;
constexpr int kHighestFitted = 32;
constexpr int kHighestRow = 48;
constexpr int kNarrowestCell = 12;
constexpr int kWidestCell = 130;
constexpr int kWidestLabel = 220;
constexpr int kMargin = 8;
constexpr int kTextRoom = 6;  // beside a value in its cell
constexpr int kGapFrom = 8;   // pixels of a cell from which on lines part it from the next one

}  // namespace

MatrixView::MatrixView(JobState& state, QWidget* parent)
    : QAbstractScrollArea(parent),
      m_state(state),
      m_colors(style::Theme::current(), state.figure(), 1.0) {
    setObjectName(QStringLiteral("matrix"));
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::StrongFocus);
    viewport()->setMouseTracking(true);
    setAccessibleName(tr("Ranks by steps"));
    setWhatsThis(
        tr("A row for each rank, a column for each step, coloured by what is chosen above. A click "
           "says what happened there and shows that time below; the arrow keys go from cell to "
           "cell, Enter opens the rank’s own trace. Ctrl and the wheel make rows higher or "
           "lower."));
    connect(&state, &JobState::rowsChanged, this, [this] {
        layOut();
        if (const auto cell = m_state.cell()) {
            reveal(*cell);
        }
    });
    connect(&state, &JobState::figureChanged, this, &MatrixView::refreshColors);
    connect(&state, &JobState::selectionChanged, this, [this] {
        if (const auto cell = m_state.cell()) {
            reveal(*cell);
        }
        viewport()->update();
    });
    refreshColors();
}

void MatrixView::refreshColors() {
    m_colors = CellColors(style::Theme::current(), m_state.figure(),
                          m_state.shown().grid.largest(m_state.figure()));
    viewport()->update();
}

QString MatrixView::rowLabel(std::size_t record) const {
    const ranks::RankRecord& one = m_state.job().records[record];
    const QString rank = tr("rank %1").arg(one.rank);
    return one.host.empty() || m_state.groups() == ranks::view::RowGroups::Host
               ? rank
               : rank + QStringLiteral("  ") + style::shownText(std::string_view(one.host), 60);
}

void MatrixView::layOut() {
    const auto& rows = m_state.rows();
    const auto headings = std::ranges::count_if(rows, &JobRow::isHeading);
    const auto ranks = std::max<qsizetype>(1, static_cast<qsizetype>(rows.size()) - headings);
    const auto room = viewport()->height() - kHeader - headings * kHeadingRow;
    const int fitted =
        static_cast<int>(std::clamp<qsizetype>(room / ranks, kLowestRow, kHighestFitted));
    m_rowHeight = m_wantedHeight > 0 ? m_wantedHeight : fitted;
    std::vector<int> heights;
    m_labelWidth = 0;
    const QFontMetrics metrics(viewport()->font());
    for (const JobRow& row : rows) {
        heights.push_back(row.isHeading() ? kHeadingRow : m_rowHeight);
        if (!row.isHeading() && heights.size() < 200) {  // more are as wide as these
            m_labelWidth = std::max(m_labelWidth, metrics.horizontalAdvance(rowLabel(row.record)));
        }
    }
    m_rows.assign(heights);
    m_labelWidth = std::min(m_labelWidth + 3 * kMargin, kWidestLabel);
    const auto steps = static_cast<int>(std::max<std::size_t>(1, m_state.shown().grid.steps()));
    m_cellWidth = std::clamp((viewport()->width() - m_labelWidth - kMargin) / steps, kNarrowestCell,
                             kWidestCell);
    const int inSight = viewport()->height() - kHeader;
    verticalScrollBar()->setRange(0, std::max(0, m_rows.height() - inSight));
    verticalScrollBar()->setPageStep(inSight);
    verticalScrollBar()->setSingleStep(std::max(m_rowHeight, kHeadingRow));
    const int across = viewport()->width() - m_labelWidth;
    horizontalScrollBar()->setRange(0, std::max(0, steps * m_cellWidth - across));
    horizontalScrollBar()->setPageStep(across);
    horizontalScrollBar()->setSingleStep(m_cellWidth);
    viewport()->update();
}

int MatrixView::columnLeft(std::size_t step) const {
    return m_labelWidth + static_cast<int>(step) * m_cellWidth - horizontalScrollBar()->value();
}

std::optional<std::size_t> MatrixView::rowAt(int y) const {
    return y < kHeader ? std::nullopt : m_rows.at(y - kHeader + verticalScrollBar()->value());
}

QRect MatrixView::cellRect(CellPlace cell) const {
    const std::size_t row = m_state.rowOf(cell.record);
    return {columnLeft(cell.step), kHeader + m_rows.top(row) - verticalScrollBar()->value(),
            m_cellWidth, m_rows.height(row)};
}

std::optional<CellPlace> MatrixView::cellAt(QPoint at) const {
    const auto row = rowAt(at.y());
    if (!row || m_state.rows()[*row].isHeading() || at.x() < m_labelWidth) {
        return std::nullopt;
    }
    const int column = (at.x() - m_labelWidth + horizontalScrollBar()->value()) / m_cellWidth;
    const auto step = static_cast<std::size_t>(column);
    return step < m_state.shown().grid.steps()
               ? std::optional(CellPlace{m_state.rows()[*row].record, step})
               : std::nullopt;
}

QString MatrixView::cellText(CellPlace cell) const {
    return models::toText(ranks::view::valueText(
        m_state.figure(), m_state.shown().grid.value(m_state.figure(), cell.record, cell.step)));
}

void MatrixView::reveal(CellPlace cell) {
    const QRect box = cellRect(cell);
    const auto bring = [](QScrollBar& bar, int from, int to, int least, int most) {
        if (from < least) {
            bar.setValue(bar.value() - (least - from));
        } else if (to > most) {
            bar.setValue(bar.value() + to - most);
        }
    };
    bring(*verticalScrollBar(), box.top(), box.bottom() + 1, kHeader, viewport()->height());
    bring(*horizontalScrollBar(), box.left(), box.right() + 1, m_labelWidth, viewport()->width());
}

void MatrixView::choose(std::size_t row, std::size_t step) {
    m_state.goTo(CellPlace{m_state.rows()[row].record, step});
}

void MatrixView::moveBy(int rows, int steps) {
    const auto cell = m_state.cell();
    const auto& all = m_state.rows();
    if (m_state.shown().grid.steps() == 0 || all.empty()) {
        return;
    }
    const int direction = rows < 0 ? -1 : 1;
    const auto last = static_cast<int>(all.size()) - 1;
    int row = cell ? static_cast<int>(m_state.rowOf(cell->record)) : 0;
    int next = std::clamp(row + (cell ? rows : 0), 0, last);
    while (next >= 0 && next <= last && all[static_cast<std::size_t>(next)].isHeading()) {
        next += direction;
    }
    row = next >= 0 && next <= last ? next : row;
    const auto most = static_cast<int>(m_state.shown().grid.steps()) - 1;
    const int step = std::clamp((cell ? static_cast<int>(cell->step) + steps : 0), 0, most);
    if (!all[static_cast<std::size_t>(row)].isHeading()) {
        choose(static_cast<std::size_t>(row), static_cast<std::size_t>(step));
    }
}

void MatrixView::keyPressEvent(QKeyEvent* event) {
    const int page = std::max(1, (viewport()->height() - kHeader) / std::max(1, m_rowHeight) - 1);
    constexpr int kFar = 1 << 24;
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
            if (const auto cell = m_state.cell()) {
                return m_state.askForRank(cell->record);
            }
            break;
        case Qt::Key_Escape:
            if (m_state.cell()) {
                return m_state.setCell(std::nullopt);
            }
            break;
        default:
            break;
    }
    QAbstractScrollArea::keyPressEvent(event);
}

void MatrixView::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton) {
        return QAbstractScrollArea::mousePressEvent(event);
    }
    if (const auto cell = cellAt(event->position().toPoint())) {
        m_state.goTo(*cell);
    }
}

void MatrixView::mouseDoubleClickEvent(QMouseEvent* event) {
    const auto row = rowAt(event->position().toPoint().y());
    if (row && !m_state.rows()[*row].isHeading()) {
        m_state.askForRank(m_state.rows()[*row].record);
    }
}

void MatrixView::wheelEvent(QWheelEvent* event) {
    if (!event->modifiers().testFlag(Qt::ControlModifier)) {
        return QAbstractScrollArea::wheelEvent(event);
    }
    const int turn = event->angleDelta().y();
    m_wantedHeight = std::clamp(m_rowHeight + (turn > 0   ? 2
                                               : turn < 0 ? -2
                                                          : 0),
                                kLowestRow, kHighestRow);
    layOut();
    event->accept();
}

void MatrixView::resizeEvent(QResizeEvent* /*event*/) {
    layOut();
}

void MatrixView::changeEvent(QEvent* event) {
    QAbstractScrollArea::changeEvent(event);
    if (event->type() == QEvent::PaletteChange) {
        refreshColors();
    } else if (event->type() == QEvent::FontChange) {
        layOut();
    }
}

QString MatrixView::toolTipAt(QPoint at) const {
    const auto cell = cellAt(at);
    if (!cell) {
        const auto row = rowAt(at.y());
        return row && !m_state.rows()[*row].isHeading()
                   ? style::plainToolTip(tr("Double click opens this rank’s own trace"),
                                         rowLabel(m_state.rows()[*row].record))
                   : QString();
    }
    const QString value = cellText(*cell);
    const QString heading = QStringLiteral("%1, %2").arg(
        rowLabel(cell->record),
        models::toText(ranks::view::stepTitle(m_state.job().steps[cell->step].number)));
    return style::plainToolTip(
        QStringLiteral("%1: %2").arg(tr(ranks::view::figureTitle(m_state.figure())),
                                     value.isEmpty() ? tr("the rank has no such step") : value),
        heading);
}

bool MatrixView::viewportEvent(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        QToolTip::showText(help->globalPos(), toolTipAt(help->pos()), viewport());
        return true;
    }
    return QAbstractScrollArea::viewportEvent(event);
}

void MatrixView::paintEvent(QPaintEvent* /*event*/) {
    QPainter painter(viewport());
    painter.fillRect(viewport()->rect(), style::Theme::current().base());
    painter.save();
    painter.setClipRect(QRect(QPoint(m_labelWidth, kHeader), viewport()->rect().bottomRight()));
    paintCells(painter);
    painter.restore();
    paintLabels(painter);
    paintHeader(painter);
    paintSelection(painter);
}

void MatrixView::paintCells(QPainter& painter) {
    const auto& rows = m_state.rows();
    const int scroll = verticalScrollBar()->value();
    const auto firstStep = static_cast<std::size_t>(horizontalScrollBar()->value() / m_cellWidth);
    for (std::size_t row = m_rows.firstBelow(scroll); row < rows.size(); ++row) {
        const int top = kHeader + m_rows.top(row) - scroll;
        if (top >= viewport()->height()) {
            break;
        }
        if (rows[row].isHeading()) {
            continue;
        }
        for (std::size_t step = firstStep; step < m_state.shown().grid.steps(); ++step) {
            const int left = columnLeft(step);
            if (left >= viewport()->width()) {
                break;
            }
            paintCell(painter, {left, top, m_cellWidth, m_rows.height(row)},
                      {rows[row].record, step});
        }
    }
}

void MatrixView::paintCell(QPainter& painter, const QRect& box, CellPlace cell) {
    const style::Theme& theme = style::Theme::current();
    const double value = m_state.shown().grid.value(m_state.figure(), cell.record, cell.step);
    const QRect inside =
        box.adjusted(0, 0, m_cellWidth >= kGapFrom ? -1 : 0, m_rowHeight >= kGapFrom ? -1 : 0);
    if (std::isnan(value)) {
        painter.fillRect(inside, QBrush(theme.border(), Qt::BDiagPattern));
        return;
    }
    const QColor fill = m_colors.color(value);
    painter.fillRect(inside, fill);
    const QString text = cellText(cell);
    const QFontMetrics metrics = painter.fontMetrics();
    if (metrics.height() <= inside.height() + 2 &&
        metrics.horizontalAdvance(text) + kTextRoom <= inside.width()) {
        painter.setPen(theme.textOn(fill));
        painter.drawText(inside, Qt::AlignCenter, text);
    }
}

// Where rows are lower than a line, so many are left out that the others can be read.
void MatrixView::paintLabels(QPainter& painter) {
    const style::Theme& theme = style::Theme::current();
    const auto& rows = m_state.rows();
    const int scroll = verticalScrollBar()->value();
    const QFontMetrics metrics = painter.fontMetrics();
    const auto chosen = m_state.cell();
    int free = kHeader;
    for (std::size_t row = m_rows.firstBelow(scroll); row < rows.size(); ++row) {
        const int top = kHeader + m_rows.top(row) - scroll;
        if (top >= viewport()->height()) {
            break;
        }
        const QRect line(0, top, viewport()->width(), m_rows.height(row));
        if (rows[row].isHeading()) {
            painter.fillRect(line, theme.raised());
            painter.setPen(theme.text());
            painter.drawText(line.adjusted(kMargin, 0, -kMargin, 0), Qt::AlignVCenter,
                             style::shownText(std::string_view(rows[row].heading), 200));
            free = line.bottom();
            continue;
        }
        const bool isChosen = chosen && chosen->record == rows[row].record;
        const int middle = top + line.height() / 2;
        const int textTop = middle - metrics.height() / 2;
        // Not across the heading of the next group either.
        const auto below = m_rows.at(textTop + metrics.height() - 3 - kHeader + scroll);
        const bool isCut = below && *below > row && rows[*below].isHeading();
        if ((textTop < free - 2 || isCut) && !isChosen) {
            continue;
        }
        const QRect label(kMargin, textTop, m_labelWidth - 2 * kMargin, metrics.height());
        if (isChosen) {
            painter.fillRect(label, theme.base());
        }
        painter.setPen(isChosen ? theme.text() : theme.mutedText());
        painter.drawText(
            label, Qt::AlignVCenter | Qt::AlignLeft,
            metrics.elidedText(rowLabel(rows[row].record), Qt::ElideRight, label.width()));
        free = textTop + metrics.height();
    }
}

void MatrixView::paintHeader(QPainter& painter) {
    const style::Theme& theme = style::Theme::current();
    painter.fillRect(0, 0, viewport()->width(), kHeader, theme.raised());
    painter.fillRect(0, kHeader - 1, viewport()->width(), 1, theme.border());
    const QFontMetrics metrics = painter.fontMetrics();
    painter.setPen(theme.mutedText());
    painter.drawText(QRect(kMargin, 0, m_labelWidth - kMargin, kHeader - 1), Qt::AlignVCenter,
                     tr("step"));
    painter.save();
    painter.setClipRect(m_labelWidth, 0, viewport()->width() - m_labelWidth, kHeader);
    const auto chosen = m_state.cell();
    int free = m_labelWidth;
    for (std::size_t step = 0; step < m_state.shown().grid.steps(); ++step) {
        const std::int64_t number = m_state.job().steps[step].number;
        const QString text = number < 0 ? tr("none") : QString::number(number);
        const int width = metrics.horizontalAdvance(text) + 4;
        const int middle = columnLeft(step) + m_cellWidth / 2;
        if (middle - width / 2 < free && m_cellWidth < width) {
            continue;
        }
        const bool isChosen = chosen && chosen->step == step;
        painter.setPen(isChosen ? theme.text() : theme.mutedText());
        painter.drawText(QRect(middle - width / 2, 0, width, kHeader - 1), Qt::AlignCenter, text);
        free = middle + width / 2 + 4;
    }
    painter.restore();
}

void MatrixView::paintSelection(QPainter& painter) {
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

}  // namespace kinetoscope::job
