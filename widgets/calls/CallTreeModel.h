// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractItemModel>
#include <memory>
#include <vector>

#include "core/calltree/CallTree.h"
#include "core/text/Units.h"

namespace kinetoscope::calls {

/// A call tree as expandable rows. The children of a row are sorted on first use.
class CallTreeModel final : public QAbstractItemModel {
    Q_OBJECT

public:
    enum Column { Name, Total, TotalShare, Self, SelfShare, Calls, ColumnCount };

    explicit CallTreeModel(QObject* parent = nullptr);

    /// Null: no rows. Shares are of `whole` nanoseconds.
    void setTree(std::shared_ptr<const trace::Trace> trace,
                 std::shared_ptr<const calltree::CallTree> tree, TimeNs whole);
    [[nodiscard]] const std::shared_ptr<const calltree::CallTree>& tree() const { return m_tree; }
    [[nodiscard]] TimeNs whole() const { return m_whole; }
    /// Of the columns Total and Self.
    [[nodiscard]] text::TimeUnit unit() const { return m_unit; }
    /// Keeps rows whose names hold the text, what is above them and what is below.
    void setFilter(const QString& text);
    [[nodiscard]] const QString& filter() const { return m_filter; }
    /// Rows whose own names hold the filter's text, by number, at most `most`.
    [[nodiscard]] std::vector<calltree::NodeId> matches(std::size_t most) const;

    [[nodiscard]] calltree::NodeId nodeOf(const QModelIndex& index) const;
    /// Invalid for the root, for none and for one that the filter hides.
    [[nodiscard]] QModelIndex indexOf(calltree::NodeId node, int column = Name) const;
    [[nodiscard]] QString nameOf(calltree::NodeId node) const;

    [[nodiscard]] QModelIndex index(int row, int column,
                                    const QModelIndex& parent = {}) const override;
    [[nodiscard]] QModelIndex parent(const QModelIndex& index) const override;
    using QObject::parent;
    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] bool hasChildren(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role) const override;
    void sort(int column, Qt::SortOrder order) override;

private:
    [[nodiscard]] bool has(calltree::NodeId node) const;
    [[nodiscard]] QString cellText(const calltree::CallNode& node, int column) const;
    [[nodiscard]] bool precedes(calltree::NodeId a, calltree::NodeId b) const;
    void arrange(calltree::NodeId parent) const;
    void applyFilter();
    void forgetOrder();

    std::shared_ptr<const trace::Trace> m_trace;
    std::shared_ptr<const calltree::CallTree> m_tree;
    TimeNs m_whole = 0;
    text::TimeUnit m_unit = text::kMicroseconds;
    QString m_filter;
    std::vector<bool> m_isShown;  ///< by node; empty: all are
    int m_sortColumn = -1;        ///< -1: as in the tree
    Qt::SortOrder m_sortOrder = Qt::DescendingOrder;
    // By node: children lie behind each other from firstChild on, those that are shown in order.
    mutable std::vector<calltree::NodeId> m_order;
    mutable std::vector<int> m_row;
    mutable std::vector<int> m_childRows;  ///< -1: not arranged
};

}  // namespace kinetoscope::calls
