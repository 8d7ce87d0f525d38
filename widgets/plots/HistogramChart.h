// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <vector>

#include "widgets/plots/Chart.h"
#include "widgets/session/DurationState.h"

namespace kinetoscope::plots {

/// How many slices take how long, or how much time they take together. Dragging over bins brushes
/// them, a click one alone, a click on the only one none.
class HistogramChart final : public Chart {
    Q_OBJECT

public:
    enum class Height { Count, Time };

    explicit HistogramChart(session::DurationState& state, QWidget* parent = nullptr);

    void setHeight(Height height);
    /// Said instead of the chart.
    void setEmptyText(const QString& text);
    /// A bin in logical pixels of this widget.
    [[nodiscard]] QRectF binRect(std::size_t bin) const;
    /// Where a duration stands, in logical pixels from the left.
    [[nodiscard]] double xOf(double ns) const;
    /// Where the labels of the quantiles stand, in the same pixels; empty: left out.
    [[nodiscard]] std::vector<QRectF> quantileLabels() const;
    [[nodiscard]] QString toolTipAt(QPointF at) const override;

protected:
    void drawContents() override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    using Bins = std::vector<stats::DurationBin>;

    [[nodiscard]] const Bins& bins() const;
    [[nodiscard]] double heightOf(const stats::DurationBin& bin) const;
    [[nodiscard]] double place(double ns) const;
    [[nodiscard]] std::optional<std::size_t> binAt(QPointF at) const;
    [[nodiscard]] std::optional<TimeSpan> dragged(QPointF to) const;
    void drawAxes();
    void drawBins();
    void drawLines();

    session::DurationState& m_state;
    Height m_height = Height::Count;
    QString m_emptyText;
    std::optional<std::size_t> m_pressed;
    std::optional<TimeSpan> m_dragged;  ///< what the brush would be now
};

}  // namespace kinetoscope::plots
