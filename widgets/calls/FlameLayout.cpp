// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/calls/FlameLayout.h"

#include <algorithm>
#include <cmath>

namespace kinetoscope::calls {

using calltree::CallNode;
using calltree::CallTree;
using calltree::NodeId;

FlameWidths::FlameWidths(const CallTree& tree)
    : m_begin(tree.nodes().size()), m_width(tree.nodes().size()) {
    std::vector<double> inside(tree.nodes().size());  // sum of the children's widths
    for (auto id = static_cast<NodeId>(tree.nodes().size()); id-- > 0;) {
        const CallNode& node = tree.node(id);
        m_width[id] = std::max({0.0, static_cast<double>(node.total), inside[id]});
        if (id != calltree::kRoot) {
            inside[node.parent] += m_width[id];
        }
    }
    for (NodeId id = 0; id < tree.nodes().size(); ++id) {
        double at = m_begin[id];
        for (const NodeId child : tree.children(id)) {
            m_begin[child] = at;
            at += m_width[child];
        }
    }
}

namespace {

class Layout {
public:
    Layout(const CallTree& tree, const FlameWidths& widths, FlameSpan shown, std::int32_t columns)
        : m_tree(tree),
          m_widths(widths),
          m_shown(shown),
          m_columns(columns),
          m_scale(static_cast<double>(columns) / shown.length()) {}

    FlameRows rows() {
        m_rows.begin.push_back(0);
        add(calltree::kRoot);
        flush();
        while (m_rows.items.size() > m_rows.begin.back()) {
            const std::size_t from = m_rows.begin.back();
            const std::size_t to = m_rows.items.size();
            m_rows.begin.push_back(static_cast<std::uint32_t>(to));
            for (std::size_t at = from; at < to; ++at) {
                if (m_rows.items[at].count == 1) {
                    addChildren(m_rows.items[at].node);
                }
            }
        }
        return std::move(m_rows);
    }

private:
    [[nodiscard]] std::int32_t column(double at) const {
        const double column = std::floor((at - m_shown.from) * m_scale);
        return static_cast<std::int32_t>(std::clamp(column, 0.0, static_cast<double>(m_columns)));
    }
    void addChildren(NodeId parent) {
        const auto children = m_tree.children(parent);
        const auto first = std::ranges::partition_point(
            children, [&](NodeId id) { return m_widths.spanOf(id).to <= m_shown.from; });
        for (auto at = first; at != children.end(); ++at) {
            if (m_widths.spanOf(*at).from >= m_shown.to) {
                break;
            }
            add(*at);
        }
        flush();
    }
    // Narrow siblings wait until a wide one or the end comes.
    void add(NodeId id) {
        const FlameSpan span = m_widths.spanOf(id);
        if (span.length() * m_scale >= 1.0) {
            flush();
            push({column(span.from), column(span.to), id, 1, m_tree.node(id).total});
            return;
        }
        if (m_narrow.count == 0) {
            m_narrow = {0, 0, id, 0, 0};
            m_narrowSpan = span;
        }
        m_narrow.count += 1;
        m_narrow.total = addTime(m_narrow.total, std::max<TimeNs>(0, m_tree.node(id).total));
        m_narrowSpan.to = span.to;
    }
    void flush() {
        if (m_narrow.count > 0) {
            m_narrow.first = column(m_narrowSpan.from);
            m_narrow.last = column(m_narrowSpan.to);
            push(m_narrow);
            m_narrow.count = 0;
        }
    }
    void push(const FlameItem& item) {
        if (item.last > item.first) {
            m_rows.items.push_back(item);
        }
    }

    const CallTree& m_tree;
    const FlameWidths& m_widths;
    FlameSpan m_shown;
    std::int32_t m_columns;
    double m_scale;
    FlameRows m_rows;
    FlameItem m_narrow{0, 0, calltree::kRoot, 0, 0};
    FlameSpan m_narrowSpan;
};

}  // namespace

FlameRows layOutFlames(const CallTree& tree, const FlameWidths& widths, FlameSpan shown,
                       std::int32_t columns) {
    if (columns <= 0 || widths.empty() || !(shown.length() > 0.0)) {
        return {};
    }
    return Layout(tree, widths, shown, columns).rows();
}

}  // namespace kinetoscope::calls
