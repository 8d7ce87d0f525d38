// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPainter>
#include <QStyle>
#include <QStyleOptionSlider>

namespace kinetoscope::style {

constexpr int kScrollBarExtent = 12;

/// Where a part of a scroll bar without arrow buttons lies; empty for what it lacks.
[[nodiscard]] QRect partOfScrollBar(const QStyleOptionSlider& bar, QStyle::SubControl part);
/// The groove, and a rounded slider where there is anything to scroll.
void drawScrollBar(const QStyleOptionSlider& bar, QPainter* painter);

}  // namespace kinetoscope::style
