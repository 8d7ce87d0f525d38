// SPDX-License-Identifier: Apache-2.0
#include "core/calltree/TreeViews.h"

#include <algorithm>
#include <numeric>
#include <unordered_map>

#include "core/base/Threads.h"
#include "core/calltree/TreeMaker.h"

namespace kinetoscope::calltree {

namespace {

constexpr std::size_t kCheckEvery = 1U << 12U;

/// Calls `visit(node, isOutermost)` for every node but the root: no node above an outermost one
/// has its name.
template <class Visit>
void forEachNode(const CallTree& tree, const std::stop_token& stop, Visit visit) {
    std::unordered_map<NameId, std::uint32_t> open;
    std::vector<NodeId> path;  // from the outside in
    std::vector<NodeId> waiting{kRoot};
    for (std::size_t steps = 0; !waiting.empty(); ++steps) {
        if (steps % kCheckEvery == 0) {
            throwIfStopped(stop);
        }
        const NodeId id = waiting.back();
        waiting.pop_back();
        while (!path.empty() && path.back() != tree.node(id).parent) {
            --open[tree.node(path.back()).name];
            path.pop_back();
        }
        if (id != kRoot) {
            visit(id, open[tree.node(id).name]++ == 0);
            path.push_back(id);
        } else {
            path.push_back(kRoot);
        }
        for (const NodeId child : tree.children(id)) {
            waiting.push_back(child);
        }
    }
}

/// Adds chains of callers until there are too many.
class CallerChains {
public:
    explicit CallerChains(const CallTree& tree) : m_tree(tree) {}

    void add(NodeId leaf, TimeNs time, std::uint64_t count) {
        NodeId node = kRoot;
        std::uint32_t length = 0;
        for (NodeId id = leaf; id != kRoot; id = m_tree.node(id).parent) {
            if (length > 0 && (length > kMaxCallers || m_maker.size() >= kMaxCallerNodes)) {
                m_isCut = true;
                break;
            }
            const CallNode& from = m_tree.node(id);
            node = m_maker.child(node, from.name, from.category);
            m_maker.add(node, time, count, time, m_tree.node(leaf).longest);
            ++length;
        }
    }
    [[nodiscard]] CallTree finish(const trace::Trace& trace) {
        CallTree made = m_maker.finish(trace, m_tree.merged());
        if (m_isCut) {
            made.setCut();
        }
        return made;
    }

private:
    const CallTree& m_tree;
    TreeMaker m_maker;
    bool m_isCut = false;
};

}  // namespace

Result<CallTree> bottomUp(const trace::Trace& trace, const CallTree& tree,
                          const std::stop_token& stop) {
    return guarded([&]() -> Result<CallTree> {
        std::vector<NodeId> leaves;
        for (NodeId id = 1; id < tree.nodes().size(); ++id) {
            if (tree.node(id).self != 0) {
                leaves.push_back(id);
            }
        }
        std::ranges::stable_sort(leaves, std::greater(),
                                 [&](NodeId id) { return tree.node(id).self; });
        CallerChains chains(tree);
        for (std::size_t at = 0; at < leaves.size(); ++at) {
            if (at % kCheckEvery == 0) {
                throwIfStopped(stop);
            }
            const CallNode& leaf = tree.node(leaves[at]);
            chains.add(leaves[at], leaf.self, leaf.count);
        }
        return chains.finish(trace);
    });
}

Result<CallTree> byName(const trace::Trace& trace, const CallTree& tree,
                        const std::stop_token& stop) {
    return guarded([&]() -> Result<CallTree> {
        std::unordered_map<NameId, std::size_t> rowOf;
        std::vector<CallNode> rows;
        std::vector<TimeNs> most;
        forEachNode(tree, stop, [&](NodeId id, bool isOutermost) {
            const CallNode& node = tree.node(id);
            const auto [found, isNew] = rowOf.try_emplace(node.name, rows.size());
            if (isNew) {
                rows.push_back({.name = node.name, .parent = kRoot, .category = node.category});
                most.push_back(std::numeric_limits<TimeNs>::min());
            }
            CallNode& row = rows[found->second];
            row.self = addTime(row.self, std::max<TimeNs>(node.self, 0));
            row.self += std::min<TimeNs>(node.self, 0);
            row.count += node.count;
            if (isOutermost) {
                row.total = addTime(row.total, node.total);
            }
            if (node.longest != trace::kNoSlice &&
                trace.duration(node.longest) > most[found->second]) {
                most[found->second] = trace.duration(node.longest);
                row.longest = node.longest;
            }
        });
        std::ranges::sort(rows, [&](const CallNode& a, const CallNode& b) {
            return a.total != b.total ? a.total > b.total
                                      : tree.text(trace, a.name) < tree.text(trace, b.name);
        });
        CallNode root = tree.root();
        root.firstChild = 1;
        root.childCount = static_cast<std::uint32_t>(rows.size());
        rows.insert(rows.begin(), root);
        for (std::size_t id = 1; id < rows.size(); ++id) {
            rows[id].firstChild = static_cast<NodeId>(rows.size());
        }
        return CallTree(std::move(rows), tree.merged());
    });
}

Result<CallTree> callersOf(const trace::Trace& trace, const CallTree& tree, NameId name,
                           const std::stop_token& stop) {
    return guarded([&]() -> Result<CallTree> {
        CallerChains chains(tree);
        forEachNode(tree, stop, [&](NodeId id, bool isOutermost) {
            const CallNode& node = tree.node(id);
            if (node.name == name && isOutermost) {
                chains.add(id, node.total, node.count);
            }
        });
        return chains.finish(trace);
    });
}

Result<CallTree> calleesOf(const trace::Trace& trace, const CallTree& tree, NameId name,
                           const std::stop_token& stop) {
    return guarded([&]() -> Result<CallTree> {
        TreeMaker maker;
        // Of every node its place in the new tree: parents have lower numbers than children.
        std::vector<NodeId> place(tree.nodes().size(), kNoNode);
        for (NodeId id = 1; id < place.size(); ++id) {
            if (id % kCheckEvery == 0) {
                throwIfStopped(stop);
            }
            const CallNode& node = tree.node(id);
            const NodeId above = place[node.parent];
            if (above == kNoNode && node.name != name) {
                continue;
            }
            place[id] = maker.child(above == kNoNode ? kRoot : above, node.name, node.category);
            maker.add(place[id], node.total, node.count, node.total, node.longest);
        }
        return maker.finish(trace, tree.merged());
    });
}

NodeId samePath(const CallTree& from, NodeId node, const CallTree& to) {
    if (node >= from.nodes().size()) {
        return kNoNode;
    }
    std::vector<NameId> names;
    for (; node != kRoot; node = from.node(node).parent) {
        names.push_back(from.node(node).name);
    }
    NodeId at = kRoot;
    for (const NameId name : std::views::reverse(names)) {
        const auto children = to.children(at);
        const auto found =
            std::ranges::find(children, name, [&](NodeId id) { return to.node(id).name; });
        if (found == children.end()) {
            return kNoNode;
        }
        at = *found;
    }
    return at;
}

}  // namespace kinetoscope::calltree
