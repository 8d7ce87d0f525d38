// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/calls/FlameGraph.h"

#include <QClipboard>
#include <QContextMenuEvent>
#include <QGuiApplication>
#include <QKeyEvent>
#include <QMenu>
#include <QPainter>
#include <QScrollBar>
#include <QToolTip>
#include <algorithm>
#include <cmath>

#include "core/calltree/TreeViews.h"
#include "core/text/Format.h"
#include "widgets/style/Icons.h"
#include "widgets/style/PlainText.h"

namespace kinetoscope::calls {

using calltree::kRoot;
using calltree::NodeId;

namespace {

constexpr int kFontPixels = 11;
constexpr int kScrollBarWidth = 12;
constexpr double kNotch = 120.0;    // QWheelEvent's eighths of a degree
constexpr double kWheelZoom = 0.8;  // of the shown width, a notch
constexpr double kLeastShown = 10;  // nanoseconds
constexpr int kWheelRows = 3;
constexpr qsizetype kMaxNameLength = 400;
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
    connect(m_scrollBar, &QScrollBar::valueChanged, this, [this] {
        m_hoverBox.reset();
        m_canvasValid = false;
        update();
    });
    resetColors();
}

void FlameGraph::setTree(std::shared_ptr<const trace::Trace> trace,
                         std::shared_ptr<const calltree::CallTree> tree) {
    const bool same = m_trace == trace && m_tree && tree;
    const NodeId selected = same ? calltree::samePath(*m_tree, m_selected, *tree) : kRoot;
    const NodeId zoomed = same ? calltree::samePath(*m_tree, m_zoomed, *tree) : kRoot;
    const bool other = m_trace != trace;
    m_trace = std::move(trace);
    m_tree = std::move(tree);
    m_widths = m_tree ? FlameWidths(*m_tree) : FlameWidths();
    m_selected = selected == calltree::kNoNode ? kRoot : selected;
    m_zoomed = zoomed == calltree::kNoNode ? kRoot : zoomed;
    m_before.clear();
    if (m_tree && m_zoomed != kRoot) {
        m_before.push_back(m_widths.spanOf(kRoot));
    }
    m_shown = m_tree ? m_widths.spanOf(m_zoomed) : FlameSpan{};
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
    if (m_tree && node < m_tree->nodes().size() && m_widths.spanOf(node).length() > 0.0) {
        m_zoomed = node;
        goTo(m_widths.spanOf(node));
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

int FlameGraph::columns() const {
    return static_cast<int>(
        std::lround(std::max(0, width() - kScrollBarWidth) * devicePixelRatioF()));
}

const FlameRows& FlameGraph::rows() {
    if (!m_rowsValid) {
        m_rows = m_tree ? layOutFlames(*m_tree, m_widths, m_shown, columns()) : FlameRows();
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
        return tr("%1 frames that are too narrow to draw\nTotal %2 (%3)")
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
        text +=
            tr("\n%1 of what called it").arg(share(node.total, m_tree->node(node.parent).total));
    }
    return text;
}

void FlameGraph::renderCanvas() {
    const double scale = devicePixelRatioF();
    const QSize size = (QSizeF(width(), height()) * scale).toSize();
    if (m_canvas.size() != size) {
        m_canvas = QImage(size, QImage::Format_RGB32);
    }
    m_canvas.setDevicePixelRatio(1.0);
    static const calltree::CallTree kNone;
    const calltree::CallTree& tree = m_tree ? *m_tree : kNone;
    m_painter.paint(m_canvas, tree, rows(), rowHeight(),
                    static_cast<int>(std::lround(m_scrollBar->value() * scale)),
                    tr("All  %1").arg(duration(tree.root().total)));
    m_canvas.setDevicePixelRatio(scale);
    m_canvasValid = true;
}

void FlameGraph::paintEvent(QPaintEvent* /*event*/) {
    const style::Theme& theme = style::Theme::current();
    if (m_canvas.devicePixelRatio() != devicePixelRatioF() && !m_canvas.isNull()) {
        resetColors();  // moved to another screen
        invalidate();
    }
    if (!m_canvasValid) {
        renderCanvas();
    }
    QPainter painter(this);
    painter.drawImage(QPoint(0, 0), m_canvas);
    painter.fillRect(QRect(width() - kScrollBarWidth, 0, kScrollBarWidth, height()),
                     theme.raised());
    if (!m_tree || m_widths.empty()) {
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

bool FlameGraph::event(QEvent* event) {
    // Escape goes back here before a dialog or the window takes it.
    if (event->type() == QEvent::ShortcutOverride) {
        const auto* key = static_cast<QKeyEvent*>(event);
        if (key->key() == Qt::Key_Escape && key->modifiers() == Qt::NoModifier && canGoBack()) {
            event->accept();
            return true;
        }
    }
    return QWidget::event(event);
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

void FlameGraph::wheelEvent(QWheelEvent* event) {
    const QPoint turn = event->angleDelta();
    event->accept();
    if (!m_tree || m_widths.empty()) {
        return;
    }
    const double whole = m_widths.spanOf(kRoot).to;
    if (event->modifiers().testFlag(Qt::ControlModifier)) {
        const double at =
            std::clamp(event->position().x() / std::max(1, width() - kScrollBarWidth), 0.0, 1.0);
        const double length = std::clamp(m_shown.length() * std::pow(kWheelZoom, turn.y() / kNotch),
                                         std::min(kLeastShown, whole), whole);
        const double from =
            std::clamp(m_shown.from + (m_shown.length() - length) * at, 0.0, whole - length);
        if (m_before.empty()) {
            m_before.push_back(m_shown);  // turning the wheel is one zoom
        }
        m_zoomed = kRoot;
        if (length >= whole) {
            m_before.clear();
        }
        showSpan({from, from + length});
    } else if (std::abs(turn.x()) > std::abs(turn.y())) {
        const double by = -turn.x() / kNotch * m_shown.length() / 10.0;
        const double from = std::clamp(m_shown.from + by, 0.0, whole - m_shown.length());
        showSpan({from, from + m_shown.length()});
    } else {
        const double row = rowHeight() / devicePixelRatioF();
        m_scrollBar->setValue(m_scrollBar->value() -
                              static_cast<int>(std::lround(turn.y() / kNotch * kWheelRows * row)));
    }
}

void FlameGraph::mousePressEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton) {
        const auto hit = hitAt(event->position());
        select(hit && hit->item->count == 1 ? hit->item->node : kRoot);
    } else if (event->button() == Qt::BackButton) {
        back();
    } else {
        QWidget::mousePressEvent(event);
    }
}

void FlameGraph::mouseDoubleClickEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton) {
        return;
    }
    if (const auto hit = hitAt(event->position())) {
        // Narrow ones become wide enough together.
        const NodeId node = hit->item->node;
        zoomTo(hit->item->count > 1 ? m_tree->node(node).parent : node);
    }
}

void FlameGraph::mouseMoveEvent(QMouseEvent* event) {
    const auto hit = hitAt(event->position());
    m_hoverBox = hit ? std::optional(boxOf(*hit->item, hit->row)) : std::nullopt;
    if (hit) {
        const FlameItem& item = *hit->item;
        const bool named = item.node != kRoot && item.count == 1;
        const QString name =
            named ? style::shownText(m_tree->text(*m_trace, m_tree->node(item.node).name),
                                     kMaxNameLength)
                  : QString();
        QToolTip::showText(event->globalPosition().toPoint(),
                           style::plainToolTip(describe(item), name), this,
                           m_hoverBox->toAlignedRect());
    } else {
        QToolTip::hideText();
    }
    update();
}

void FlameGraph::leaveEvent(QEvent* /*event*/) {
    m_hoverBox.reset();
    update();
}

bool FlameGraph::walk(int key) {
    if (!m_tree) {
        return false;
    }
    const calltree::CallNode& node = m_tree->node(m_selected);
    switch (key) {
        case Qt::Key_Down:
            if (node.childCount > 0) {
                select(node.firstChild);
            }
            return true;
        case Qt::Key_Up:
            if (m_selected != kRoot) {
                select(node.parent);
            }
            return true;
        case Qt::Key_Left:
            if (m_selected != kRoot && m_selected > m_tree->node(node.parent).firstChild) {
                select(m_selected - 1);
            }
            return true;
        case Qt::Key_Right:
            if (m_selected != kRoot) {
                const calltree::CallNode& parent = m_tree->node(node.parent);
                select(std::min(m_selected + 1, parent.firstChild + parent.childCount - 1));
            }
            return true;
        case Qt::Key_Return:
        case Qt::Key_Enter:
            zoomTo(m_selected);
            return true;
        case Qt::Key_Home:
            zoomTo(kRoot);
            return true;
        case Qt::Key_Escape:
            back();
            return true;
        default:
            return false;
    }
}

void FlameGraph::keyPressEvent(QKeyEvent* event) {
    const bool plain =
        !(event->modifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier));
    if (event->matches(QKeySequence::Copy) && m_tree && m_selected != kRoot) {
        const std::string_view name = m_tree->text(*m_trace, m_tree->node(m_selected).name);
        QGuiApplication::clipboard()->setText(
            QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size())));
    } else if ((event->key() == Qt::Key_Escape && !canGoBack()) || !plain || !walk(event->key())) {
        QWidget::keyPressEvent(event);
    }
}

