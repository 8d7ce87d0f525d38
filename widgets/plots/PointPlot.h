// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <vector>

#include "widgets/plots/Chart.h"

namespace kinetoscope::plots {

struct PlottedPoint {
    double x = 0.0;
    double y = 0.0;
    int row = 0;  ///< of the table that it stands for
};

/// One column of numbers over another one, a point a row.
class PointPlot final : public Chart {
    Q_OBJECT

public:
    explicit PointPlot(QWidget* parent = nullptr);

    void setPoints(std::vector<PlottedPoint> points, const QString& across, const QString& up);
    [[nodiscard]] const std::vector<PlottedPoint>& points() const { return m_points; }
    /// Where a point is, in logical pixels of this widget.
    [[nodiscard]] QPointF placeOf(std::size_t point) const;
    [[nodiscard]] QString toolTipAt(QPointF at) const override;

signals:
    void pointClicked(int row);

protected:
    void drawContents() override;
    void clicked(QPointF at) override;

private:
    [[nodiscard]] const PlottedPoint* pointAt(QPointF at) const;

    std::vector<PlottedPoint> m_points;
    QString m_across;
    QString m_up;
};

}  // namespace kinetoscope::plots
