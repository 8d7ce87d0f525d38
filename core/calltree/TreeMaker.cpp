// SPDX-License-Identifier: Apache-2.0
#include "core/calltree/TreeMaker.h"

#include <algorithm>
#include <numeric>

namespace kinetoscope::calltree {

namespace {

constexpr std::size_t kFirstSlots = 256;

TimeNs minus(TimeNs a, TimeNs b) {
    TimeNs result = 0;
    return __builtin_sub_overflow(a, b, &result) ? std::numeric_limits<TimeNs>::min() : result;
}

TimeNs plus(TimeNs a, TimeNs b) {
    TimeNs result = 0;
    return !__builtin_add_overflow(a, b, &result) ? result
           : b > 0                                ? std::numeric_limits<TimeNs>::max()
                                                  : std::numeric_limits<TimeNs>::min();
}

/// Nodes by parent, each parent's in the order in which they are shown.
class ChildOrder {
public:
    ChildOrder(const trace::Trace& trace, const std::vector<TreeMaker::Node>& nodes,
               const CallTree& names)
        : m_begin(nodes.size() + 1), m_children(nodes.size() - 1) {
        for (std::size_t id = 1; id < nodes.size(); ++id) {
            ++m_begin[nodes[id].parent + 1];
        }
        std::partial_sum(m_begin.begin(), m_begin.end(), m_begin.begin());
        std::vector<std::uint32_t> next(m_begin.begin(), m_begin.end() - 1);
        for (NodeId id = 1; id < nodes.size(); ++id) {
            m_children[next[nodes[id].parent]++] = id;
        }
        for (NodeId id = 0; id < nodes.size(); ++id) {
            const auto children = of(id);
            std::ranges::sort(children, [&](NodeId a, NodeId b) {
                return nodes[a].total != nodes[b].total
                           ? nodes[a].total > nodes[b].total
                           : names.text(trace, nodes[a].name) < names.text(trace, nodes[b].name);
            });
        }
    }
    [[nodiscard]] std::span<NodeId> of(NodeId parent) {
        return std::span(m_children)
            .subspan(m_begin[parent], m_begin[parent + 1] - m_begin[parent]);
    }

private:
    std::vector<std::uint32_t> m_begin;
    std::vector<NodeId> m_children;
};

}  // namespace

TreeMaker::TreeMaker() : m_nodes(1), m_slots(kFirstSlots) {}

NodeId TreeMaker::child(NodeId parent, NameId name, trace::CategoryId category) {
    const std::uint64_t key = std::uint64_t{parent} << 32U | name;
    Slot& slot = slotOf(key);
    if (slot.node != kNoNode) {
        return slot.node;
    }
    const auto id = static_cast<NodeId>(m_nodes.size());
    slot = {key, id};
    Node node;
    node.name = name;
    node.parent = parent;
    node.category = category;
    m_nodes.push_back(node);
    if (m_nodes.size() * 2 > m_slots.size()) {
        growSlots();
    }
    return id;
}

void TreeMaker::add(NodeId id, TimeNs total, std::uint64_t count, TimeNs most,
                    trace::SliceId longest) {
    Node& node = m_nodes[id];
    node.total = plus(node.total, total);
    node.count += count;
    if (most > node.most || (most == node.most && longest < node.longest)) {
        node.most = most;
        node.longest = longest;
    }
}

TreeMaker::Slot& TreeMaker::slotOf(std::uint64_t key) {
    const std::size_t mask = m_slots.size() - 1;
    std::size_t at = (key * 0x9e3779b97f4a7c15ULL >> 32U) & mask;
    while (m_slots[at].node != kNoNode && m_slots[at].key != key) {
        at = (at + 1) & mask;
    }
    return m_slots[at];
}

void TreeMaker::growSlots() {
    std::vector<Slot> old(m_slots.size() * 2);
    old.swap(m_slots);
    for (const Slot& slot : old) {
        if (slot.node != kNoNode) {
            slotOf(slot.key) = slot;
        }
    }
}

void TreeMaker::addTree(const TreeMaker& other) {
    std::vector<NodeId> here(other.m_nodes.size(), kRoot);
    for (NodeId id = 1; id < other.m_nodes.size(); ++id) {
        const Node& node = other.m_nodes[id];
        here[id] = child(here[node.parent], node.name, node.category);
        add(here[id], node.total, node.count, node.most, node.longest);
    }
}

CallTree TreeMaker::finish(const trace::Trace& trace, std::shared_ptr<const MergedNames> merged) {
    m_nodes[kRoot].total = 0;
    for (const Node& node : std::span(m_nodes).subspan(1)) {
        if (node.parent == kRoot) {
            m_nodes[kRoot].total = plus(m_nodes[kRoot].total, node.total);
        }
    }
    ChildOrder children(trace, m_nodes, CallTree({CallNode{}}, merged));
    std::vector<NodeId> made{kRoot};  // by number in the tree, that of the making
    made.reserve(m_nodes.size());
    std::vector<CallNode> nodes(1);
    nodes.reserve(m_nodes.size());
    for (NodeId id = 0; id < nodes.size(); ++id) {
        const Node& from = m_nodes[made[id]];
        CallNode& node = nodes[id];
        node.name = from.name;
        node.total = from.total;
        node.count = from.count;
        node.longest = from.longest;
        node.category = from.category;
        node.self = from.total;
        node.firstChild = static_cast<NodeId>(nodes.size());
        for (const NodeId child : children.of(made[id])) {
            nodes[id].self = minus(nodes[id].self, m_nodes[child].total);
            nodes[id].childCount += 1;
            nodes.push_back({.parent = id});
            made.push_back(child);
        }
    }
    return {std::move(nodes), std::move(merged)};
}

}  // namespace kinetoscope::calltree