void FlameGraph::addMenu(QMenu& menu, NodeId node) {
    menu.addAction(style::themedIcon(QStringLiteral("zoom-in")), tr("Zoom to this frame"), this,
                   [this, node] { zoomTo(node); });
    menu.addAction(style::themedIcon(QStringLiteral("jump")), tr("Find in the timeline"), this,
                   [this, node] { emit findWanted(node); });
    menu.addAction(tr("Callers and callees"), this,
                   [this, node] { emit callersWanted(m_tree->node(node).name); });
    menu.addSeparator();
    menu.addAction(style::themedIcon(QStringLiteral("copy")), tr("Copy name"), this, [this, node] {
        const std::string_view name = m_tree->text(*m_trace, m_tree->node(node).name);
        QGuiApplication::clipboard()->setText(
            QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size())));
    });
    menu.addSeparator();
}

void FlameGraph::contextMenuEvent(QContextMenuEvent* event) {
    if (!m_tree || m_widths.empty()) {
        return;
    }
    NodeId node = m_selected;
    if (event->reason() == QContextMenuEvent::Mouse) {
        const auto hit = hitAt(QPointF(event->pos()));
        node = hit && hit->item->count == 1 ? hit->item->node : kRoot;
        select(node);
    }
    QMenu menu(this);
    if (node != kRoot) {
        addMenu(menu, node);
    }
    QAction* before = menu.addAction(tr("Back"), this, &FlameGraph::back);
    before->setEnabled(canGoBack());
    menu.addAction(style::themedIcon(QStringLiteral("fit")), tr("Show all"), this,
                   [this] { zoomTo(kRoot); });
    menu.exec(event->globalPos());
}

}  // namespace kinetoscope::calls
