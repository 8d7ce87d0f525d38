// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/kinetoscope/Docks.h"

#include <QAction>
#include <QApplication>

#include "widgets/style/Icons.h"

namespace kinetoscope {

namespace {

constexpr int kLayoutVersion = 1;  // raise when docks come or go
constexpr int kRightWidth = 410;
constexpr int kBottomHeight = 300;
constexpr int kSummaryHeight = 600;
constexpr int kDetailsHeight = 360;

Qt::DockWidgetArea areaOf(PanelPlace place) {
    return place == PanelPlace::Bottom ? Qt::BottomDockWidgetArea : Qt::RightDockWidgetArea;
}

}  // namespace

Docks::Docks(QMainWindow& window, const PanelContext& context) : m_window(window) {
    window.setDockNestingEnabled(true);
    window.setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
    window.setTabPosition(Qt::AllDockWidgetAreas, QTabWidget::North);
    for (const PanelEntry& entry : panelTable()) {
        auto* dock = new QDockWidget(tr(entry.title), &window);
        dock->setObjectName(QString::fromLatin1(entry.id));
        Panel* panel = entry.make(context).release();
        dock->setWidget(panel);
        m_items.push_back({&entry, dock, panel});
        addAction(m_items.back());
    }
    arrangeAsFirst();
}

void Docks::addAction(const Item& item) {
    auto* action =
        new QAction(themedIcon(QString::fromLatin1(item.entry->icon)), tr(item.entry->title), this);
    action->setObjectName(QStringLiteral("show_") + QLatin1String(item.entry->id));
    action->setShortcut(QKeySequence(QString::fromLatin1(item.entry->shortcut)));
    action->setToolTip(tr(item.entry->toolTip));
    action->setStatusTip(tr(item.entry->toolTip));
    connect(action, &QAction::triggered, this,
            [this, id = QString::fromLatin1(item.entry->id)] { showPanel(id); });
    m_window.addAction(action);
    m_actions.append(action);
}

void Docks::arrangeAsFirst() {
    QDockWidget* bottom = nullptr;
    for (const Item& item : m_items) {
        item.dock->setFloating(false);
        m_window.addDockWidget(areaOf(item.entry->place), item.dock);
        item.dock->show();
        if (item.entry->place == PanelPlace::Bottom) {
            if (bottom != nullptr) {
                m_window.tabifyDockWidget(bottom, item.dock);
            } else {
                bottom = item.dock;
            }
        }
    }
    if (bottom != nullptr) {
        bottom->raise();
        m_window.resizeDocks({bottom}, {kBottomHeight}, Qt::Vertical);
    }
    QList<QDockWidget*> right;
    QList<int> heights;
    for (const Item& item : m_items) {
        if (item.entry->place != PanelPlace::Bottom) {
            right.append(item.dock);
            heights.append(item.entry->place == PanelPlace::RightTop ? kSummaryHeight
                                                                     : kDetailsHeight);
        }
    }
    m_window.resizeDocks(right, heights, Qt::Vertical);
    m_window.resizeDocks(right, QList<int>(right.size(), kRightWidth), Qt::Horizontal);
}

bool Docks::restore(const QByteArray& layout) {
    return !layout.isEmpty() && m_window.restoreState(layout, kLayoutVersion);
}

QByteArray Docks::layout() const {
    return m_window.saveState(kLayoutVersion);
}

const Docks::Item* Docks::find(const QString& id) const {
    for (const Item& item : m_items) {
        if (id == QLatin1String(item.entry->id)) {
            return &item;
        }
    }
    return nullptr;
}

void Docks::showPanel(const QString& id) {
    if (const Item* item = find(id)) {
        item->dock->show();
        item->dock->raise();
        item->panel->setFocus(Qt::ShortcutFocusReason);
    }
}

Panel* Docks::panel(const QString& id) const {
    const Item* item = find(id);
    return item == nullptr ? nullptr : item->panel;
}

QDockWidget* Docks::dock(const QString& id) const {
    const Item* item = find(id);
    return item == nullptr ? nullptr : item->dock;
}

const ColumnTableModel* Docks::tableInFront(QString* title) const {
    const Item* found = nullptr;
    for (const Item& item : m_items) {
        const bool inFront = item.panel->table() != nullptr &&
                             item.entry->place == PanelPlace::Bottom &&
                             !item.panel->visibleRegion().isEmpty();
        const bool focused = item.panel->table() != nullptr && QApplication::focusWidget() &&
                             item.panel->isAncestorOf(QApplication::focusWidget());
        if (focused || (found == nullptr && inFront)) {
            found = &item;
        }
    }
    if (found == nullptr) {
        return nullptr;
    }
    *title = tr(found->entry->title);
    return found->panel->table();
}

}  // namespace kinetoscope
