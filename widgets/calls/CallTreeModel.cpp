// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/calls/CallTreeModel.h"

#include <algorithm>
#include <array>
#include <unordered_map>

#include "core/query/RowOrder.h"
#include "core/text/Format.h"
#include "core/text/Units.h"
#include "widgets/models/ColumnTableModel.h"
#include "widgets/models/Text.h"
#include "widgets/style/PlainText.h"

namespace kinetoscope::calls {

using calltree::CallNode;
using calltree::kRoot;
using calltree::NodeId;

namespace {

QString shareText(TimeNs part, TimeNs whole) {
    return QString::fromStdString(
        text::formatPercent(static_cast<double>(part), static_cast<double>(whole)));
}

struct ColumnText {
    const char* header;
    const char* toolTip;
};

constexpr std::array<ColumnText, CallTreeModel::ColumnCount> kTexts{
    ColumnText{"Name", "Operators, Python functions, annotations, API calls and GPU work"},
    ColumnText{"Total", "Total time, including callees"},
    ColumnText{"Total %", "Share of the time of the whole call tree"},
    ColumnText{"Self", "Self time, without callees"},
    ColumnText{"Self %", "Share of the time of the whole call tree"},
    ColumnText{"Calls", "Number of calls, or of executions on the GPU"}};

}  // namespace

CallTreeModel::CallTreeModel(QObject* parent) : QAbstractItemModel(parent) {}

void CallTreeModel::setTree(std::shared_ptr<const trace::Trace> trace,
                            std::shared_ptr<const calltree::CallTree> tree, TimeNs whole) {
    beginResetModel();
    m_trace = std::move(trace);
    m_tree = std::move(tree);
    m_whole = whole;
    m_unit = text::unitFor(m_tree ? std::max(whole, m_tree->root().total) : 0);
    applyFilter();
    endResetModel();
    emit headerDataChanged(Qt::Horizontal, Total, Self);
}

void CallTreeModel::setFilter(const QString& text) {
    if (text != m_filter) {
        beginResetModel();
        m_filter = text;
        applyFilter();
        endResetModel();
    }
}

std::vector<NodeId> CallTreeModel::matches(std::size_t most) const {
    std::vector<NodeId> found;
    const std::string filter = m_filter.toStdString();
    for (NodeId id = 1; m_tree && id < m_tree->nodes().size() && found.size() < most; ++id) {
        if (query::containsText(m_tree->text(*m_trace, m_tree->node(id).name), filter)) {
            found.push_back(id);
        }
    }
    return found;
}

void CallTreeModel::applyFilter() {
    m_isShown.clear();
    forgetOrder();
    if (!m_tree || m_filter.isEmpty()) {
        return;
    }
    const std::string filter = m_filter.toStdString();
    const std::size_t count = m_tree->nodes().size();
    std::unordered_map<NameId, bool> known;
    std::vector<bool> below(count);  // of a row that matches
    m_isShown.assign(count, false);
    for (NodeId id = 1; id < count; ++id) {
        const CallNode& node = m_tree->node(id);
        const auto [match, isNew] = known.try_emplace(node.name);
        if (isNew) {
            match->second = query::containsText(m_tree->text(*m_trace, node.name), filter);
        }
        below[id] = match->second || below[node.parent];
        m_isShown[id] = below[id];
    }
    for (auto id = static_cast<NodeId>(count); id-- > 1;) {
        if (m_isShown[id]) {
            m_isShown[m_tree->node(id).parent] = true;
        }
    }
}

void CallTreeModel::forgetOrder() {
    const std::size_t count = m_tree ? m_tree->nodes().size() : 0;
    m_order.resize(count);
    m_row.assign(count, -1);
    m_childRows.assign(count, -1);
}

bool CallTreeModel::precedes(NodeId a, NodeId b) const {
    const CallNode& first = m_tree->node(a);
    const CallNode& second = m_tree->node(b);
    const auto less = [&](const auto& x, const auto& y) {
        return m_sortOrder == Qt::AscendingOrder ? x < y : y < x;
    };
    switch (m_sortColumn) {
        case Name:
            return less(m_tree->text(*m_trace, first.name), m_tree->text(*m_trace, second.name));
        case Total:
        case TotalShare:
            return less(first.total, second.total);
        case Self:
        case SelfShare:
            return less(first.self, second.self);
        case Calls:
            return less(first.count, second.count);
        default:
            return a < b;
    }
}

void CallTreeModel::arrange(NodeId parent) const {
    if (m_childRows[parent] >= 0) {
        return;
    }
    const CallNode& node = m_tree->node(parent);
    const auto begin = m_order.begin() + node.firstChild;
    auto end = begin;
    for (const NodeId child : m_tree->children(parent)) {
        if (m_isShown.empty() || m_isShown[child]) {
            *end++ = child;
        }
    }
    if (m_sortColumn >= 0) {
        std::stable_sort(begin, end, [this](NodeId a, NodeId b) { return precedes(a, b); });
    }
    int row = 0;
    for (auto at = begin; at != end; ++at) {
        m_row[*at] = row++;
    }
    m_childRows[parent] = row;
}

bool CallTreeModel::has(NodeId node) const {
    return m_tree && node < m_tree->nodes().size();
}

NodeId CallTreeModel::nodeOf(const QModelIndex& index) const {
    return index.isValid() ? static_cast<NodeId>(index.internalId()) : kRoot;
}

QModelIndex CallTreeModel::indexOf(NodeId node, int column) const {
    if (!has(node) || node == kRoot || (!m_isShown.empty() && !m_isShown[node])) {
        return {};
    }
    arrange(m_tree->node(node).parent);
    return createIndex(m_row[node], column, static_cast<quintptr>(node));
}

QString CallTreeModel::nameOf(NodeId node) const {
    return models::toText(m_tree->text(*m_trace, m_tree->node(node).name));
}

QModelIndex CallTreeModel::index(int row, int column, const QModelIndex& parent) const {
    if (row < 0 || column < 0 || column >= ColumnCount || row >= rowCount(parent)) {
        return {};
    }
    const NodeId first = m_tree->node(nodeOf(parent)).firstChild;
    const NodeId node = m_order[first + static_cast<NodeId>(row)];
    return createIndex(row, column, static_cast<quintptr>(node));
}

QModelIndex CallTreeModel::parent(const QModelIndex& index) const {
    return index.isValid() && m_tree ? indexOf(m_tree->node(nodeOf(index)).parent) : QModelIndex();
}

int CallTreeModel::rowCount(const QModelIndex& parent) const {
    if (!m_tree || parent.column() > 0) {
        return 0;
    }
    const NodeId node = nodeOf(parent);
    arrange(node);
    return m_childRows[node];
}

int CallTreeModel::columnCount(const QModelIndex& /*parent*/) const {
    return ColumnCount;
}

bool CallTreeModel::hasChildren(const QModelIndex& parent) const {
    return rowCount(parent) > 0;
}

QString CallTreeModel::cellText(const CallNode& node, int column) const {
    switch (column) {
        case Name: {
            const std::string_view name = m_tree->text(*m_trace, node.name);
            return style::shownText(name.empty() ? std::string_view("(no name)") : name);
        }
        case Total:
            return QString::fromStdString(text::inUnit(node.total, m_unit));
        case TotalShare:
            return shareText(node.total, m_whole);
        case Self:
            return QString::fromStdString(text::inUnit(node.self, m_unit));
        case SelfShare:
            return shareText(node.self, m_whole);
        default:
            return QString::fromStdString(text::formatCount(static_cast<std::int64_t>(node.count)));
    }
}

QVariant CallTreeModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid) || !m_tree) {
        return {};
    }
    const CallNode& node = m_tree->node(nodeOf(index));
    switch (role) {
        case Qt::DisplayRole:
            return cellText(node, index.column());
        case Qt::WhatsThisRole:
            return headerData(index.column(), Qt::Horizontal, role);
        case Qt::TextAlignmentRole:
            return static_cast<int>((index.column() == Name ? Qt::AlignLeft : Qt::AlignRight) |
                                    Qt::AlignVCenter);
        case Qt::ToolTipRole:
            return index.column() == Name
                       ? QVariant(style::plainToolTip(style::shownText(
                             m_tree->text(*m_trace, node.name), style::kMaxToolTipLetters)))
                       : QVariant();
        case models::SwatchRole:
            return index.column() == Name
                       ? QVariant(style::shownText(m_tree->text(*m_trace, node.name),
                                                   style::kMaxToolTipLetters))
                       : QVariant();
        case models::ShareRole:
            if ((index.column() == TotalShare || index.column() == SelfShare) && m_whole > 0) {
                const TimeNs part = index.column() == TotalShare ? node.total : node.self;
                return static_cast<double>(part) / static_cast<double>(m_whole);
            }
            return {};
        default:
            return {};
    }
}

