// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/job/MatrixView.h"

#include <QMouseEvent>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "core/ranks/view/JobWords.h"
#include "widgets/models/Text.h"
#include "widgets/style/PlainText.h"

namespace kinetoscope::job {

using ranks::view::JobRow;

namespace {

constexpr int kMinRowHeight = 4;
constexpr int kMaxFitted = 32;
constexpr int kMaxRowHeight = 48;
constexpr int kNarrowestCell = 12;
constexpr int kWidestCell = 130;
constexpr int kTextRoom = 6;  // beside a value in its cell

}  // namespace

MatrixView::MatrixView(JobState& state, QWidget* parent)
    : CellMatrix(parent), m_state(state), m_colors(style::Theme::current(), state.figure(), 1.0) {
    setObjectName(QStringLiteral("matrix"));
    setAccessibleName(tr("Ranks by steps"));
    setWhatsThis(
        tr("One row per rank, one column per step, coloured by the figure chosen above. Click a "
           "cell to see what happened there and show that time below; arrow keys move between "
           "cells, Enter opens the rank’s own trace. Ctrl+wheel changes the row height."));
    connect(&state, &JobState::rowsChanged, this, [this] {
        layOut();
        revealSelected();
    });
    connect(&state, &JobState::figureChanged, this, &MatrixView::refreshColors);
    connect(&state, &JobState::selectionChanged, this, &MatrixView::revealSelected);
    refreshColors();
}

void MatrixView::refreshColors() {
    m_colors = CellColors(style::Theme::current(), m_state.figure(),
                          m_state.shown().grid.largest(m_state.figure()));
    viewport()->update();
}

void MatrixView::revealSelected() {
    if (const auto place = selected()) {
        reveal(*place);
    }
    viewport()->update();
}

CellMatrix::Place MatrixView::placeOf(CellPlace cell) const {
    return {m_state.rowOf(cell.record), cell.step};
}

CellPlace MatrixView::cellOf(Place place) const {
    return {m_state.rows()[place.row].record, place.column};
}

std::optional<CellMatrix::Place> MatrixView::selected() const {
    const auto cell = m_state.cell();
    return cell ? std::optional(placeOf(*cell)) : std::nullopt;
}

void MatrixView::select(std::optional<Place> place) {
    if (place) {
        m_state.goTo(cellOf(*place));
    } else {
        m_state.setCell(std::nullopt);
    }
}

void MatrixView::activate() {
    m_state.askForRank(m_state.cell()->record);
}

QString MatrixView::rowLabel(std::size_t row) const {
    const ranks::RankRecord& one = m_state.job().records[m_state.rows()[row].record];
    const QString rank = tr("rank %1").arg(one.rank);
    return one.host.empty() || m_state.groups() == ranks::view::RowGroups::Host
               ? rank
               : rank + QStringLiteral("  ") + style::shownText(std::string_view(one.host), 60);
}

std::optional<QString> MatrixView::headingOf(std::size_t row) const {
    const JobRow& of = m_state.rows()[row];
    return of.isHeading() ? std::optional(style::shownText(std::string_view(of.heading), 200))
                          : std::nullopt;
}

QString MatrixView::columnLabel(std::size_t column) const {
    const std::int64_t number = m_state.job().steps[column].number;
    return number < 0 ? tr("none") : QString::number(number);
}

void MatrixView::layOut() {
    const auto& rows = m_state.rows();
    const auto headings = static_cast<int>(std::ranges::count_if(rows, &JobRow::isHeading));
    const int ranks = std::max(1, static_cast<int>(rows.size()) - headings);
    const int fitted =
        std::clamp((room().height() - headings * kHeadingRow) / ranks, kMinRowHeight, kMaxFitted);
    const int height = m_wantedHeight > 0 ? m_wantedHeight : fitted;
    std::vector<int> heights;
    heights.reserve(rows.size());
    for (const JobRow& row : rows) {
        heights.push_back(row.isHeading() ? kHeadingRow : height);
    }
    const int labels = widthOfLabels(rows.size());
    const auto steps = static_cast<int>(std::max<std::size_t>(1, columns()));
    setSizes(
        heights, height, labels,
        std::clamp((viewport()->width() - labels - kMargin) / steps, kNarrowestCell, kWidestCell));
}

QRect MatrixView::cellRect(CellPlace cell) const {
    return boxOf(placeOf(cell));
}

QString MatrixView::cellText(CellPlace cell) const {
    return models::toText(ranks::view::valueText(
        m_state.figure(), m_state.shown().grid.value(m_state.figure(), cell.record, cell.step)));
}

void MatrixView::mouseDoubleClickEvent(QMouseEvent* event) {
    const auto row = rowAt(event->position().toPoint().y());
    if (row && !headingOf(*row)) {
        m_state.askForRank(m_state.rows()[*row].record);
    }
}

void MatrixView::wheelEvent(QWheelEvent* event) {
    if (!event->modifiers().testFlag(Qt::ControlModifier)) {
        return CellMatrix::wheelEvent(event);
    }
    const int turn = event->angleDelta().y();
    const int by = turn > 0 ? 2 : turn < 0 ? -2 : 0;
    m_wantedHeight = std::clamp(rowHeight() + by, kMinRowHeight, kMaxRowHeight);
    layOut();
    event->accept();
}

void MatrixView::changeEvent(QEvent* event) {
    CellMatrix::changeEvent(event);
    if (event->type() == QEvent::PaletteChange) {
        refreshColors();
    }
}

QString MatrixView::toolTipAt(QPoint at) const {
    const auto place = placeAt(at);
    if (!place) {
        const auto row = rowAt(at.y());
        return row && !headingOf(*row)
                   ? style::plainToolTip(tr("Double click opens this rank’s own trace"),
                                         rowLabel(*row))
                   : QString();
    }
    const QString value = cellText(cellOf(*place));
    const QString heading = QStringLiteral("%1, %2").arg(
        rowLabel(place->row),
        models::toText(ranks::view::stepTitle(m_state.job().steps[place->column].number)));
    return style::plainToolTip(
        QStringLiteral("%1: %2").arg(tr(ranks::view::figureTitle(m_state.figure())),
                                     value.isEmpty() ? tr("the rank has no such step") : value),
        heading);
}

void MatrixView::paintCell(QPainter& painter, const QRect& box, Place place) {
    const style::Theme& theme = style::Theme::current();
    const CellPlace cell = cellOf(place);
    const double value = m_state.shown().grid.value(m_state.figure(), cell.record, cell.step);
    if (std::isnan(value)) {
        painter.fillRect(box, QBrush(theme.border(), Qt::BDiagPattern));
        return;
    }
    const QColor fill = m_colors.color(value);
    painter.fillRect(box, fill);
    const QFontMetrics metrics = painter.fontMetrics();
    if (metrics.height() > box.height() + 2) {
        return;
    }
    const QString text = cellText(cell);
    if (metrics.horizontalAdvance(text) + kTextRoom <= box.width()) {
        painter.setPen(theme.textOn(fill));
        painter.drawText(box, Qt::AlignCenter, text);
    }
}

}  // namespace kinetoscope::job
