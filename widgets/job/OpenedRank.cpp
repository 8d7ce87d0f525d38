// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/job/OpenedRank.h"

#include "widgets/models/Text.h"
#include "widgets/timeline/SliceToolTip.h"

namespace kinetoscope::job {

namespace {

constexpr int kSlack = 2;  // device pixels beside a slice that still mean it

}  // namespace

OpenedRank::OpenedRank(const RankTraces::Loaded& loaded)
    : m_trace(loaded.trace),
      m_layout(loaded.layout),
      m_rows(m_layout->lanes, timeline::RowMetrics(), &m_layout->marks) {
    session::RowChoices choices;
    for (const timeline::TimelineRow& row : m_rows.rows()) {
        if (row.kind == timeline::RowKind::Group && !m_layout->names.isGpu(row.process)) {
            choices.hide(row.key, true);
        }
    }
    m_rows.apply(choices);
}

void OpenedRank::reset(const QFont& font, double scale) {
    m_painter.reset(m_trace, style::Theme::current(), font, scale);
}

void OpenedRank::paint(QImage& image, const QRect& area, const timeline::GeometrySpec& spec,
                       const std::vector<int>& grid) {
    m_geometry = timeline::layOutGeometry(m_layout->lanes, m_rows, m_layout->marks, spec);
    m_painter.paint(image, area, m_geometry, m_rows, grid);
}

std::vector<OpenedRank::Label> OpenedRank::labels() const {
    std::vector<Label> labels;
    for (const timeline::TimelineRow& row : m_rows.rows()) {
        labels.push_back(
            {models::toText(row.label), row.top, row.height, row.kind == timeline::RowKind::Group});
    }
    return labels;
}

trace::SliceId OpenedRank::sliceAt(int column, int y) const {
    const auto hit = timeline::hitTest(m_geometry, column, y, kSlack);
    return hit ? hit->item->slice : trace::kNoSlice;
}

QString OpenedRank::toolTipAt(int column, int y) const {
    const auto hit = timeline::hitTest(m_geometry, column, y, kSlack);
    return hit ? timeline::toolTipFor(*m_trace, *hit->item) : QString();
}

}  // namespace kinetoscope::job
