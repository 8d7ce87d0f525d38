// SPDX-License-Identifier: GPL-3.0-or-later
// Pointer and keyboard in the timeline of ranks.
#include <QApplication>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QScrollBar>
#include <QToolTip>
#include <algorithm>
#include <cmath>

#include "core/base/SaturatedTime.h"
#include "core/ranks/view/JobWords.h"
#include "core/text/Format.h"
#include "widgets/job/RankTimeline.h"
#include "widgets/job/TimelineSizes.h"
#include "widgets/models/Text.h"
#include "widgets/session/paths/FilePath.h"
#include "widgets/style/PlainText.h"

namespace kinetoscope::job {

using ranks::view::CollectiveMark;
using ranks::view::RankPicture;

namespace {

constexpr double kWheelZoom = 0.8;  // of the visible time, a notch
constexpr double kKeyZoom = 0.75;   // of the visible time, a key press
constexpr double kKeyPan = 0.1;     // of the visible time, a key press
constexpr double kNotch = 120.0;    // QWheelEvent's eighths of a degree
constexpr double kReach = 3.0;      // pixels beside a collective that still mean it
constexpr double kRevealed = 0.6;   // of a collective's time, on both sides

}  // namespace

const CollectiveMark* RankTimeline::markAt(std::size_t record, QPoint at) const {
    const RankPicture& rank = m_state.shown().ranks[record];
    const timeline::TimeCoordinates time = coordinates();
    const TimeNs reach = time.length(kReach);
    const TimeNs pointed = time.time(at.x());
    const CollectiveMark* best = nullptr;
    TimeNs least = 0;
    for (std::size_t i = rank.firstMark(pointed - reach);
         i < rank.marks.size() && rank.marks[i].span.start <= pointed + reach; ++i) {
        const TimeSpan span = rank.marks[i].span;
        const TimeNs away = std::max<TimeNs>({0, span.start - pointed, pointed - (span.end - 1)});
        if (away <= reach && (best == nullptr || away < least)) {
            best = &rank.marks[i];
            least = away;
        }
    }
    return best;
}

std::optional<RankTimeline::Place> RankTimeline::placeAt(QPoint at) const {
    const auto row =
        at.y() < kRuler ? std::nullopt : m_rows.at(at.y() - kRuler + verticalScrollBar()->value());
    if (!row || m_state.rows()[*row].isHeading()) {
        return std::nullopt;
    }
    Place place;
    place.record = m_state.rows()[*row].record;
    place.isLabel = at.x() < kLabels;
    const int inside = at.y() - rowTop(*row);
    place.isDetail = inside >= m_rowHeight;
    place.isToggle = at.x() < kToggle && !place.isDetail;
    place.time = coordinates().time(at.x());
    if (place.isLabel) {
        return place;
    }
    if (place.isDetail) {
        place.column = device(at.x() - kLabels);
        place.y = device(at.y() - std::max(rowTop(*row) + m_rowHeight, kRuler));
    } else if (inside > stripHeight()) {
        place.mark = markAt(place.record, at);
    }
    return place;
}

QString RankTimeline::stripTip(std::size_t record, int x) const {
    const RankPicture& rank = m_state.shown().ranks[record];
    const timeline::TimeCoordinates at = coordinates();
    const TimeNs pointed = at.time(x);
    const TimeNs from = m_state.shown().onRank(record, {pointed, pointed}).start;
    std::vector<ranks::view::BusyShare> one(1);
    rank.busy.draw(m_state.job().records[record],
                   {from, from + std::max<TimeNs>(1, at.length(1.0))}, one);
    const auto percent = [](std::uint8_t part) {
        return QStringLiteral("%1 %").arg(std::lround(part / 2.55));
    };
    return tr("computing %1, only communicating %2, only copying %3")
        .arg(percent(one[0].compute), percent(one[0].communication), percent(one[0].copies));
}

QString RankTimeline::toolTipAt(QPoint at) const {
    const auto place = placeAt(at);
    if (!place) {
        return {};
    }
    const QString rank = tr("rank %1").arg(m_state.job().records[place->record].rank);
    if (place->isLabel) {
        const ranks::RankClock& clock = m_state.job().clocks[place->record];
        const QString told =
            clock.aligned ? tr("clock: %1 off the first rank’s, ± %2")
                                .arg(models::toText(text::formatDuration(clock.offsetNs)),
                                     models::toText(text::formatDuration(clock.residualNs)))
                          : tr("clock: shares no collective with the others and cannot be aligned");
        return style::plainToolTip(
            told + QLatin1Char('\n') +
                tr("The triangle opens its GPU rows, double-click its own trace."),
            rank);
    }
    if (place->isDetail) {
        const auto opened = m_opened.find(place->record);
        return opened == m_opened.end() ? QString()
                                        : opened->second->toolTipAt(place->column, place->y);
    }
    if (place->mark == nullptr) {
        return style::plainToolTip(stripTip(place->record, at.x()), rank);
    }
    if (place->mark->collective == CollectiveMark::kUnmatched) {
        return style::plainToolTip(tr("no other rank’s file contains this collective"), rank);
    }
    QString text;
    for (const std::string& line :
         ranks::view::describeCollective(m_state.job(), place->mark->collective)) {
        text += models::toText(line) + QLatin1Char('\n');
    }
    return style::plainToolTip(text.trimmed(), models::toText(ranks::view::collectiveTitle(
                                                   m_state.job(), place->mark->collective)));
}

bool RankTimeline::viewportEvent(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        QToolTip::showText(help->globalPos(), toolTipAt(help->pos()), viewport());
        return true;
    }
    return QAbstractScrollArea::viewportEvent(event);
}

