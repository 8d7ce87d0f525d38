// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "widgets/session/ViewState.h"
#include "widgets/style/ClearChip.h"

namespace kinetoscope::timeline {
class TimelineWidget;
}  // namespace kinetoscope::timeline

namespace kinetoscope::plots {

/// What changes how the timeline looks, as chips in its upper right corner, over the heading of the
/// first process: the emphasised name, and what others add. `state` and `timeline` outlive it.
class TimelineChips final : public QWidget {
    Q_OBJECT

public:
    TimelineChips(session::ViewState& state, timeline::TimelineWidget& timeline, QWidget* parent);

    [[nodiscard]] style::ClearChip& emphasis() { return *m_emphasis; }

protected:
    bool event(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void tellEmphasis();
    void place();

    session::ViewState& m_state;
    timeline::TimelineWidget& m_timeline;
    style::ClearChip* m_emphasis;
};

}  // namespace kinetoscope::plots