QVariant CallTreeModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= ColumnCount) {
        return {};
    }
    const ColumnText& text = kTexts[static_cast<std::size_t>(section)];
    switch (role) {
        case Qt::DisplayRole:
            return section == Total || section == Self
                       ? tr(text.header) + QLatin1Char(' ') + QString::fromUtf8(m_unit.name)
                       : tr(text.header);
        case Qt::ToolTipRole:
        case Qt::WhatsThisRole:
            return tr(text.toolTip);
        case Qt::TextAlignmentRole:
            return static_cast<int>((section == Name ? Qt::AlignLeft : Qt::AlignRight) |
                                    Qt::AlignVCenter);
        case Qt::InitialSortOrderRole:
            return static_cast<int>(section == Name ? Qt::AscendingOrder : Qt::DescendingOrder);
        default:
            return {};
    }
}

void CallTreeModel::sort(int column, Qt::SortOrder order) {
    emit layoutAboutToBeChanged({}, QAbstractItemModel::VerticalSortHint);
    const QModelIndexList before = persistentIndexList();
    m_sortColumn = column;
    m_sortOrder = order;
    std::ranges::fill(m_childRows, -1);
    QModelIndexList after;
    for (const QModelIndex& index : before) {
        after.append(indexOf(nodeOf(index), index.column()));
    }
    changePersistentIndexList(before, after);
    emit layoutChanged({}, QAbstractItemModel::VerticalSortHint);
}

}  // namespace kinetoscope::calls
