// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/timeline/PathLine.h"

#include <QEvent>
#include <QPainter>
#include <algorithm>
#include <optional>

#include "widgets/session/PathFinder.h"
#include "widgets/session/ViewState.h"
#include "widgets/style/Theme.h"
#include "widgets/timeline/TimelineWidget.h"

namespace kinetoscope::timeline {

namespace {

constexpr double kLineWidth = 2.0;
constexpr double kRimWidth = 4.5;

// The middle of what a node is drawn as: an operation or call, else the first lane of its thread.
std::optional<double> heightOf(const TimelineWidget& timeline, const path::Node& node) {
    if (node.slice != trace::kNoSlice) {
        const auto box = timeline.sliceBox(node.slice);
        return box ? std::optional(box->center().y()) : std::nullopt;
    }
    const auto place = timeline.rows().rowOf(node.track);
    if (!place) {
        return std::nullopt;
    }
    const TimelineRow& row = timeline.rows().rows()[*place];
    return timeline.rows().laneTop(row, 0) + timeline.rows().metrics().laneHeight / 2.0 +
           timeline.rows().shift(row, timeline.rowView());
}

}  // namespace

PathLine::PathLine(TimelineWidget& timeline, session::ViewState& state)
    : QWidget(&timeline),
      m_timeline(timeline),
      m_state(state),
      m_paths(session::PathFinder::of(state)) {
    setObjectName(QStringLiteral("pathLine"));
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setFocusPolicy(Qt::NoFocus);
    setGeometry(timeline.rect());
    timeline.installEventFilter(this);
    const auto follow = [this] {
        setVisible(m_paths.isDrawn() && m_paths.shown() != nullptr);
        update();
    };
    connect(&m_paths, &session::PathFinder::changed, this, follow);
    connect(&m_paths, &session::PathFinder::drawnChanged, this, follow);
    follow();
}

bool PathLine::eventFilter(QObject* watched, QEvent* event) {
    if (watched == &m_timeline && event->type() == QEvent::Resize) {
        setGeometry(m_timeline.rect());
    }
    return QWidget::eventFilter(watched, event);
}

std::vector<QPolygonF> PathLine::lines() const {
    std::vector<QPolygonF> lines;
    const auto& shown = m_paths.shown();
    if (!shown || shown->trace != m_state.trace()) {
        return lines;
    }
    const TimeSpan visible = m_state.visible();
    const TimeCoordinates at = m_timeline.coordinates();
    const auto& pieces = shown->path.pieces;
    auto piece = std::ranges::lower_bound(pieces, visible.start, {},
                                          [](const path::PathPiece& one) { return one.span.end; });
    QPolygonF line;
    const auto add = [&](QPointF point) {
        // Where thousands of pieces share a pixel the line goes up and down there once.
        if (line.isEmpty() || (line.back() - point).manhattanLength() >= 1.0) {
            line.push_back(point);
        }
    };
    for (; piece != pieces.end() && piece->span.start < visible.end; ++piece) {
        // A gap is the way to what it lies before.
        const auto height = piece->node == path::kNoNode
                                ? std::nullopt
                                : heightOf(m_timeline, shown->graph->nodes[piece->node]);
        if (!height) {
            if (line.size() > 1) {
                lines.push_back(line);
            }
            line.clear();
            continue;
        }
        const double from = at.x(std::max(piece->span.start, visible.start));
        const double to = at.x(std::min(piece->span.end, visible.end));
        if (!piece->isGap) {
            add({from, *height});
        }
        add({to, *height});
    }
    if (line.size() > 1) {
        lines.push_back(line);
    }
    return lines;
}

void PathLine::paintEvent(QPaintEvent* /*event*/) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setClipRect(m_timeline.timeArea());
    const style::Theme& theme = style::Theme::current();
    for (const QPolygonF& line : lines()) {
        for (const QPen& pen : {QPen(theme.base(), kRimWidth), QPen(theme.error(), kLineWidth)}) {
            painter.setPen(pen);
            painter.drawPolyline(line);
        }
    }
}

}  // namespace kinetoscope::timeline
