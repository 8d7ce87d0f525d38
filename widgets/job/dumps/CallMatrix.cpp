// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/job/dumps/CallMatrix.h"

#include <QPainter>
#include <QScrollBar>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>

#include "core/flight/FlightTables.h"
#include "widgets/job/dumps/FatePainting.h"
#include "widgets/models/Text.h"
#include "widgets/style/PlainText.h"
#include "widgets/style/Theme.h"

namespace kinetoscope::job::dumps {

using flight::CallKind;

namespace {

constexpr int kMinRowHeight = 4;
constexpr int kMaxRowHeight = 26;
constexpr int kNarrowest = 3;
constexpr int kWidest = 80;
constexpr int kWidestAtFirst = 30;
constexpr int kNarrowestAtFirst = 10;

}  // namespace

CallMatrix::CallMatrix(DumpState& state, QWidget* parent) : CellMatrix(parent), m_state(state) {
    setObjectName(QStringLiteral("calls"));
    setAccessibleName(tr("Ranks by calls"));
    setWhatsThis(
        tr("One row per rank, one column per collective of the process group, by number, or per "
           "point-to-point message. Stuck calls are framed. Click a cell to see the call's state "
           "on that rank and where the program made it; arrow keys move between cells. Ctrl+wheel "
           "changes the column width."));
    connect(&state, &DumpState::viewChanged, this, &CallMatrix::fit);
    connect(&state, &DumpState::selectionChanged, this, [this] {
        if (const auto place = selected()) {
            reveal(*place);
        }
        viewport()->update();
    });
}

QString CallMatrix::rowLabel(std::size_t row) const {
    return tr("rank %1").arg(m_state.grid().ranks()[row]);
}

QString CallMatrix::columnLabel(std::size_t column) const {
    return models::toText(m_state.grid().columnLabel(column));
}

QString CallMatrix::columnsTitle() const {
    return m_state.grid().kind() == CallKind::Messages ? tr("message") : tr("number");
}

QString CallMatrix::emptyText() const {
    return tr("The dumps contain no calls of this group.");
}

std::optional<CellMatrix::Place> CallMatrix::selected() const {
    const auto cell = m_state.cell();
    return cell ? std::optional(Place{cell->row, cell->column}) : std::nullopt;
}

void CallMatrix::select(std::optional<Place> place) {
    m_state.setCell(place ? std::optional(CallPlace{place->row, place->column}) : std::nullopt);
}

CellMatrix::Place CallMatrix::firstPlace() const {
    const auto& stuck = m_state.grid().stuck();
    return {0, stuck.empty() ? 0 : stuck.front().column};
}

void CallMatrix::layOut() {
    const auto rows = static_cast<int>(m_state.grid().ranks().size());
    const int wide = static_cast<int>(std::max<std::size_t>(1, columns()));
    const int labels = widthOfLabels(m_state.grid().ranks().size());
    const int height =
        std::clamp(room().height() / std::max(1, rows), kMinRowHeight, kMaxRowHeight);
    const int width = m_wantedWidth > 0.0 ? static_cast<int>(std::lround(m_wantedWidth))
                                          : std::clamp((viewport()->width() - labels) / wide,
                                                       kNarrowestAtFirst, kWidestAtFirst);
    setSizes(std::vector<int>(static_cast<std::size_t>(rows), height), height, labels, width);
}

// The selected cell, else the stuck one.
void CallMatrix::revealMain() {
    if (const auto place = selected()) {
        reveal(*place);
    } else if (!m_state.grid().stuck().empty()) {
        reveal(firstPlace());
    }
}

void CallMatrix::fit() {
    m_wantedWidth = 0.0;
    layOut();
    revealMain();
}

// Keeps the middle in place.
void CallMatrix::zoom(double factor) {
    const double before = cellWidth();
    const double middle = horizontalScrollBar()->value() + room().width() / 2.0;
    const double wanted = m_wantedWidth > 0.0 ? m_wantedWidth : before;
    m_wantedWidth = std::clamp(wanted / factor, double{kNarrowest}, double{kWidest});
    layOut();
    horizontalScrollBar()->setValue(
        horizontalScrollBar()->value() +
        static_cast<int>(std::lround(middle * cellWidth() / before - middle)));
}

QString CallMatrix::toolTipAt(QPoint at) const {
    const auto place = placeAt(at);
    if (!place) {
        return {};
    }
    const flight::CallGrid& grid = m_state.grid();
    QString text = tr(flight::fateName(grid.fate(place->row, place->column)));
    if (const auto call = grid.call(place->row, place->column)) {
        const flight::Dump& dump = m_state.job().dumps[call->dump];
        const flight::Entry& entry = m_state.job().entry(*call);
        text = tr("%1: %2").arg(
            style::shownText(std::string_view(flight::callWords(dump, entry)), 200), text);
        const std::string where = flight::whereWords(dump, entry);
        text += where.empty() ? QString()
                              : tr("\nat %1").arg(style::shownText(std::string_view(where), 200));
    }
    if (grid.differs(place->column)) {
        text += tr("\nThe ranks’ calls do not match");
    }
    return style::plainToolTip(
        text,
        tr("%1, %2").arg(rowLabel(place->row), models::toText(grid.columnTitle(place->column))));
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
        return CellMatrix::wheelEvent(event);
    }
    event->accept();
}

void CallMatrix::resizeEvent(QResizeEvent* event) {
    CellMatrix::resizeEvent(event);
    revealMain();
}

void CallMatrix::paintCell(QPainter& painter, const QRect& box, Place place) {
    const flight::CallGrid& grid = m_state.grid();
    paintFate(painter, box, grid.fate(place.row, place.column));
    if (grid.differs(place.column) && grid.call(place.row, place.column)) {
        paintDifference(painter, box);
    }
}

// A frame around each column that is stuck, and its label with the word above it.
void CallMatrix::paintMarks(QPainter& painter) {
    const style::Theme& theme = style::Theme::current();
    const flight::CallGrid& grid = m_state.grid();
    painter.save();
    painter.setClipRect(labelWidth() - 2, 0, viewport()->width(), viewport()->height());
    for (const auto& [column, stuck] : grid.stuck()) {
        const QRect first = boxOf({0, column});
        const QRect last = boxOf({grid.ranks().size() - 1, column});
        if (first.right() < labelWidth() || first.left() >= viewport()->width()) {
            continue;
        }
        painter.setRenderHint(QPainter::Antialiasing, false);
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(theme.error(), 2));
        painter.drawRect(
            QRect(QPoint(first.left() - 1, kHeader),
                  QPoint(first.right(), std::min(viewport()->height(), last.bottom() + 1))));
        const QString text = tr("%1 is stuck").arg(columnLabel(column));
        const int width = painter.fontMetrics().horizontalAdvance(text) + 2 * kMargin;
        QRect sign(first.center().x() - width / 2, 2, width, kHeader - 5);
        sign.moveLeft(std::clamp(sign.left(), labelWidth(),
                                 std::max(labelWidth(), viewport()->width() - width)));
        painter.setPen(Qt::NoPen);
        painter.setBrush(theme.error());
        painter.setRenderHint(QPainter::Antialiasing);
        painter.drawRoundedRect(sign, 4, 4);
        painter.setPen(theme.textOn(theme.error()));
        painter.drawText(sign, Qt::AlignCenter, text);
    }
    painter.restore();
}

}  // namespace kinetoscope::job::dumps
