// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFont>
#include <QImage>
#include <QRect>
#include <QString>
#include <memory>
#include <vector>

#include "widgets/job/RankTraces.h"
#include "widgets/timeline/LaneGeometry.h"
#include "widgets/timeline/TimelinePainter.h"
#include "widgets/timeline/rows/TimelineRows.h"

namespace kinetoscope::job {

/// The GPU rows of one rank in detail, below its strip. Times are the rank's own.
class OpenedRank {
public:
    explicit OpenedRank(const RankTraces::Loaded& loaded);

    [[nodiscard]] int height() const { return m_rows.height(); }  ///< logical pixels
    /// On another theme, font or scale.
    void reset(const QFont& font, double scale);
    /// Draws what of it is in `spec` into `area` of the image, in device pixels.
    void paint(QImage& image, const QRect& area, const timeline::GeometrySpec& spec,
               const std::vector<int>& grid);

    struct Label {
        QString text;
        int top = 0;  ///< logical pixels from the top of the first row
        int height = 0;
        bool isHeading = false;
    };
    [[nodiscard]] std::vector<Label> labels() const;

    /// The item painted last at a place, in device pixels from the corner of `area`; empty and
    /// kNoSlice: nothing.
    [[nodiscard]] QString toolTipAt(int column, int y) const;
    [[nodiscard]] trace::SliceId sliceAt(int column, int y) const;
    [[nodiscard]] const trace::Trace& trace() const { return *m_trace; }

private:
    std::shared_ptr<const trace::Trace> m_trace;
    std::shared_ptr<session::TraceLayout> m_layout;
    timeline::TimelineRows m_rows;
    timeline::TimelineGeometry m_geometry;
    timeline::TimelinePainter m_painter;
};

}  // namespace kinetoscope::job
