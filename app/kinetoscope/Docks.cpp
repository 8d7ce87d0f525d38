// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/kinetoscope/Docks.h"

#include <QAction>
#include <QApplication>
#include <QHBoxLayout>
#include <QTabBar>
#include <functional>
#include <map>
#include <utility>

#include "app/kinetoscope/PanelRegistry.h"
#include "widgets/calls/CallTreeView.h"
#include "widgets/style/Icons.h"

namespace kinetoscope::app {

namespace {

constexpr int kLayoutVersion = 5;  // raise when docks come or go
constexpr int kRightWidth = 430;
constexpr double kRightShare = 0.28;  // of a small window
constexpr int kBottomHeight = 300;
constexpr int kSummaryHeight = 600;
constexpr int kDetailsHeight = 360;

Qt::DockWidgetArea areaOf(panels::PanelPlace place) {
    return place == panels::PanelPlace::Bottom ? Qt::BottomDockWidgetArea : Qt::RightDockWidgetArea;
}

QWidget* makeNoTitle(QWidget* parent) {
    auto* bar = new QWidget(parent);
    auto* layout = new QHBoxLayout(bar);  // without one its size would be unknown, not nothing
    layout->setContentsMargins(0, 0, 0, 0);
    return bar;
}

/// Its keys show the panel, its check mark in the menu also closes it.
class ShowAction final : public QAction {
public:
    ShowAction(std::function<void()> show, QObject* parent)
        : QAction(parent), m_show(std::move(show)) {}

protected:
    bool event(QEvent* event) override {
        if (event->type() != QEvent::Shortcut) {
            return QAction::event(event);
        }
        m_show();
        return true;
    }

private:
    std::function<void()> m_show;
};

}  // namespace

Docks::Docks(QMainWindow& window, const panels::PanelContext& context) : m_window(window) {
    window.setDockNestingEnabled(true);
    window.setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
    window.setTabPosition(Qt::AllDockWidgetAreas, QTabWidget::North);
    for (const panels::PanelEntry& entry : panelTable()) {
        auto* dock = new QDockWidget(tr(entry.title), &window);
        dock->setObjectName(QString::fromLatin1(entry.id));
        panels::Panel* panel = entry.make(context).release();
        dock->setWidget(panel);
        m_items.push_back({&entry, dock, panel});
        addAction(m_items.back());
        connect(dock, &QDockWidget::visibilityChanged, panel, &panels::Panel::setInFront);
        connect(panel, &panels::Panel::frontWanted, this,
                [this, id = QString::fromLatin1(entry.id)] { showPanel(id); });
    }
    arrangeAsFirst();
}

void Docks::addAction(const Item& item) {
    const QString id = QString::fromLatin1(item.entry->id);
    auto* action = new ShowAction([this, id] { showPanel(id); }, this);
    action->setIcon(style::themedIcon(QString::fromLatin1(item.entry->icon)));
    action->setText(tr(item.entry->title));
    action->setObjectName(QStringLiteral("show_") + QLatin1String(item.entry->id));
    action->setShortcut(QKeySequence(QString::fromLatin1(item.entry->shortcut)));
    action->setToolTip(tr(item.entry->toolTip));
    action->setStatusTip(tr(item.entry->toolTip));
    action->setCheckable(true);
    action->setIconVisibleInMenu(false);  // the style has room for an icon or a check mark
    connect(action, &QAction::triggered, this, [this, id] { toggle(id); });
    connect(item.dock->toggleViewAction(), &QAction::toggled, action, &QAction::setChecked);
    connect(item.dock, &QDockWidget::dockLocationChanged, this, &Docks::retitle);
    connect(item.dock, &QDockWidget::topLevelChanged, this, &Docks::retitle);
    connect(item.dock, &QDockWidget::visibilityChanged, this, &Docks::retitle);
    m_window.addAction(action);
    m_actions.append(action);
}

/// A panel in front closes, any other comes to the front.
void Docks::toggle(const QString& id) {
    const Item* item = find(id);
    if (item != nullptr && item->dock->isVisible() && !item->panel->visibleRegion().isEmpty()) {
        item->dock->close();
    } else {
        showPanel(id);
    }
    syncChecks();
}

void Docks::syncChecks() {
    for (std::size_t i = 0; i < m_items.size(); ++i) {
        m_actions[static_cast<qsizetype>(i)]->setChecked(!m_items[i].dock->isHidden());
    }
}

/// A dock among tabs needs no title of its own: the tab is it.
void Docks::retitle() {
    for (const Item& item : m_items) {
        const auto isOpen = [](const QDockWidget* dock) { return !dock->isHidden(); };
        const bool tabbed = !item.dock->isFloating() &&
                            std::ranges::any_of(m_window.tabifiedDockWidgets(item.dock), isOpen);
        if (tabbed == (item.dock->titleBarWidget() != nullptr)) {
            continue;
        }
        QWidget* before = item.dock->titleBarWidget();
        item.dock->setTitleBarWidget(tabbed ? makeNoTitle(item.dock) : nullptr);
        delete before;
    }
    // More panels than there is room for: names that can be read, and arrows to the others.
    for (auto* tabs : m_window.findChildren<QTabBar*>(QString(), Qt::FindDirectChildrenOnly)) {
        tabs->setElideMode(Qt::ElideNone);
        tabs->setUsesScrollButtons(true);
    }
}

// The first panel of each place gets room, those behind it become tabs of it. They enter the layout
// while they are hidden: docks side by side, however briefly, would widen the window for good.
void Docks::arrangeAsFirst() {
    const bool wasAside = m_aside.has_value();
    setAside(false);
    std::map<panels::PanelPlace, QDockWidget*> firsts;
    std::vector<bool> open;
    for (const Item& item : m_items) {
        open.push_back(item.entry->opensAtFirst || (m_arranged && !item.dock->isHidden()));
        item.dock->setFloating(false);
        m_window.removeDockWidget(item.dock);
    }
    for (const Item& item : m_items) {
        const auto [first, isFirst] = firsts.try_emplace(item.entry->place, item.dock);
        if (isFirst) {
            m_window.addDockWidget(areaOf(item.entry->place), item.dock);
        } else {
            m_window.tabifyDockWidget(first->second, item.dock);
        }
    }
    for (std::size_t i = 0; i < m_items.size(); ++i) {
        m_items[i].dock->setVisible(open[i]);
    }
    m_arranged = true;
    retitle();
    giveRoom(firsts);
    syncChecks();
    setAside(wasAside);
}

void Docks::giveRoom(const std::map<panels::PanelPlace, QDockWidget*>& firsts) {
    QList<QDockWidget*> right;
    QList<int> heights;
    for (const auto& [place, dock] : firsts) {
        dock->raise();
        if (place == panels::PanelPlace::Bottom) {
            m_window.resizeDocks({dock}, {kBottomHeight}, Qt::Vertical);
        } else {
            right.append(dock);
            heights.append(place == panels::PanelPlace::RightTop ? kSummaryHeight : kDetailsHeight);
        }
    }
    m_window.resizeDocks(right, heights, Qt::Vertical);
    const int width = qMin(kRightWidth, qRound(m_window.width() * kRightShare));
    m_window.resizeDocks(right, QList<int>(right.size(), width), Qt::Horizontal);
}

bool Docks::restore(const QByteArray& layout) {
    if (m_aside && !layout.isEmpty()) {
        m_aside = layout;
        return true;
    }
    const bool restored = !layout.isEmpty() && m_window.restoreState(layout, kLayoutVersion);
    retitle();
    syncChecks();
    return restored;
}

QByteArray Docks::layout() const {
    return m_aside.value_or(m_window.saveState(kLayoutVersion));
}

void Docks::hideUntilWanted() {
    setAside(true);
    m_waiting = true;
}

void Docks::setAside(bool aside) {
    m_waiting = false;
    if (aside == m_aside.has_value()) {
        return;
    }
    if (aside) {
        m_aside = layout();
        for (const Item& item : m_items) {
            item.dock->hide();
        }
        syncChecks();
    } else {
        restore(*std::exchange(m_aside, std::nullopt));
        if (!m_afterwards.isEmpty()) {
            showPanel(std::exchange(m_afterwards, {}));
        }
    }
}

void Docks::showPanelAfterwards(const QString& id) {
    if (m_aside) {
        m_afterwards = id;
    } else {
        showPanel(id);
    }
}

const Docks::Item* Docks::find(const QString& id) const {
    for (const Item& item : m_items) {
        if (id == QLatin1String(item.entry->id)) {
            return &item;
        }
    }
    return nullptr;
}

void Docks::bringForward(const QString& id) {
    if (m_waiting) {
        setAside(false);
    }
    if (const Item* item = find(id)) {
        item->dock->show();
        item->dock->raise();
    }
}

void Docks::showPanel(const QString& id) {
    if (const Item* item = find(id)) {
        bringForward(id);
        item->panel->setFocus(Qt::ShortcutFocusReason);
    }
}

panels::Panel* Docks::panel(const QString& id) const {
    const Item* item = find(id);
    return item == nullptr ? nullptr : item->panel;
}

QDockWidget* Docks::dock(const QString& id) const {
    const Item* item = find(id);
    return item == nullptr ? nullptr : item->dock;
}

bool Docks::busy() const {
    return std::any_of(m_items.begin(), m_items.end(),
                       [](const Item& item) { return item.panel->busy(); });
}

const Docks::Item* Docks::inFront(bool (*has)(const Item& item)) const {
    const Item* found = nullptr;
    for (const Item& item : m_items) {
        const bool isShown = item.entry->place == panels::PanelPlace::Bottom &&
                             !item.panel->visibleRegion().isEmpty();
        const bool focused = QApplication::focusWidget() != nullptr &&
                             item.panel->isAncestorOf(QApplication::focusWidget());
        if (has(item) && (focused || (found == nullptr && isShown))) {
            found = &item;
        }
    }
    return found;
}

const models::ColumnTableModel* Docks::tableInFront(QString* title) const {
    const Item* found = inFront([](const Item& item) { return item.panel->table() != nullptr; });
    if (found == nullptr) {
        return nullptr;
    }
    *title = tr(found->entry->title);
    return found->panel->table();
}

// A flame graph has rows as well, which are not shown: those from the top down.
const calls::CallTreeView* Docks::treeInFront(QString* title) const {
    const auto treeOf = [](const Item& item) {
        auto* chosen = item.panel->findChild<calls::CallTreeView*>(QStringLiteral("topDown"));
        for (auto* tree : item.panel->findChildren<calls::CallTreeView*>()) {
            const bool better = tree->isVisible() && (!chosen->isVisible() || tree->hasFocus());
            chosen = better ? tree : chosen;
        }
        return chosen;
    };
    const Item* found = inFront([](const Item& item) {
        return item.panel->table() != nullptr ||
               item.panel->findChild<calls::CallTreeView*>() != nullptr;
    });
    if (found == nullptr || treeOf(*found) == nullptr) {
        return nullptr;
    }
    *title = tr(found->entry->title);
    const calls::CallTreeView* tree = treeOf(*found);
    tree->bringUpToDate();
    return tree;
}

}  // namespace kinetoscope::app
