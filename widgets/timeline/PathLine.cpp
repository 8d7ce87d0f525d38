// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/timeline/PathLine.h"

#include <QEvent>
#include <QPainter>
#include <algorithm>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "widgets/session/ViewState.h"
#include "widgets/session/path/PathFinder.h"
#include "widgets/style/Theme.h"

namespace kinetoscope::timeline {

namespace {

constexpr double kLineWidth = 2.0;
constexpr double kRimWidth = 4.5;
constexpr double kCloseTogether = 12.0;  // pixels in which a line may turn
constexpr std::size_t kMaxTurns = 4;     // so often, or it would hide what lies below it

/// A piece of the path as it is drawn.
struct Stretch {
    double from = 0.0;
    double to = 0.0;
    double height = 0.0;
    bool isGap = false;  ///< the way to the next one
};

/// The height at which the path is for most of the time.
double mainHeight(const std::vector<Stretch>& stretches) {
    std::map<double, double> widths;
    for (const Stretch& one : stretches) {
        widths[one.height] += one.isGap ? 0.0 : one.to - one.from;
    }
    return std::ranges::max_element(widths, {}, [](const auto& row) { return row.second; })->first;
}

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
    const auto& pieces = shown->found->path.pieces;
    auto piece = std::ranges::lower_bound(pieces, visible.start, {},
                                          [](const path::PathPiece& one) { return one.span.end; });
    QPolygonF line;
    std::vector<Stretch> close;  // in so few pixels
    const auto add = [&](QPointF point) {
        // Of thousands of pieces in one pixel only one vertical line is drawn.
        if (line.isEmpty() || (line.back() - point).manhattanLength() >= 1.0) {
            line.push_back(point);
        }
    };
    const auto addClose = [&] {
        const bool isTooMuch = close.size() > kMaxTurns;
        const double main = isTooMuch ? mainHeight(close) : 0.0;
        for (const Stretch& one : close) {
            if (!isTooMuch && !one.isGap) {
                add({one.from, one.height});
            }
            if (!isTooMuch) {
                add({one.to, one.height});
            }
        }
        if (isTooMuch) {
            add({close.front().from, main});
            add({close.back().to, main});
        }
        close.clear();
    };
    for (; piece != pieces.end() && piece->span.start < visible.end; ++piece) {
        // A gap is the way to what it lies before.
        std::optional<double> height;
        if (piece->node != path::kNoNode) {
            const path::Node& node = shown->graph->nodes[piece->node];
            height = m_places.height(node.slice, node.track);
        }
        if (!height) {
            addClose();
            if (line.size() > 1) {
                lines.push_back(line);
            }
            line.clear();
            continue;
        }
        close.push_back({at.x(std::max(piece->span.start, visible.start)),
                         at.x(std::min(piece->span.end, visible.end)), *height, piece->isGap});
        if (close.back().to - close.front().from >= kCloseTogether) {
            addClose();
        }
    }
    addClose();
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
