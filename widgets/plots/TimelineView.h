// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <optional>
#include <vector>

#include "core/base/Time.h"

class QVBoxLayout;

namespace kinetoscope::session {
class TraceNotes;
class ViewState;
}  // namespace kinetoscope::session

namespace kinetoscope::timeline {
class OverviewStrip;
class TimelineWidget;
class TimeRuler;
}  // namespace kinetoscope::timeline

namespace kinetoscope::plots {

class BusyStripPlot;
class RoofStrips;
class TimelineChips;

/// The middle of the window: the whole trace as a strip, ruler, busy strips of each GPU, and the
/// timeline, on one time axis with one column of labels. `state` outlives it.
class TimelineView final : public QWidget {
    Q_OBJECT

public:
    explicit TimelineView(session::ViewState& state, QWidget* parent = nullptr);

    /// Of the shown trace; outlive the view.
    void setNotes(session::TraceNotes& notes);

    [[nodiscard]] timeline::TimelineWidget& timeline() { return *m_timeline; }
    [[nodiscard]] timeline::TimeRuler& ruler() { return *m_ruler; }
    [[nodiscard]] timeline::OverviewStrip& overview() { return *m_overview; }
    [[nodiscard]] TimelineChips& chips() { return *m_chips; }
    /// Of each GPU, GPU by GPU: busy, matrix multiplications and convolutions; once it is found
    /// what it reached of its roof, where that is known.
    [[nodiscard]] const std::vector<BusyStripPlot*>& strips() const { return m_strips; }
    /// Something is being found out that strips will show.
    [[nodiscard]] bool busy() const;

    /// A line through all of it, until the pointer makes another; nullopt: none.
    void showCursor(std::optional<TimeNs> time);

    /// That of the timeline and the ruler: strips give way.
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void fitStrips();
    void resetStrips();
    void growStrips();
    void showRoofs();
    void addRoofStrip(std::int32_t gpu);
    void addStrip(BusyStripPlot* strip);
    void setMargins();
    void pointAt(std::optional<TimeNs> time);
    void keepPointer();
    void setCursorTime(std::optional<TimeNs> time);

    session::ViewState& m_state;
    timeline::OverviewStrip* m_overview;
    timeline::TimeRuler* m_ruler;
    QVBoxLayout* m_stripLayout;
    std::vector<BusyStripPlot*> m_strips;
    std::optional<double> m_pointedX;          ///< where the pointer is on the time axis, in pixels
    std::vector<BusyStripPlot*> m_roofStrips;  ///< those of m_strips
    std::vector<std::int32_t> m_gpus;          ///< of the strips
    RoofStrips* m_roofs;
    timeline::TimelineWidget* m_timeline;
    TimelineChips* m_chips;
};

}  // namespace kinetoscope::plots
