// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <ranges>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/trace/Trace.h"

namespace kinetoscope::calltree {

using NodeId = std::uint32_t;  ///< row of CallTree::nodes()

inline constexpr NodeId kRoot = 0;
inline constexpr NodeId kNoNode = std::numeric_limits<NodeId>::max();

/// All calls that have one path of names from the root. Times in nanoseconds.
struct CallNode {
    NameId name = kEmptyName;
    NodeId parent = kNoNode;  ///< lower than the node's own number; kNoNode for the root
    NodeId firstChild = 0;    ///< children have successive numbers
    std::uint32_t childCount = 0;
    TimeNs total = 0;
    TimeNs self = 0;          ///< total less that of the children; negative where these overlap
    std::uint64_t count = 0;  ///< calls; 0 for the root
    trace::SliceId longest = trace::kNoSlice;  ///< the call with most of the time, first of several
    trace::CategoryId category = 0;            ///< of the first call
};

/// Calls of several names that are one frame: all steps.
struct MergedNames {
    struct Shown {
        NameId name = kEmptyName;  ///< that of the first of them, which stands for all
        std::string text;
    };
    std::vector<Shown> shown;
    std::vector<NameId> nameOf;  ///< by name, itself if it is not merged; empty: nothing is merged
};

/// Calls merged by their path. The first node is the root, which has no name; children come by
/// total time, the largest first, then by name. Never changes once it is made.
class CallTree {
public:
    CallTree() : CallTree({CallNode{}}, nullptr) {}
    /// As the functions of this folder make it.
    CallTree(std::vector<CallNode> nodes, std::shared_ptr<const MergedNames> merged)
        : m_nodes(std::move(nodes)), m_merged(std::move(merged)) {}

    [[nodiscard]] std::span<const CallNode> nodes() const { return m_nodes; }
    [[nodiscard]] const CallNode& node(NodeId id) const { return m_nodes[id]; }
    [[nodiscard]] const CallNode& root() const { return m_nodes[kRoot]; }
    [[nodiscard]] bool empty() const { return m_nodes.size() == 1; }
    [[nodiscard]] auto children(NodeId id) const {
        const CallNode& node = m_nodes[id];
        return std::views::iota(node.firstChild, node.firstChild + node.childCount);
    }
    /// The name as it is shown, empty for the root; `trace` is the one that the tree was made of.
    [[nodiscard]] std::string_view text(const trace::Trace& trace, NameId name) const;
    /// The name under which calls of this one are in the tree.
    [[nodiscard]] NameId nameIn(NameId name) const {
        return m_merged && name < m_merged->nameOf.size() ? m_merged->nameOf[name] : name;
    }
    [[nodiscard]] const std::shared_ptr<const MergedNames>& merged() const { return m_merged; }
    /// Some chains of callers end early, see bottomUp().
    [[nodiscard]] bool isCut() const { return m_isCut; }
    void setCut() { m_isCut = true; }

private:
    std::vector<CallNode> m_nodes;
    std::shared_ptr<const MergedNames> m_merged;  ///< null: none
    bool m_isCut = false;
};

}  // namespace kinetoscope::calltree
