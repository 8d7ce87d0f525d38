// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/calls/FlameGraph.h"

#include <QEvent>
#include <QPaintEngine>
#include <QPainter>
#include <QScrollBar>
#include <algorithm>
#include <cmath>

#include "core/calltree/TreeViews.h"
#include "core/text/Format.h"

namespace kinetoscope::calls {

using calltree::kRoot;
using calltree::NodeId;

namespace {

constexpr int kFontPixels = 11;
constexpr int kScrollBarWidth = 12;
constexpr std::size_t kMaxBack = 100;

QString duration(TimeNs ns) {
    return QString::fromStdString(text::formatDuration(ns));
}

QString share(TimeNs part, TimeNs whole) {
    return QString::fromStdString(
        text::formatPercent(static_cast<double>(part), static_cast<double>(whole)));
}

}  // namespace

FlameGraph::FlameGraph(QWidget* parent)
    : QWidget(parent), m_scrollBar(new QScrollBar(Qt::Vertical, this)) {
    setObjectName(QStringLiteral("flameGraph"));
    setAccessibleName(tr("Flame graph"));
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setAttribute(Qt::WA_OpaquePaintEvent);
    setWhatsThis(
        tr("Calls merged by call path, callers above callees. A frame's width is its share of the "
           "time: of the GPU work it launched, or of the CPU time of its slices. Frames narrower "
           "than a pixel are drawn together, pale."));
    connect(m_scrollBar, &QScrollBar::valueChanged, this, [this] {
        m_hoverBox.reset();
        m_canvasValid = false;
        update();
    });
    resetColors();
}

void FlameGraph::setTree(std::shared_ptr<const trace::Trace> trace,
                         std::shared_ptr<const calltree::CallTree> tree,
                         std::shared_ptr<const FlameWidths> widths) {
    const bool same = m_trace == trace && m_tree && tree;
    const NodeId selected = same ? calltree::samePath(*m_tree, m_selected, *tree) : kRoot;
    const NodeId zoomed = same ? calltree::samePath(*m_tree, m_zoomed, *tree) : kRoot;
    const bool other = m_trace != trace;
    m_trace = std::move(trace);
    m_tree = std::move(tree);
    m_widths =
        widths ? std::move(widths)
               : std::make_shared<const FlameWidths>(m_tree ? FlameWidths(*m_tree) : FlameWidths());
    m_selected = selected == calltree::kNoNode ? kRoot : selected;
    m_zoomed = zoomed == calltree::kNoNode ? kRoot : zoomed;
    m_before.clear();
    if (m_tree && m_zoomed != kRoot) {
        m_before.push_back(m_widths->spanOf(kRoot));
    }
    m_shown = m_tree ? m_widths->spanOf(m_zoomed) : FlameSpan{};
    if (other) {
        resetColors();
    }
    invalidate();
    emit shownChanged();
    emit selectionChanged(m_selected);
}

void FlameGraph::setSearch(const QString& text) {
    m_painter.setSearch(text);
    m_canvasValid = false;
    update();
}

void FlameGraph::setEmptyText(const QString& text) {
    m_emptyText = text;
    update();
}

void FlameGraph::select(NodeId node) {
    if (!m_tree || node >= m_tree->nodes().size()) {
        return;
    }
    if (node != m_selected) {
        m_selected = node;
        emit selectionChanged(node);
    }
    showRowOf(node);
    update();
}

void FlameGraph::zoomTo(NodeId node) {
    if (m_tree && node < m_tree->nodes().size() && m_widths->spanOf(node).length() > 0.0) {
        m_zoomed = node;
        goTo(m_widths->spanOf(node));
        showRowOf(node);
    }
}

void FlameGraph::goTo(FlameSpan span) {
    if (span == m_shown) {
        return;
    }
    if (m_before.size() >= kMaxBack) {
        m_before.erase(m_before.begin() + 1);  // the first one is everything
    }
    m_before.push_back(m_shown);
    showSpan(span);
}

void FlameGraph::back() {
    if (!m_before.empty()) {
        const FlameSpan span = m_before.back();
        m_before.pop_back();
        m_zoomed = kRoot;
        showSpan(span);
    }
}

void FlameGraph::showSpan(FlameSpan span) {
    m_shown = span;
    invalidate();
    emit shownChanged();
}

void FlameGraph::invalidate() {
    m_rowsValid = false;
    m_canvasValid = false;
    m_hoverBox.reset();
    updateScrollBar();
    update();
}

void FlameGraph::resetColors() {
    m_painter.reset(m_trace, style::Theme::current(), labelFont(), devicePixelRatioF());
    m_canvasValid = false;
    update();
}

QFont FlameGraph::labelFont() const {
    QFont small = font();
    small.setPixelSize(kFontPixels);
    return small;
}

int FlameGraph::rowHeight() const {
    const int logical = QFontMetrics(labelFont()).height() + 5;
    return static_cast<int>(std::lround(logical * devicePixelRatioF()));
}

int FlameGraph::pictureWidth() const {
    return std::max(0, width() - kScrollBarWidth);
}

int FlameGraph::columns() const {
    return static_cast<int>(std::lround(pictureWidth() * devicePixelRatioF()));
}

const FlameRows& FlameGraph::rows() {
    if (!m_rowsValid) {
        m_rows = m_tree ? layOutFlames(*m_tree, *m_widths, m_shown, columns()) : FlameRows();
        m_rowsValid = true;
    }
    return m_rows;
}

void FlameGraph::updateScrollBar() {
    m_scrollBar->setGeometry(width() - kScrollBarWidth, 0, kScrollBarWidth, height());
    const double scale = devicePixelRatioF();
    const auto all = static_cast<double>(rows().count()) * rowHeight() / scale;
    m_scrollBar->setRange(0,
                          std::max(0, static_cast<int>(std::ceil(std::min(all, 1e8))) - height()));
    m_scrollBar->setPageStep(height());
    m_scrollBar->setSingleStep(static_cast<int>(rowHeight() / scale));
    m_scrollBar->setVisible(m_scrollBar->maximum() > 0);
}

std::uint32_t FlameGraph::depthOf(NodeId node) const {
    std::uint32_t depth = 0;
    for (; node != kRoot; node = m_tree->node(node).parent) {
        ++depth;
    }
    return depth;
}

void FlameGraph::showRowOf(NodeId node) {
    const double height = rowHeight() / devicePixelRatioF();
    const double top = depthOf(node) * height;
    const int value = m_scrollBar->value();
    if (top < value) {
        m_scrollBar->setValue(static_cast<int>(std::floor(top)));
    } else if (top + height > value + this->height()) {
        m_scrollBar->setValue(static_cast<int>(std::ceil(top + height)) - this->height());
    }
}

QRectF FlameGraph::boxOf(const FlameItem& item, std::uint32_t row) const {
    const double scale = devicePixelRatioF();
    const double height = rowHeight() / scale;
    return {item.first / scale, row * height - m_scrollBar->value(),
            (item.last - item.first) / scale, height};
}

std::optional<QRectF> FlameGraph::boxOf(NodeId node) {
    if (!m_tree || node >= m_tree->nodes().size()) {
        return std::nullopt;
    }
    const std::uint32_t depth = depthOf(node);
    if (depth >= rows().count()) {
        return std::nullopt;
    }
    const auto row = rows().row(depth);
    const auto found = std::ranges::find_if(
        row, [&](const FlameItem& item) { return item.node == node && item.count == 1; });
    return found == row.end() ? std::nullopt : std::optional(boxOf(*found, depth));
}

std::optional<FlameGraph::Hit> FlameGraph::hitAt(QPointF at) {
    const double scale = devicePixelRatioF();
    const double y = (at.y() + m_scrollBar->value()) * scale / rowHeight();
    if (!m_tree || y < 0.0 || y >= rows().count()) {
        return std::nullopt;
    }
    const auto row = static_cast<std::uint32_t>(y);
    const auto column = static_cast<std::int32_t>(std::floor(at.x() * scale));
    const auto items = rows().row(row);
    const auto after = std::ranges::upper_bound(items, column, {}, &FlameItem::first);
    if (after == items.begin() || (after - 1)->last <= column) {
        return std::nullopt;
    }
    return Hit{&*(after - 1), row};
}

QString FlameGraph::describe(const FlameItem& item) const {
    const TimeNs whole = m_tree->root().total;
    if (item.count > 1) {
        return tr("%1 frames too narrow to draw\nTotal %2 (%3)")
            .arg(item.count)
            .arg(duration(item.total), share(item.total, whole));
    }
    const calltree::CallNode& node = m_tree->node(item.node);
    if (item.node == kRoot) {
        return tr("Total %1").arg(duration(whole));
    }
    QString text =
        tr("Total %1 (%2)\nSelf %3 (%4)\nCalls %5")
            .arg(duration(node.total), share(node.total, whole), duration(node.self),
                 share(node.self, whole),
                 QString::fromStdString(text::formatCount(static_cast<std::int64_t>(node.count))));
    if (node.parent != kRoot) {
        text += tr("\n%1 of its caller").arg(share(node.total, m_tree->node(node.parent).total));
    }
    return text;
}

QString FlameGraph::rootText() const {
    return tr("All  %1").arg(duration(m_tree ? m_tree->root().total : 0));
}

FlamePicture FlameGraph::picture() {
    static const calltree::CallTree kNone;
    return {m_tree ? *m_tree : kNone, rows(), rowHeight(),
            static_cast<int>(std::lround(m_scrollBar->value() * devicePixelRatioF())), rootText()};
}

void FlameGraph::renderCanvas(bool named) {
    const double scale = devicePixelRatioF();
    const QSize size = (QSizeF(width(), height()) * scale).toSize();
    if (m_canvas.size() != size) {
        m_canvas = QImage(size, QImage::Format_RGB32);
    }
    m_canvas.setDevicePixelRatio(1.0);
    const FlamePicture shown = picture();
    m_painter.paintFrames(m_canvas, shown);
    if (named) {
        QPainter painter(&m_canvas);
        m_painter.paintNames(painter, m_canvas.size(), shown);
    }
    m_canvas.setDevicePixelRatio(scale);
    m_canvasValid = named;
}

// In a vector picture names stay texts.
void FlameGraph::paintVectors(QPainter& painter) {
    renderCanvas(false);
    painter.drawImage(QPoint(0, 0), m_canvas);
    painter.save();
    painter.scale(1.0 / devicePixelRatioF(), 1.0 / devicePixelRatioF());
    m_painter.paintNames(painter, m_canvas.size(), picture());
    painter.restore();
}

void FlameGraph::paintEvent(QPaintEvent* /*event*/) {
    const style::Theme& theme = style::Theme::current();
    if (m_canvas.devicePixelRatio() != devicePixelRatioF() && !m_canvas.isNull()) {
        resetColors();  // moved to another screen
        invalidate();
    }
    QPainter painter(this);
    if (painter.paintEngine()->type() == QPaintEngine::SVG) {
        paintVectors(painter);
    } else {
        if (!m_canvasValid) {
            renderCanvas(true);
        }
        painter.drawImage(QPoint(0, 0), m_canvas);
    }
    painter.fillRect(QRect(width() - kScrollBarWidth, 0, kScrollBarWidth, height()),
                     theme.raised());
    if (!m_tree || m_widths->empty()) {
        painter.setPen(theme.mutedText());
        painter.drawText(rect().adjusted(24, 8, -24, -8), Qt::AlignCenter | Qt::TextWordWrap,
                         m_emptyText);
        return;
    }
    const auto outline = [&](const QRectF& box, const QColor& color, double width) {
        painter.setPen(QPen(color, width));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(box.adjusted(width / 2, width / 2, -width / 2 - 1, -width / 2 - 1));
    };
    if (m_hoverBox) {
        outline(*m_hoverBox, theme.text(), 1.0);
    }
    if (m_selected != kRoot) {
        if (const auto box = boxOf(m_selected)) {
            outline(*box, theme.selection(), 2.0);
        }
    }
}

void FlameGraph::resizeEvent(QResizeEvent* /*event*/) {
    invalidate();
}

void FlameGraph::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::StyleChange) {
        resetColors();
    } else if (event->type() == QEvent::FontChange) {
        resetColors();
        invalidate();
    }
    QWidget::changeEvent(event);
}

}  // namespace kinetoscope::calls
