// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <qcustomplot.h>

#include <vector>

#include "core/query/BusyColumns.h"

namespace kinetoscope::plots {

/// One column a device pixel, as high as the covered fraction of its time, written into an image.
/// A filled graph of the library takes forty times as long.
class BusyPlottable final : public QCPAbstractPlottable {
    Q_OBJECT

public:
    /// `busy` outlives the plottable; `origin` is the time at 0 of the key axis.
    BusyPlottable(QCPAxis* keyAxis, QCPAxis* valueAxis, const query::BusyColumns& busy);

    void setBusy(const query::BusyColumns& busy) { m_busy = &busy; }
    void setView(TimeSpan visible) { m_visible = visible; }
    void setColor(const QColor& color) { m_color = color; }
    [[nodiscard]] const std::vector<float>& columns() const { return m_columns; }

    double selectTest(const QPointF& at, bool onlySelectable, QVariant* details) const override;
    QCPRange getKeyRange(bool& found, QCP::SignDomain domain) const override;
    QCPRange getValueRange(bool& found, QCP::SignDomain domain,
                           const QCPRange& keyRange) const override;

protected:
    void draw(QCPPainter* painter) override;
    void drawLegendIcon(QCPPainter* painter, const QRectF& rect) const override;

private:
    void fillImage(QSize size);

    const query::BusyColumns* m_busy;
    TimeSpan m_visible;
    QColor m_color;
    std::vector<float> m_columns;
    QImage m_image;  ///< kept to save allocations
};

}  // namespace kinetoscope::plots