void RankTimeline::wheelEvent(QWheelEvent* event) {
    const QPoint turn = event->angleDelta();
    const timeline::TimeCoordinates time = coordinates();
    const double x = event->position().x();
    if (event->modifiers().testFlag(Qt::ControlModifier) && x < kLabels) {
        m_wantedHeight =
            std::clamp(m_rowHeight + (turn.y() > 0 ? 2 : -2), kMinRowHeight, kMaxRowHeight);
        layOut();
    } else if (x < kLabels || event->modifiers().testFlag(Qt::ShiftModifier)) {
        const int amount = turn.y() != 0 ? turn.y() : turn.x();
        verticalScrollBar()->setValue(
            verticalScrollBar()->value() -
            static_cast<int>(std::lround(amount / kNotch * 3 * m_rowHeight)));
    } else if (std::abs(turn.x()) > std::abs(turn.y())) {
        m_state.pan(-time.length(turn.x() / 2.0));
    } else if (turn.y() != 0) {
        m_state.zoom(std::pow(kWheelZoom, turn.y() / kNotch), time.time(x));
    }
    event->accept();
}

void RankTimeline::mousePressEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton) {
        m_drag = Drag::Pending;
        m_pressAt = event->position().toPoint();
        m_pressVisible = m_state.visible();
        m_pressScroll = verticalScrollBar()->value();
    } else {
        QAbstractScrollArea::mousePressEvent(event);
    }
}

void RankTimeline::mouseMoveEvent(QMouseEvent* event) {
    const QPoint at = event->position().toPoint();
    if (m_drag == Drag::Pending &&
        (at - m_pressAt).manhattanLength() >= QApplication::startDragDistance()) {
        m_drag = Drag::Pan;
        viewport()->setCursor(Qt::ClosedHandCursor);
    }
    if (m_drag == Drag::Pan) {
        const timeline::TimeCoordinates pressed(m_pressVisible, coordinates().left(),
                                                coordinates().width());
        const TimeNs by = pressed.length(m_pressAt.x() - at.x());
        if (m_pressAt.x() >= kLabels) {
            m_state.setVisible(movedSpan(m_pressVisible, by));
        }
        verticalScrollBar()->setValue(m_pressScroll + m_pressAt.y() - at.y());
    }
}

void RankTimeline::mouseReleaseEvent(QMouseEvent* event) {
    const bool clicked = m_drag == Drag::Pending;
    m_drag = Drag::None;
    viewport()->unsetCursor();
    if (clicked && event->button() == Qt::LeftButton) {
        click(event->position().toPoint());
    }
}

void RankTimeline::click(QPoint at) {
    if (const auto chosen = m_state.collective(); chosen && m_lastSign.contains(at)) {
        const auto& members = m_state.job().matching.collectives[*chosen].members;
        m_current = members[m_state.job().waits[*chosen].last].record;
        revealRank(*m_current);
        viewport()->update();
        return;
    }
    const auto place = placeAt(at);
    if (!place) {
        return;
    }
    m_current = place->record;
    if (place->isToggle) {
        const bool isWanted = std::ranges::count(m_wanted, place->record) > 0;
        setOpened(place->record, !isOpened(place->record) && !isWanted);
    } else if (place->mark != nullptr && place->mark->collective != CollectiveMark::kUnmatched) {
        m_state.setCollective(place->mark->collective);
    } else if (!place->isLabel && !place->isDetail) {
        selectAt(*place);
    }
    viewport()->update();
}

// The step that the rank was in.
void RankTimeline::selectAt(const Place& place) {
    for (std::size_t step = 0; step < m_state.job().steps.size(); ++step) {
        if (m_state.shown().stepSpan(place.record, step).contains(place.time)) {
            m_state.setCell(CellPlace{place.record, step});
            return;
        }
    }
    m_state.setCell(std::nullopt);
}

