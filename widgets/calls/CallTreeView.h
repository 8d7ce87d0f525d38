// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSet>
#include <QTreeView>
#include <functional>
#include <utility>

#include "widgets/calls/CallTreeModel.h"

namespace kinetoscope::calls {

/// The one way call trees look as tables: the name gives way, numbers never do. Rows that were
/// opened stay open while a filter is typed and where a new tree has them.
class CallTreeView final : public QTreeView {
    Q_OBJECT

public:
    /// `model` must outlive the view; set trees and filters by this view alone.
    explicit CallTreeView(CallTreeModel& model, QWidget* parent = nullptr);

    void setTree(std::shared_ptr<const trace::Trace> trace,
                 std::shared_ptr<const calltree::CallTree> tree, TimeNs whole);
    void setFilter(const QString& text);
    /// Fills rows that are not in front; called before somebody else reads them.
    void setSource(std::function<void()> fill) { m_fill = std::move(fill); }
    void bringUpToDate() const {
        if (m_fill) {
            m_fill();
        }
    }
    /// Shown in the middle while there are no rows.
    void setEmptyText(const QString& text);
    /// kRoot: none.
    [[nodiscard]] calltree::NodeId current() const;
    /// Opens the way to the node and selects it.
    void goTo(calltree::NodeId node);
    void copyName() const;

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;

private:
    void restore(calltree::NodeId current);
    void openWayTo(calltree::NodeId node);
    void openLargest();
    void fitColumns();

    CallTreeModel& m_model;
    std::shared_ptr<const trace::Trace> m_trace;
    QSet<calltree::NodeId> m_open;  ///< by the user's hand or with the tree
    bool m_restoring = false;
    QString m_emptyText;
    std::function<void()> m_fill;
};

}  // namespace kinetoscope::calls
