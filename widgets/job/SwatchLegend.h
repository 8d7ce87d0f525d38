// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPainter>
#include <QWidget>
#include <functional>
#include <vector>

namespace kinetoscope::job {

/// What colours and forms of a picture mean: a swatch and a word each, in one line. Where there is
/// not room for all, the last ones go.
class SwatchLegend final : public QWidget {
    Q_OBJECT

public:
    struct Item {
        QString text;
        std::function<void(QPainter& painter, const QRect& box)> paint;
    };

    explicit SwatchLegend(std::vector<Item> items, QWidget* parent = nullptr);

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override { return {0, sizeHint().height()}; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    [[nodiscard]] int widthOf(const Item& item) const;

    std::vector<Item> m_items;
};

}  // namespace kinetoscope::job
