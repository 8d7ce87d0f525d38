// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QComboBox>
#include <QToolButton>

#include "widgets/panels/find/FigureLine.h"
#include "widgets/panels/parts/LongWork.h"
#include "widgets/panels/parts/Panel.h"
#include "widgets/plots/HistogramChart.h"
#include "widgets/session/DurationState.h"
#include "widgets/style/ElidedLabel.h"

namespace kinetoscope::panels {

/// Durations of the slices that were chosen in a table, found, or selected: a histogram with
/// quantiles. A brushed range is highlighted in the timeline and filters the list of hits.
class DurationsPanel final : public Panel {
    Q_OBJECT

public:
    explicit DurationsPanel(const PanelContext& context, QWidget* parent = nullptr);
    [[nodiscard]] bool busy() const override { return m_state.busy(); }
    void setInFront(bool inFront) override { m_state.setWanted(inFront); }

protected:
    void changeEvent(QEvent* event) override;

private:
    [[nodiscard]] QWidget* makeToolBar();
    void refresh();
    void tellBrush();
    [[nodiscard]] QString sourceText() const;
    [[nodiscard]] QString emptyText() const;

    session::ViewState& m_view;
    session::DurationState& m_state;
    style::ElidedLabel* m_source;
    QComboBox* m_scale;
    QComboBox* m_height;
    QToolButton* m_brush;
    FigureLine* m_figures;
    LongWork m_work;
    plots::HistogramChart* m_chart;
};

}  // namespace kinetoscope::panels
