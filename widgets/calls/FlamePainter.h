// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFont>
#include <QHash>
#include <QImage>
#include <memory>
#include <string>

#include "widgets/calls/FlameLayout.h"
#include "widgets/style/Theme.h"
#include "widgets/timeline/SliceColors.h"
#include "widgets/timeline/SliceLabels.h"

namespace kinetoscope::calls {

/// Rows of `rowHeight` device pixels from -`scroll` on; `rootText` is written on the root.
struct FlamePicture {
    const calltree::CallTree& tree;
    const FlameRows& rows;
    int rowHeight = 1;
    int scroll = 0;
    QString rootText = {};
};

/// Draws flame rows, in device pixels, as the timeline draws its slices.
class FlamePainter {
public:
    /// Call on another trace, theme, font or scale. `font` has its logical size.
    void reset(std::shared_ptr<const trace::Trace> trace, const style::Theme& theme,
               const QFont& font, double scale);
    /// Frames whose names do not hold the text fade; empty: none does.
    void setSearch(const QString& text);

    void paintFrames(QImage& image, const FlamePicture& picture);
    /// Over the frames; `size` is that of the image.
    void paintNames(QPainter& painter, QSize size, const FlamePicture& picture);
    /// What an item is filled with.
    [[nodiscard]] QRgb itemColor(const calltree::CallTree& tree, const FlameItem& item);
    [[nodiscard]] bool matches(const calltree::CallTree& tree, NameId name);

private:
    [[nodiscard]] int frameHeight(const FlamePicture& picture) const;
    void paintRow(QImage& image, const calltree::CallTree& tree, std::span<const FlameItem> row,
                  int top, int height);
    void paintLabels(QPainter& painter, const calltree::CallTree& tree,
                     std::span<const FlameItem> row, int top, int height);
    [[nodiscard]] const std::string& labelText(const calltree::CallTree& tree,
                                               const calltree::CallNode& node);

    std::shared_ptr<const trace::Trace> m_trace;
    style::Theme m_theme = style::Theme::current();
    QFont m_font;
    double m_scale = 1.0;
    std::string m_search;
    QHash<NameId, bool> m_matches;  ///< of m_search, those requested
    timeline::SliceColors m_colors;
    timeline::SliceLabels m_labels;
    QHash<NameId, std::string> m_texts;
};

}  // namespace kinetoscope::calls
