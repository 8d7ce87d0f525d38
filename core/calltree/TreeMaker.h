// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "core/calltree/CallTree.h"

namespace kinetoscope::calltree {

/// Collects the nodes of a tree, each known by its parent and its name. Numbers of nodes are those
/// of their making until finish(); the root is there from the beginning.
class TreeMaker {
public:
    struct Node {
        NameId name = kEmptyName;
        NodeId parent = kNoNode;
        TimeNs total = 0;
        std::uint64_t count = 0;
        TimeNs most = std::numeric_limits<TimeNs>::min();  ///< of the calls, that of `longest`
        trace::SliceId longest = trace::kNoSlice;
        trace::CategoryId category = 0;
    };

    TreeMaker();

    /// The child of that name, made if it is new.
    NodeId child(NodeId parent, NameId name, trace::CategoryId category);
    /// Adds calls and their time; `longest` took `most` of it.
    void add(NodeId node, TimeNs total, std::uint64_t count, TimeNs most, trace::SliceId longest);
    [[nodiscard]] const Node& node(NodeId id) const { return m_nodes[id]; }
    [[nodiscard]] std::size_t size() const { return m_nodes.size(); }
    /// Everything of another one, path by path.
    void addTree(const TreeMaker& other);

    /// The root's total becomes the sum of its children's.
    [[nodiscard]] CallTree finish(const trace::Trace& trace,
                                  std::shared_ptr<const MergedNames> merged);

private:
    struct Slot {
        std::uint64_t key = 0;
        NodeId node = kNoNode;
    };

    Slot& slotOf(std::uint64_t key);
    void growSlots();

    std::vector<Node> m_nodes;
    std::vector<Slot> m_slots;  ///< open addressing; a power of two
};

}  // namespace kinetoscope::calltree