void RankTimeline::mouseDoubleClickEvent(QMouseEvent* event) {
    const auto place = placeAt(event->position().toPoint());
    m_drag = Drag::None;
    if (!place || place->isToggle || event->button() != Qt::LeftButton) {
        return;
    }
    const auto opened = m_opened.find(place->record);
    if (place->isDetail && opened != m_opened.end()) {
        const trace::SliceId slice = opened->second->sliceAt(place->column, place->y);
        if (slice != trace::kNoSlice) {
            const TimeSpan span = opened->second->trace().span(slice);
            emit m_state.rankRequested(
                session::decodedPath(m_state.job().records[place->record].file), span.start,
                span.end);
            return;
        }
    }
    m_state.askForRank(place->record);
}

// To the next or last collective of the rank that keys are about, however far away.
void RankTimeline::stepCollective(int by) {
    if (!m_current) {
        return;
    }
    const auto& marks = m_state.shown().ranks[*m_current].marks;
    const auto chosen = m_state.collective();
    const auto count = static_cast<std::ptrdiff_t>(marks.size());
    std::ptrdiff_t at = by > 0 ? -1 : count;
    if (chosen) {
        const auto found = std::ranges::find(marks, *chosen, &CollectiveMark::collective);
        at = found == marks.end() ? at : found - marks.begin();
    } else {
        const auto next =
            std::ranges::lower_bound(marks, m_state.visible().start, {},
                                     [](const CollectiveMark& mark) { return mark.span.start; });
        at = next - marks.begin() - (by > 0 ? 1 : 0);
    }
    for (at += by; at >= 0 && at < count; at += by) {
        const CollectiveMark& mark = marks[static_cast<std::size_t>(at)];
        if (mark.collective == CollectiveMark::kUnmatched) {
            continue;
        }
        m_state.setCollective(mark.collective);
        const TimeSpan visible = m_state.visible();
        if (mark.span.start < visible.start || mark.span.end > visible.end) {
            const TimeNs length = std::max(
                visible.duration(),
                static_cast<TimeNs>(static_cast<double>(mark.span.duration()) * (1 + kRevealed)));
            const TimeNs start = mark.span.start - (length - mark.span.duration()) / 2;
            m_state.setVisible({start, start + length});
        }
        return;
    }
}

bool RankTimeline::moveKey(const QKeyEvent& event) {
    const TimeSpan visible = m_state.visible();
    const TimeNs middle = visible.start + visible.duration() / 2;
    const auto part =
        std::max<TimeNs>(1, static_cast<TimeNs>(static_cast<double>(visible.duration()) * kKeyPan));
    switch (event.key()) {
        case Qt::Key_W:
            m_state.zoom(kKeyZoom, middle);
            return true;
        case Qt::Key_S:
            m_state.zoom(1.0 / kKeyZoom, middle);
            return true;
        case Qt::Key_A:
            m_state.pan(-part);
            return true;
        case Qt::Key_D:
            m_state.pan(part);
            return true;
        case Qt::Key_F:
            if (m_state.collective()) {
                m_state.zoomTo(m_state.job().waits[*m_state.collective()].span, kRevealed);
            } else {
                m_state.fit();
            }
            return true;
        case Qt::Key_PageDown:
        case Qt::Key_PageUp:
            verticalScrollBar()->setValue(verticalScrollBar()->value() +
                                          (event.key() == Qt::Key_PageDown ? 1 : -1) *
                                              verticalScrollBar()->pageStep());
            return true;
        default:
            return false;
    }
}

bool RankTimeline::rowKey(const QKeyEvent& event) {
    const auto& rows = m_state.rows();
    switch (event.key()) {
        case Qt::Key_Up:
        case Qt::Key_Down: {
            const int by = event.key() == Qt::Key_Down ? 1 : -1;
            auto row = m_current ? static_cast<std::ptrdiff_t>(m_state.rowOf(*m_current)) + by : 0;
            const auto count = static_cast<std::ptrdiff_t>(rows.size());
            while (row >= 0 && row < count && rows[static_cast<std::size_t>(row)].isHeading()) {
                row += by;
            }
            if (row >= 0 && row < count) {
                m_current = rows[static_cast<std::size_t>(row)].record;
                revealRank(*m_current);
                viewport()->update();
            }
            return true;
        }
        case Qt::Key_Left:
        case Qt::Key_Right:
            stepCollective(event.key() == Qt::Key_Right ? 1 : -1);
            return true;
        case Qt::Key_Space:
            if (m_current) {
                setOpened(*m_current, !isOpened(*m_current));
            }
            return true;
        case Qt::Key_Return:
        case Qt::Key_Enter:
            if (m_current) {
                m_state.askForRank(*m_current);
            }
            return true;
        case Qt::Key_Escape:
            m_state.setCell(std::nullopt);
            return true;
        default:
            return false;
    }
}

void RankTimeline::keyPressEvent(QKeyEvent* event) {
    const bool plain =
        !(event->modifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier));
    if (!plain || (!moveKey(*event) && !rowKey(*event))) {
        QAbstractScrollArea::keyPressEvent(event);
    }
}

}  // namespace kinetoscope::job
