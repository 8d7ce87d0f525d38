// SPDX-License-Identifier: GPL-3.0-or-later
// What mouse and keyboard do with a flame graph.
#include <QClipboard>
#include <QContextMenuEvent>
#include <QGuiApplication>
#include <QKeyEvent>
#include <QMenu>
#include <QScrollBar>
#include <QToolTip>
#include <algorithm>
#include <cmath>

#include "widgets/calls/FlameGraph.h"
#include "widgets/style/Icons.h"
#include "widgets/style/PlainText.h"

namespace kinetoscope::calls {

using calltree::kRoot;
using calltree::NodeId;

namespace {

constexpr double kNotch = 120.0;    // QWheelEvent's eighths of a degree
constexpr double kWheelZoom = 0.8;  // of the shown width, a notch
constexpr double kMinShownNs = 10;
constexpr int kWheelRows = 3;
constexpr qsizetype kMaxNameLength = 400;

}  // namespace

bool FlameGraph::event(QEvent* event) {
    // Escape goes back here before it closes a dialog or reaches the window.
    if (event->type() == QEvent::ShortcutOverride) {
        const auto* key = static_cast<QKeyEvent*>(event);
        if (key->key() == Qt::Key_Escape && key->modifiers() == Qt::NoModifier && canGoBack()) {
            event->accept();
            return true;
        }
    }
    return QWidget::event(event);
}

void FlameGraph::wheelEvent(QWheelEvent* event) {
    const QPoint turn = event->angleDelta();
    event->accept();
    if (!m_tree || m_widths->empty()) {
        return;
    }
    const double whole = m_widths->spanOf(kRoot).to;
    if (event->modifiers().testFlag(Qt::ControlModifier)) {
        const double at = std::clamp(event->position().x() / std::max(1, pictureWidth()), 0.0, 1.0);
        const double length = std::clamp(m_shown.length() * std::pow(kWheelZoom, turn.y() / kNotch),
                                         std::min(kMinShownNs, whole), whole);
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
    if (!m_tree || m_widths->empty()) {
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
    menu.addSeparator();
    menu.addActions(actions());
    menu.exec(event->globalPos());
}

}  // namespace kinetoscope::calls
