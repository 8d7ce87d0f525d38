// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/timeline/SliceLabels.h"

#include <QFontMetricsF>
#include <QPaintEngine>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "widgets/style/PlainText.h"

namespace kinetoscope::timeline {

namespace {

constexpr qsizetype kMaxLabels = 8192;       // some 40 MB of images
constexpr qsizetype kMaxLabelLetters = 240;  // wider than a screen
constexpr double kMinLetters = 3.0;

}  // namespace

void SliceLabels::reset(const QFont& font) {
    m_font = font;
    m_leastWidth = static_cast<int>(
        std::ceil(kMinLetters * QFontMetricsF(font).horizontalAdvance(QLatin1Char('m'))));
    m_labels.clear();
    m_ellipses.clear();
}

void SliceLabels::draw(QPainter& painter, NameId id, std::string_view text, QRgb color,
                       const QRect& box) {
    if (text.empty() || box.width() < m_leastWidth) {
        return;
    }
    if (painter.paintEngine()->type() == QPaintEngine::SVG) {
        painter.setFont(m_font);
        painter.setPen(QColor::fromRgb(color));
        painter.drawText(box, Qt::AlignLeft | Qt::AlignVCenter,
                         QFontMetrics(m_font).elidedText(style::shownText(text, kMaxLabelLetters),
                                                         Qt::ElideRight, box.width()));
        return;
    }
    const Label& full = label(id, text, color);
    const int y = box.top() + (box.height() - full.image.height()) / 2;
    if (full.image.width() <= box.width()) {
        painter.drawImage(box.left(), y, full.image);
        return;
    }
    auto dots = m_ellipses.find(color);
    if (dots == m_ellipses.end()) {
        dots = m_ellipses.insert(color, make(QStringLiteral("…"), color));
    }
    const auto room = static_cast<float>(box.width() - dots->image.width());
    const auto after = std::ranges::upper_bound(full.ends, room);
    const int cut = after == full.ends.begin() ? 0 : static_cast<int>(std::ceil(*(after - 1)));
    painter.drawImage(QPoint(box.left(), y), full.image, QRect(0, 0, cut, full.image.height()));
    painter.drawImage(box.left() + cut, y, dots->image);
}

const SliceLabels::Label& SliceLabels::label(NameId id, std::string_view text, QRgb color) {
    const auto known = m_labels.find({id, color});
    if (known != m_labels.end()) {
        return *known;
    }
    if (m_labels.size() >= kMaxLabels) {
        m_labels.clear();
    }
    const QString shown = style::shownText(text, kMaxLabelLetters);
    return *m_labels.insert({id, color}, make(shown, color));
}

SliceLabels::Label SliceLabels::make(const QString& text, QRgb color) const {
    const QFontMetricsF metrics(m_font);
    Label made;
    double end = 0.0;
    for (const QChar letter : text) {
        end += metrics.horizontalAdvance(letter);
        made.ends.push_back(static_cast<float>(end));
    }
    const QSize size(static_cast<int>(std::ceil(metrics.horizontalAdvance(text))) + 1,
                     static_cast<int>(std::ceil(metrics.height())));
    made.image = QImage(size, QImage::Format_ARGB32_Premultiplied);
    made.image.fill(Qt::transparent);
    QPainter painter(&made.image);
    painter.setFont(m_font);
    painter.setPen(QColor::fromRgb(color));
    painter.drawText(QPointF(0.0, metrics.ascent()), text);
    return made;
}

}  // namespace kinetoscope::timeline
