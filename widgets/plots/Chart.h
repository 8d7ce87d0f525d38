// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cmath>

#include "widgets/plots/Plot.h"

namespace kinetoscope::plots {

/// For an axis of counts: no fractions.
class CountTicker final : public QCPAxisTicker {
protected:
    double getTickStep(const QCPRange& range) override {
        return std::max(1.0, std::round(QCPAxisTicker::getTickStep(range)));
    }
};

/// A plot in the theme's colours that stays still until it is replotted, with a tool tip under the
/// pointer, and a sentence instead of axes if there is nothing to show.
class Chart : public Plot {
    Q_OBJECT

public:
    explicit Chart(QWidget* parent = nullptr);

    /// Shown in the middle instead of axes; empty while there is something to see.
    [[nodiscard]] const QString& hint() const { return m_hint; }
    /// The tool tip there; empty: none.
    [[nodiscard]] virtual QString toolTipAt(QPointF at) const;

    /// Draws everything now. Subclasses call it at the end of their constructors.
    void refill();

protected:
    /// Adds what there is to see; nothing has been added yet.
    virtual void drawContents() = 0;
    /// A click on the axes' area.
    virtual void clicked(QPointF at);

    void setHint(const QString& text) { m_hint = text; }
    [[nodiscard]] static QPen line(const QColor& color, qreal width = 1.0,
                                   Qt::PenStyle style = Qt::SolidLine);
    /// A line across the plot at a value of the y axis (or of the x axis).
    void addRule(double value, bool vertical = false);
    void addLegend();

    void changeEvent(QEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    void dress();
    void fitTicks();
    void removeLegend();
    void wrapLegend();

    QString m_hint;
    QSize m_fitted;  // of the axes when ticks were last chosen
};

}  // namespace kinetoscope::plots
