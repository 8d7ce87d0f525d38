// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QRectF>
#include <memory>
#include <optional>
#include <vector>

#include "core/model/Roofline.h"
#include "widgets/plots/Chart.h"

namespace kinetoscope::plots {

/// TFLOP/s over operations for each byte, both logarithmic: a point for each row, the larger the
/// more time it takes, below the roofs of memory and of each type. A click chooses a point, a drag
/// all points inside of the frame.
class RooflineChart final : public Chart {
    Q_OBJECT

public:
    explicit RooflineChart(QWidget* parent = nullptr);

    /// Null: nothing but `hint` is shown.
    void setRoofline(std::shared_ptr<const model::Roofline> roofline, const QString& hint);
    /// Rows that stand out; none: all are alike.
    void setChosen(const std::vector<std::uint32_t>& rows);
    /// Where a row stands, in logical pixels; nothing for one without operations or bytes, and for
    /// those that take less time than the first kMaxPoints.
    [[nodiscard]] std::optional<QPointF> placeOf(std::uint32_t row) const;
    /// The point that is nearest there, if it is near.
    [[nodiscard]] std::optional<std::uint32_t> rowAt(QPointF at) const;
    [[nodiscard]] QString toolTipAt(QPointF at) const override;

    static constexpr std::size_t kMaxPoints = 500;

signals:
    void rowClicked(std::uint32_t row);
    /// Those inside of the frame; none: it was empty.
    void rowsFramed(const std::vector<std::uint32_t>& rows);

protected:
    void drawContents() override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    void choosePoints();
    void setRanges();
    void drawRoofs();
    void drawPoints();
    void addRoof(double bandwidth, double peak, const QString& label);
    void addLabel(double x, double y, const QString& text);
    [[nodiscard]] double radiusOf(const model::RooflineRow& row) const;
    [[nodiscard]] const model::GpuRoof* roof() const;

    std::shared_ptr<const model::Roofline> m_roofline;
    QString m_emptyText;
    std::vector<std::uint32_t> m_points;  ///< rows that are drawn, the largest first
    std::vector<bool> m_chosen;           ///< by row
    bool m_anyChosen = false;
    std::optional<QPointF> m_pressed;
    QRectF m_frame;  ///< empty: no frame is dragged
};

}  // namespace kinetoscope::plots
