// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QWidget>

namespace kinetoscope::plots {

/// The widget with everything in it as an SVG document of its size in logical pixels. Texts stay
/// texts, lines and boxes lines and boxes; nothing reaches beyond the widget it belongs to.
[[nodiscard]] QByteArray svgOf(QWidget& widget, const QString& title);

/// The plot at that place of a widget, strips above the timeline too; null: none.
[[nodiscard]] QWidget* plotAt(QWidget& place, QPoint at);

[[nodiscard]] QString plotLibraryVersion();

}  // namespace kinetoscope::plots
