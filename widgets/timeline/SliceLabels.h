// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFont>
#include <QHash>
#include <QImage>
#include <QRect>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/StringPool.h"

class QPainter;

namespace kinetoscope::timeline {

/// Draws the names on slices. Each name is set once in each colour and then copied as an image:
/// a geometry holds thousands of labels and setting a text costs ten times as much as copying it.
class SliceLabels {
public:
    /// Forgets all images. Sizes are device pixels.
    void reset(const QFont& font);

    /// Draws `text` into `box`, at the left, middle of the height, elided when it is too long.
    /// Nothing is drawn where only a few letters would fit. In a vector picture it stays a text.
    void draw(QPainter& painter, NameId id, std::string_view text, QRgb color, const QRect& box);

private:
    struct Label {
        QImage image;
        std::vector<float> ends;  ///< right edge of each character
    };

    const Label& label(NameId id, std::string_view text, QRgb color);
    [[nodiscard]] Label make(const QString& text, QRgb color) const;

    QFont m_font;
    int m_leastWidth = 0;
    QHash<std::pair<NameId, QRgb>, Label> m_labels;
    QHash<QRgb, Label> m_ellipses;
};

}  // namespace kinetoscope::timeline
