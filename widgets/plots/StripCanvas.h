// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include "widgets/plots/BusyPlottable.h"
#include "widgets/plots/Plot.h"

namespace kinetoscope::plots {

/// The plot of one strip. What moves with the pointer and the title are drawn over the finished
/// plot, so that they cost no replot.
class StripCanvas final : public Plot {
    Q_OBJECT

public:
    StripCanvas(const query::BusyColumns& busy, QWidget* parent);

    void setMargins(int left, int right);
    /// The figure is of `inView`, the part of `visible` in the trace. Queues a replot.
    void setView(TimeSpan visible, TimeSpan inView, TimeNs origin);
    /// Outlives the canvas, or the next call.
    void setBusy(const query::BusyColumns& busy);
    void setTitle(const QString& title) { m_title = title; }
    void setTheme(const QColor& color);
    /// x in logical pixels; nullopt: no cursor.
    void setCursor(std::optional<double> x);
    void setRange(std::optional<std::pair<double, double>> range) { m_range = range; }

    /// How busy the visible part of the trace is, as it stands beside the title.
    [[nodiscard]] QString figure() const;
    [[nodiscard]] BusyPlottable& busy() { return *m_busy; }
    [[nodiscard]] QRect area() const { return axisRect()->rect(); }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void paintTitle(QPainter& painter) const;
    void paintScale(QPainter& painter) const;

    BusyPlottable* m_busy;
    const query::BusyColumns* m_spans;
    TimeSpan m_inView;
    QString m_title;
    QColor m_color;
    std::optional<double> m_cursor;
    std::optional<std::pair<double, double>> m_range;
};

}  // namespace kinetoscope::plots
