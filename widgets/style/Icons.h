// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QIcon>
#include <QPixmap>
#include <QString>

namespace kinetoscope::style {

/// A drawing of resources/icons in the text colour of the theme at the time of painting, sharp at
/// every size. `name` is the file name without ".svg". Null if there is no such drawing.
[[nodiscard]] QIcon themedIcon(const QString& name);

/// The same in one fixed colour, `size` logical pixels wide and high.
[[nodiscard]] QPixmap tintedPixmap(const QString& name, const QColor& color, int size,
                                   qreal devicePixelRatio);

/// The program's own icon.
[[nodiscard]] QIcon applicationIcon();

}  // namespace kinetoscope::style
