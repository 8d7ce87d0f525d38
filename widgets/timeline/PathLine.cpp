// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/timeline/PathLine.h"

#include <QEvent>
#include <QPainter>
#include <algorithm>
#include <optional>
#include <utility>

#include "widgets/session/ViewState.h"
#include "widgets/session/path/PathFinder.h"
#include "widgets/style/Theme.h"

namespace kinetoscope::timeline {

namespace {

constexpr double kLineWidth = 2.0;
constexpr double kRimWidth = 4.5;

}  // namespace

PathLine::PathLine(QWidget& timeline, session::ViewState& state, DrawnPlaces places)
    : QWidget(&timeline),
      m_timeline(timeline),
      m_places(std::move(places)),
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
    const TimeCoordinates at = m_places.coordinates();
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
        std::optional<double> height;
        if (piece->node != path::kNoNode) {
            const path::Node& node = shown->graph->nodes[piece->node];
            height = m_places.height(node.slice, node.track);
        }
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
    painter.setClipRect(m_places.timeArea());
    const style::Theme& theme = style::Theme::current();
    for (const QPolygonF& line : lines()) {
        for (const QPen& pen : {QPen(theme.base(), kRimWidth), QPen(theme.error(), kLineWidth)}) {
            painter.setPen(pen);
            painter.drawPolyline(line);
        }
    }
}

}  // namespace kinetoscope::timeline
