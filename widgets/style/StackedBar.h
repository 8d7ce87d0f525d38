// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QString>
#include <QWidget>
#include <vector>

namespace kinetoscope::style {

/// Parts of a whole as one horizontal bar. Their tool tips have name and share.
class StackedBar final : public QWidget {
    Q_OBJECT

public:
    struct Part {
        QColor color;
        double value = 0.0;
        QString toolTip;
    };

    explicit StackedBar(QWidget* parent = nullptr);
    /// Parts are drawn as shares of their sum; nothing but the empty bar when that is 0.
    void setParts(std::vector<Part> parts);
    [[nodiscard]] const std::vector<Part>& parts() const { return m_parts; }
    /// Where a part is drawn, in pixels; touching, without gaps.
    [[nodiscard]] std::vector<QRectF> partRects() const;

    [[nodiscard]] QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;

private:
    std::vector<Part> m_parts;
};

}  // namespace kinetoscope::style
