// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <qcustomplot.h>

#include "widgets/session/CompareState.h"

namespace kinetoscope {

/// A chart about the comparison that is shown. It is drawn anew when that, the selected kernel or
/// the theme changes, and stands still otherwise.
class CompareChart : public QCustomPlot {
    Q_OBJECT

public:
    explicit CompareChart(CompareState& state, QWidget* parent = nullptr);

    /// Shown in the middle instead of axes; empty while there is something to see.
    [[nodiscard]] const QString& hint() const { return m_hint; }
    /// What hovering there says; empty: nothing.
    [[nodiscard]] virtual QString toolTipAt(QPointF at) const;

    /// Draws everything now. Subclasses call it at the end of their constructors.
    void refill();

protected:
    /// Adds what there is to see; nothing has been added yet.
    virtual void fill(const ComparedPair& pair) = 0;
    /// A click on the axes' area.
    virtual void clicked(QPointF at);

    [[nodiscard]] CompareState& state() const { return m_state; }
    /// What a row of the comparison is: "kernel", "calls" …
    [[nodiscard]] static QString noun(const ComparedPair& pair, std::size_t count = 1);
    void setHint(const QString& text) { m_hint = text; }
    [[nodiscard]] static QColor verdictColor(Verdict verdict);
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

    CompareState& m_state;
    QString m_hint;
};

}  // namespace kinetoscope
