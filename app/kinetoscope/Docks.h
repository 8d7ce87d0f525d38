// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDockWidget>
#include <QMainWindow>
#include <QObject>
#include <QString>
#include <map>
#include <optional>
#include <vector>

#include "widgets/panels/parts/Panel.h"

namespace kinetoscope::calls {
class CallTreeView;
}  // namespace kinetoscope::calls

namespace kinetoscope::app {

/// The panels of the registry in docks of a window, and their places between starts.
class Docks final : public QObject {
    Q_OBJECT

public:
    Docks(QMainWindow& window, const panels::PanelContext& context);

    /// Summary and details on the right, the tables in tabs at the bottom. Open docks stay open,
    /// and the window keeps its size.
    void arrangeAsFirst();
    /// Restores saved places; false if there are none of this version.
    bool restore(const QByteArray& layout);
    [[nodiscard]] QByteArray layout() const;
    /// Hides all panels, and shows them again as they were. Meanwhile layout() and restore() are
    /// about what will be shown then.
    void setAside(bool aside);
    /// Hides them all until setAside() or until one is requested: empty ones tell a newcomer
    /// nothing.
    void hideUntilWanted();
    [[nodiscard]] bool isWaiting() const { return m_waiting; }

    void showPanel(const QString& id);
    /// Emitted once the panels are no longer put aside.
    void showPanelAfterwards(const QString& id);
    /// Leaves the focus where it is.
    void bringForward(const QString& id);
    /// Null for an unknown id.
    [[nodiscard]] panels::Panel* panel(const QString& id) const;
    [[nodiscard]] QDockWidget* dock(const QString& id) const;
    /// One action a panel; checked while it is open. Its keys show the panel; triggered otherwise,
    /// it also closes one in front.
    [[nodiscard]] const QList<QAction*>& actions() const { return m_actions; }
    /// Whether a panel still reads or computes what it will show.
    [[nodiscard]] bool busy() const;
    /// Of the panel that has the focus, else of the one in front at the bottom; null: none.
    [[nodiscard]] const models::ColumnTableModel* tableInFront(QString* title) const;
    /// The same of rows that open, where such a panel comes first.
    [[nodiscard]] const calls::CallTreeView* treeInFront(QString* title) const;

private:
    struct Item {
        const panels::PanelEntry* entry;
        QDockWidget* dock;
        panels::Panel* panel;
    };

    [[nodiscard]] const Item* find(const QString& id) const;
    /// Of those that `has` accepts; null: none.
    [[nodiscard]] const Item* inFront(bool (*has)(const Item& item)) const;
    void addAction(const Item& item);
    void toggle(const QString& id);
    void syncChecks();
    void retitle();
    void giveRoom(const std::map<panels::PanelPlace, QDockWidget*>& firsts);

    QMainWindow& m_window;
    std::vector<Item> m_items;
    QList<QAction*> m_actions;
    bool m_arranged = false;
    std::optional<QByteArray> m_aside;  ///< the layout that is shown again later
    QString m_afterwards;               ///< the panel that is shown then
    bool m_waiting = false;             ///< for something to show
};

}  // namespace kinetoscope::app
