// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/timeline/MarkedScrollBar.h"

#include <QPainter>
#include <algorithm>

#include "widgets/style/Theme.h"

namespace kinetoscope::timeline {

namespace {

constexpr int kThickness = 2;
constexpr int kMargin = 1;

}  // namespace

MarkedScrollBar::MarkedScrollBar(QWidget* parent) : QScrollBar(Qt::Vertical, parent) {}

void MarkedScrollBar::setMarks(std::vector<int> places, int chosen, int height) {
    m_places = std::move(places);
    m_chosen = chosen;
    m_height = std::max(1, height);
    update();
}

int MarkedScrollBar::markAt(int place) const {
    const int most = std::max(0, height() - kThickness);
    return std::clamp(static_cast<int>(static_cast<double>(place) / m_height * height()), 0, most);
}

void MarkedScrollBar::paintEvent(QPaintEvent* event) {
    QScrollBar::paintEvent(event);
    if (m_places.empty()) {
        return;
    }
    QPainter painter(this);
    const style::Theme& theme = style::Theme::current();
    int last = -1;
    for (const int place : m_places) {
        if (const int y = markAt(place); y != last) {
            painter.fillRect(kMargin, y, width() - 2 * kMargin, kThickness, theme.highlight());
            last = y;
        }
    }
    if (m_chosen >= 0) {
        painter.fillRect(0, markAt(m_chosen) - 1, width(), kThickness + 2, theme.selection());
    }
}

}  // namespace kinetoscope::timeline
