// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/timeline/MarkedColumns.h"

#include <QPainter>
#include <algorithm>
#include <cmath>

#include "widgets/session/SliceMarks.h"
#include "widgets/style/Theme.h"

namespace kinetoscope::timeline {

namespace {

// Logical pixels.
constexpr double kMark = 2.0;
constexpr double kChosenMark = 4.0;
constexpr double kChosenWidth = 3.0;

class Columns {
public:
    Columns(TimeSpan view, std::int32_t columns)
        : m_view(view), m_columns(columns), m_length(static_cast<double>(view.duration())) {}

    /// Of a time from the view's start on, or beyond the last one.
    [[nodiscard]] std::int32_t of(TimeNs time) const {
        const double share = static_cast<double>(time - m_view.start) / m_length;
        return static_cast<std::int32_t>(
            std::clamp(std::floor(share * m_columns), 0.0, static_cast<double>(m_columns)));
    }

private:
    TimeSpan m_view;
    std::int32_t m_columns;
    double m_length;
};

}  // namespace

std::vector<MarkedColumns> markedColumns(const trace::Trace& trace,
                                         std::span<const trace::SliceId> slices, TimeSpan view,
                                         std::int32_t columns) {
    std::vector<MarkedColumns> found;
    if (view.empty() || columns <= 0) {
        return found;
    }
    const Columns places(view, columns);
    auto at = std::partition_point(slices.begin(), slices.end(), [&](trace::SliceId slice) {
        return trace.start(slice) < view.start && trace.end(slice) <= view.start;
    });
    while (at != slices.end() && trace.start(*at) < view.end) {
        const std::int32_t begin = found.empty() ? 0 : found.back().last;
        const std::int32_t first = std::max(begin, places.of(trace.start(*at)));
        const std::int32_t last =
            std::max(first + 1, places.of(std::min(trace.end(*at), view.end)));
        if (first >= columns) {
            break;
        }
        found.push_back({first, last, *at});
        const auto next = std::partition_point(at + 1, slices.end(), [&](trace::SliceId slice) {
            return places.of(trace.start(slice)) < last;
        });
        // The last one that begins in these columns may be longer than they are.
        const bool goesOn =
            next - at > 1 && places.of(std::min(trace.end(*(next - 1)), view.end)) > last;
        at = goesOn ? next - 1 : next;
    }
    return found;
}

std::vector<std::int32_t> startColumns(const trace::Trace& trace,
                                       std::span<const trace::SliceId> slices, TimeSpan view,
                                       std::int32_t columns) {
    std::vector<std::int32_t> found;
    if (view.empty() || columns <= 0) {
        return found;
    }
    const Columns places(view, columns);
    auto at = std::partition_point(slices.begin(), slices.end(), [&](trace::SliceId slice) {
        return trace.start(slice) < view.start;
    });
    while (at != slices.end() && trace.start(*at) < view.end) {
        found.push_back(places.of(trace.start(*at)));
        at = std::partition_point(at, slices.end(), [&](trace::SliceId slice) {
            return places.of(trace.start(slice)) <= found.back();
        });
    }
    return found;
}

std::vector<int> markedRows(const TimelineRows& rows, const session::SliceMarks& marks) {
    const auto isOn = [&](const TimelineRow& row) { return marks.isOn(row.track); };
    std::vector<int> found;
    for (const TimelineRow& row : rows.rows()) {
        const bool isMarked =
            row.kind == RowKind::Group
                ? row.collapsed && std::ranges::any_of(rows.tracksOf(row.process), isOn)
                : marks.isOn(row.track);
        if (isMarked) {
            found.push_back(row.top + row.height / 2);
        }
    }
    return found;
}

void paintMarks(QPainter& painter, const QRect& area, const TimelineGeometry& geometry,
                const TimelineRows& rows, const trace::Trace& trace,
                const session::SliceMarks& marks, trace::SliceId chosen) {
    const style::Theme& theme = style::Theme::current();
    const GeometrySpec& spec = geometry.spec;
    const auto pixels = [&](double logical) {
        return std::max(1, static_cast<int>(std::lround(logical * spec.scale)));
    };
    for (const LaneStrip& strip : geometry.lanes) {
        const trace::TrackId track = rows.rows()[strip.row].track;
        const int top = area.top() + strip.top;
        if (!geometry.shows(strip.row, strip.top)) {
            continue;
        }
        for (const MarkedColumns& mark :
             markedColumns(trace, marks.on(track, strip.lane), spec.visible, spec.columns)) {
            painter.fillRect(area.left() + mark.first, top, mark.last - mark.first, pixels(kMark),
                             theme.highlight());
        }
        // The chosen one may share its column with others.
        const bool isHere = chosen != trace::kNoSlice;
        const auto lane = isHere ? marks.on(track, strip.lane) : std::span<const trace::SliceId>();
        const auto found =
            std::ranges::lower_bound(lane, trace::kNoSlice == chosen ? 0 : trace.start(chosen), {},
                                     [&trace](trace::SliceId slice) { return trace.start(slice); });
        for (auto at = found; at != lane.end() && trace.start(*at) == trace.start(chosen); ++at) {
            if (*at != chosen) {
                continue;
            }
            for (const MarkedColumns& mark :
                 markedColumns(trace, std::span(&chosen, 1), spec.visible, spec.columns)) {
                const int width = std::max(mark.last - mark.first, pixels(kChosenWidth));
                painter.fillRect(area.left() + mark.first, top, width, pixels(kChosenMark),
                                 theme.selection());
            }
        }
    }
}

}  // namespace kinetoscope::timeline
