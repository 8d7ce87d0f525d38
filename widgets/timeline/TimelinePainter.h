// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFont>
#include <QImage>
#include <QRect>
#include <optional>
#include <string>
#include <vector>

#include "widgets/session/SliceMarks.h"
#include "widgets/style/Theme.h"
#include "widgets/timeline/LaneGeometry.h"
#include "widgets/timeline/SliceColors.h"
#include "widgets/timeline/SliceLabels.h"

namespace kinetoscope::timeline {

/// Draws a TimelineGeometry into an image, in device pixels. Slices are written as scan lines: one
/// line a lane, copied to the lane's height.
class TimelinePainter {
public:
    /// Call on another trace, theme, font or scale. `font` has its logical size.
    void reset(std::shared_ptr<const trace::Trace> trace, const style::Theme& theme,
               const QFont& font, double scale);
    void setColorNames(const QHash<NameId, std::string>& names) { m_colors.setNames(names); }
    void setHighlight(std::optional<NameId> name) { m_highlight = name; }
    /// Instead of those of a name; null: none.
    void setEmphasis(std::shared_ptr<const session::SliceMarks> slices) {
        m_emphasis = std::move(slices);
    }

    /// `area`: where the geometry lies in the image. `gridColumns`: time grid, columns of the area.
    void paint(QImage& image, const QRect& area, const TimelineGeometry& geometry,
               const TimelineRows& rows, const std::vector<int>& gridColumns);

    /// The names on slices alone, which stay texts in a vector picture.
    void paintNames(QPainter& painter, const QRect& area, const TimelineGeometry& geometry);
    /// Whether paint() sets the names on slices.
    void setNamed(bool named) { m_named = named; }

    /// What an item is filled with, where its time is covered.
    [[nodiscard]] QRgb itemColor(const query::ViewItem& item);

private:
    /// A column of short slices: full for so many device pixels from the bottom.
    struct Crowded {
        std::int32_t first;
        std::int32_t last;
        int rows;
        QRgb color;
    };

    /// The rows that scroll, or the pinned ones over them, inside of `clip`.
    void paintPart(QImage& image, const QRect& area, const QRect& clip,
                   const TimelineGeometry& geometry, const TimelineRows& rows, bool pinned);
    [[nodiscard]] int fullRows(const query::ViewItem& item, const LaneStrip& strip) const;
    void paintRows(QImage& image, const QRect& area, const QRect& clip,
                   const TimelineGeometry& geometry, const TimelineRows& rows, bool pinned) const;
    void paintStrip(QImage& image, const QRect& area, const QRect& clip, const LaneStrip& strip);
    void paintEmphasis(QImage& image, const QRect& area, const QRect& clip, const LaneStrip& strip,
                       const TimelineGeometry& geometry, trace::TrackId track);
    void paintLabels(QPainter& painter, const QRect& area, const TimelineGeometry& geometry,
                     bool pinned);
    void paintInstants(QPainter& painter, const QRect& area, const TimelineGeometry& geometry,
                       bool pinned);
    void paintCounter(QPainter& painter, const QRect& area, const CounterStrip& strip,
                      int columns) const;
    void paintScale(QPainter& painter, const QRect& area, const CounterStrip& strip,
                    trace::TrackId track) const;
    void paintGroup(QImage& image, const QRect& area, const QRect& clip,
                    const GroupStrip& strip) const;
    [[nodiscard]] const std::string& labelText(const query::ViewItem& item);

    std::shared_ptr<const trace::Trace> m_trace;
    style::Theme m_theme = style::Theme::current();
    double m_scale = 1.0;
    bool m_named = true;
    QFont m_font;  ///< in device pixels
    std::optional<NameId> m_highlight;
    std::shared_ptr<const session::SliceMarks> m_emphasis;
    SliceColors m_colors;
    SliceLabels m_labels;
    QHash<NameId, std::string> m_shortNames;
    // Kept between lanes to save allocations.
    std::vector<QRgb> m_line;
    std::vector<Crowded> m_crowded;
};

}  // namespace kinetoscope::timeline
