// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/calltree/CallTree.h"

namespace kinetoscope::calls {

/// One frame, or a run of siblings that are too narrow for a column of their own.
struct FlameItem {
    std::int32_t first = 0;  ///< columns [first, last)
    std::int32_t last = 0;
    calltree::NodeId node = calltree::kRoot;  ///< the widest one
    std::uint32_t count = 1;
    TimeNs total = 0;  ///< of all of them

    friend bool operator==(const FlameItem&, const FlameItem&) = default;
};

/// A part of the width of a tree, in nanoseconds from the left end of its root.
struct FlameSpan {
    double from = 0.0;
    double to = 1.0;

    [[nodiscard]] double length() const { return to - from; }
    friend bool operator==(const FlameSpan&, const FlameSpan&) = default;
};

/// Where the frames of a tree lie beside each other: children from their parent's left end on, the
/// largest first. A frame is as wide as its total time, or as its children are where they overlap.
class FlameWidths {
public:
    FlameWidths() = default;
    explicit FlameWidths(const calltree::CallTree& tree);

    [[nodiscard]] FlameSpan spanOf(calltree::NodeId node) const {
        return {m_begin[node], m_begin[node] + m_width[node]};
    }
    [[nodiscard]] bool empty() const { return m_begin.empty() || m_width.front() <= 0.0; }

private:
    std::vector<double> m_begin;  ///< by node
    std::vector<double> m_width;
};

/// Items by depth; the root is the first row.
struct FlameRows {
    std::vector<FlameItem> items;      ///< row by row, from left to right
    std::vector<std::uint32_t> begin;  ///< of each row in `items`; one more than there are rows

    [[nodiscard]] std::uint32_t count() const {
        return begin.empty() ? 0 : static_cast<std::uint32_t>(begin.size() - 1);
    }
    [[nodiscard]] std::span<const FlameItem> row(std::uint32_t row) const {
        return std::span(items).subspan(begin[row], begin[row + 1] - begin[row]);
    }
};

/// The visible part of the tree in that many columns: at most one item for each column of a row.
[[nodiscard]] FlameRows layOutFlames(const calltree::CallTree& tree, const FlameWidths& widths,
                                     FlameSpan shown, std::int32_t columns);

}  // namespace kinetoscope::calls
