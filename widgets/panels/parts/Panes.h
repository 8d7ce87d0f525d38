// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSplitter>
#include <cstdint>

namespace kinetoscope::panels {

/// A widget of a panel and how wide it is at first, in pixels.
struct Pane {
    QWidget* widget;
    int width;
};

enum class GrowingPane : std::uint8_t { Left, Right };

/// Two panes side by side with a handle between them; neither can be dragged away. `growing` gets
/// the room of a wider window. The caller owns the splitter by giving it a parent or layout.
[[nodiscard]] inline QSplitter* sideBySide(Pane left, Pane right, GrowingPane growing) {
    auto* panes = new QSplitter;
    panes->addWidget(left.widget);
    panes->addWidget(right.widget);
    panes->setChildrenCollapsible(false);
    panes->setSizes({left.width, right.width});
    panes->setStretchFactor(growing == GrowingPane::Left ? 0 : 1, 1);
    return panes;
}

}  // namespace kinetoscope::panels
