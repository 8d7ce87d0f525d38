// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/calls/FlamePainter.h"

#include <QPainter>
#include <algorithm>
#include <cmath>
#include <ranges>

#include "core/query/RowOrder.h"
#include "core/text/Format.h"

namespace kinetoscope::calls {

namespace {

constexpr double kFaded = 0.22;    // of the colour of frames that the search does not match
constexpr double kCrowded = 0.4;   // of the colour of several frames in one column
constexpr int kGapFrom = 3;        // columns from which on a frame leaves one free at its end
constexpr int kRoundFrom = 8;      // columns from which on a frame has round corners
constexpr double kTextMargin = 4;  // logical pixels beside a name

/// Those that are in a picture of that height at least in part.
auto rowsIn(const FlamePicture& picture, int height) {
    const auto from = static_cast<std::uint32_t>(std::max(0, picture.scroll / picture.rowHeight));
    const auto to =
        static_cast<std::uint32_t>(std::max(0, picture.scroll + height) / picture.rowHeight + 1);
    return std::views::iota(from, std::max(from, std::min(picture.rows.count(), to)));
}

int topOf(const FlamePicture& picture, std::uint32_t row) {
    return static_cast<int>(static_cast<std::int64_t>(row) * picture.rowHeight - picture.scroll);
}

QRgb* lineAt(QImage& image, int x, int y) {
    return reinterpret_cast<QRgb*>(image.scanLine(y)) + x;
}

}  // namespace

void FlamePainter::reset(std::shared_ptr<const trace::Trace> trace, const style::Theme& theme,
                         const QFont& font, double scale) {
    m_trace = std::move(trace);
    m_theme = theme;
    m_scale = scale;
    m_font = font;
    m_font.setPixelSize(static_cast<int>(std::lround(font.pixelSize() * scale)));
    m_colors.reset(m_trace, theme);
    m_labels.reset(m_font);
    m_texts.clear();
    m_matches.clear();
}

void FlamePainter::setSearch(const QString& text) {
    m_search = text.toStdString();
    m_matches.clear();
}

bool FlamePainter::matches(const calltree::CallTree& tree, NameId name) {
    const auto known = m_matches.constFind(name);
    return known != m_matches.constEnd()
               ? *known
               : *m_matches.insert(name, query::containsText(tree.text(*m_trace, name), m_search));
}

QRgb FlamePainter::itemColor(const calltree::CallTree& tree, const FlameItem& item) {
    if (item.node == calltree::kRoot) {
        return m_theme.raised().rgb();
    }
    const calltree::CallNode& node = tree.node(item.node);
    QRgb color = m_colors.fill(node.name, node.category);
    if (item.count > 1) {
        color = timeline::mixRgb(m_theme.base().rgb(), color, kCrowded);
    }
    const bool fades = !m_search.empty() && (item.count > 1 || !matches(tree, node.name));
    return fades ? timeline::mixRgb(m_theme.base().rgb(), color, kFaded) : color;
}

void FlamePainter::paintFrames(QImage& image, const FlamePicture& picture) {
    image.fill(m_theme.base());
    if (m_trace) {
        for (const std::uint32_t row : rowsIn(picture, image.height())) {
            paintRow(image, picture.tree, picture.rows.row(row), topOf(picture, row),
                     frameHeight(picture));
        }
    }
}

void FlamePainter::paintNames(QPainter& painter, QSize size, const FlamePicture& picture) {
    const auto shown = rowsIn(picture, size.height());
    if (!m_trace || shown.empty()) {
        return;
    }
    for (const std::uint32_t row : shown) {
        paintLabels(painter, picture.tree, picture.rows.row(row), topOf(picture, row),
                    frameHeight(picture));
    }
    if (shown.front() == 0) {
        painter.setFont(m_font);
        painter.setPen(m_theme.text());
        const int margin = static_cast<int>(std::lround(kTextMargin * m_scale));
        painter.drawText(
            QRect(margin, topOf(picture, 0), size.width() - 2 * margin, frameHeight(picture)),
            Qt::AlignVCenter | Qt::AlignLeft | Qt::TextSingleLine, picture.rootText);
    }
}

int FlamePainter::frameHeight(const FlamePicture& picture) const {
    return picture.rowHeight - static_cast<int>(std::max(1.0, std::round(m_scale)));
}

void FlamePainter::paintRow(QImage& image, const calltree::CallTree& tree,
                            std::span<const FlameItem> row, int top, int height) {
    const int from = std::max(0, top);
    const int to = std::min(image.height(), top + height);
    if (from >= to) {
        return;
    }
    const QRgb under = m_theme.base().rgb();
    for (const FlameItem& item : row) {
        const int gap = item.last - item.first >= kGapFrom ? 1 : 0;
        std::fill(lineAt(image, item.first, from), lineAt(image, item.last - gap, from),
                  itemColor(tree, item));
    }
    for (int y = from + 1; y < to; ++y) {
        std::copy_n(lineAt(image, 0, from), image.width(), lineAt(image, 0, y));
    }
    for (const FlameItem& item : row) {
        if (item.last - item.first < kRoundFrom) {
            continue;
        }
        const QRgb corner = timeline::mixRgb(under, itemColor(tree, item), kCrowded);
        for (const int y : {top, top + height - 1}) {
            if (y >= from && y < to) {
                *lineAt(image, item.first, y) = corner;
                *lineAt(image, item.last - 2, y) = corner;
            }
        }
    }
}

void FlamePainter::paintLabels(QPainter& painter, const calltree::CallTree& tree,
                               std::span<const FlameItem> row, int top, int height) {
    const int margin = static_cast<int>(std::lround(kTextMargin * m_scale));
    for (const FlameItem& item : row) {
        const int width = item.last - item.first - 2 * margin;
        if (width <= 2 * margin || item.node == calltree::kRoot || item.count > 1) {
            continue;
        }
        const calltree::CallNode& node = tree.node(item.node);
        m_labels.draw(painter, node.name, labelText(tree, node),
                      m_colors.textOn(itemColor(tree, item)),
                      {item.first + margin, top, width, height});
    }
}

const std::string& FlamePainter::labelText(const calltree::CallTree& tree,
                                           const calltree::CallNode& node) {
    const auto known = m_texts.constFind(node.name);
    if (known != m_texts.constEnd()) {
        return *known;
    }
    // Only kernels have template arguments that hide the name.
    const std::string_view name = tree.text(*m_trace, node.name);
    const bool kernel = trace::categoryKind(node.category) == trace::Category::Kernel;
    return *m_texts.insert(node.name, kernel ? text::shortKernelName(name) : std::string(name));
}

}  // namespace kinetoscope::calls
