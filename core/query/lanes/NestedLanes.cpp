// SPDX-License-Identifier: Apache-2.0
#include "core/query/lanes/NestedLanes.h"

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "core/query/lanes/LanePacker.h"

namespace kinetoscope::query {

namespace {

using Index = std::uint32_t;

constexpr Index kNone = std::numeric_limits<Index>::max();
// More siblings than this in one heap of overlaps are packed in order of their starts: trying all
// against all pays for a few frames that cross, not for thousands of tasks at once.
constexpr std::size_t kFewSiblings = 16;
// Slices looked at to tell how deep a part of a sibling is; beyond, its whole depth counts.
constexpr int kLookedAt = 256;

bool overlap(const PlacedSlice& a, const PlacedSlice& b) {
    const bool bothEmpty = a.duration <= 0 && b.duration <= 0;
    return !bothEmpty && a.start < b.reach() && b.start < a.reach();
}

/// Packs slices that cross each other, as a forest: each slice gets its distance below its parent.
class Forest {
public:
    /// Lanes from 0 on; returns their number. Memory is kept for the next slices.
    std::uint32_t pack(std::span<PlacedSlice> slices) {
        m_slices = slices;
        m_parent.assign(slices.size(), kNone);
        m_below.assign(slices.size(), 1);
        m_depth.assign(slices.size(), 1);
        m_heapBegin.resize(slices.size());
        findParents();
        collectChildren();
        packLargeHeaps();
        for (auto at = static_cast<Index>(m_slices.size()); at-- > 0;) {
            if (m_siblings[at].crossed) {
                packSmallHeaps(at);
            }
            if (m_parent[at] != kNone && !m_siblings[m_parent[at]].crossed) {
                Index& depth = m_depth[m_parent[at]];
                depth = std::max(depth, m_depth[at] + 1);
            }
        }
        packSmallHeaps(kNone);
        std::uint32_t lanes = 0;
        for (Index at = 0; at < m_slices.size(); ++at) {
            const Index above = m_parent[at] == kNone ? 0 : m_slices[m_parent[at]].lane + 1U;
            const Index lane = above + m_below[at] - 1;
            m_slices[at].lane = lane & 0x7fffffffU;
            lanes = std::max(lanes, lane + 1);
        }
        return lanes;
    }

private:
    /// State of a slice's children while they come by start.
    struct Siblings {
        TimeNs until = std::numeric_limits<TimeNs>::min();  ///< end of the heap so far
        Index count = 0;
        Index heapBegin = 0;
        bool crossed = false;  ///< some overlap each other
    };

    void findParents() {
        m_siblings.assign(m_slices.size() + 1, {});
        std::vector<Index> open;  // ends fall: what ends before a newer parent holds nothing more
        for (Index at = 0; at < m_slices.size(); ++at) {
            const PlacedSlice& slice = m_slices[at];
            auto last = open.size();
            if (slice.parent != 0) {
                while (last > 0 && m_slices[open[last - 1]].end() < slice.reach()) {
                    --last;
                }
            } else {
                last = static_cast<std::size_t>(
                    std::ranges::partition_point(
                        open, [&](Index other) { return m_slices[other].end() >= slice.reach(); }) -
                    open.begin());
            }
            m_parent[at] = last == 0 ? kNone : open[last - 1];
            if (slice.parent != 0) {
                open.resize(last);
                open.push_back(at);
            }
            join(m_siblings[slotOf(m_parent[at])], at);
        }
    }
    void join(Siblings& siblings, Index at) {
        if (siblings.count > 0 && m_slices[at].start < siblings.until) {
            siblings.crossed = true;
        } else {
            siblings.heapBegin = siblings.count;
        }
        siblings.until = std::max(siblings.until, m_slices[at].end());
        m_heapBegin[at] = siblings.heapBegin;
        ++siblings.count;
    }

    void collectChildren() {
        m_childrenBegin.resize(m_slices.size() + 1);
        std::vector<Index>& next = m_next;
        next.resize(m_slices.size() + 1);
        Index begin = 0;
        for (std::size_t slot = 0; slot <= m_slices.size(); ++slot) {
            m_childrenBegin[slot] = next[slot] = begin;
            begin += m_siblings[slot].count;
        }
        m_children.resize(m_slices.size());
        for (Index at = 0; at < m_slices.size(); ++at) {
            m_children[next[slotOf(m_parent[at])]++] = at;
        }
    }
    [[nodiscard]] std::size_t slotOf(Index parent) const {
        return parent == kNone ? m_slices.size() : parent;
    }
    /// By start; kNone: of no slice.
    [[nodiscard]] std::span<const Index> childrenOf(Index parent) const {
        const std::size_t slot = slotOf(parent);
        return std::span(m_children).subspan(m_childrenBegin[slot], m_siblings[slot].count);
    }

    /// Calls `each` with every heap of siblings: those that overlap, directly or through others.
    template <class Each>
    void forHeaps(Index parent, Each each) {
        const std::span<const Index> all = childrenOf(parent);
        for (std::size_t begin = 0; begin < all.size();) {
            std::size_t end = begin + 1;
            while (end < all.size() && m_heapBegin[all[end]] == begin) {
                ++end;
            }
            each(all.subspan(begin, end - begin));
            begin = end;
        }
    }

    /// A large heap is packed together with all that is inside of it, so that nothing is twice.
    void packLargeHeaps() {
        const auto look = [this](Index parent) {
            forHeaps(parent, [&](std::span<const Index> heap) {
                if (heap.size() > kFewSiblings) {
                    packByStart(heap);
                }
            });
        };
        m_packed.assign(m_slices.size(), false);
        if (m_siblings.back().crossed) {
            look(kNone);
        }
        for (Index at = 0; at < m_slices.size(); ++at) {
            if (m_siblings[at].crossed && !m_packed[at]) {
                look(at);
            }
        }
    }

    void packByStart(std::span<const Index> heap) {
        std::vector<Index> all(heap.begin(), heap.end());
        for (std::size_t at = 0; at < all.size(); ++at) {
            const auto inside = childrenOf(all[at]);
            all.insert(all.end(), inside.begin(), inside.end());
        }
        std::ranges::sort(all);
        LanePacker packer;
        for (const Index at : all) {
            PlacedSlice& slice = m_slices[at];
            slice.lane = packer.place({slice.start, slice.end()}, slice.parent != 0) & 0x7fffffffU;
            m_below[at] = slice.lane + 1U;
        }
        for (const Index at : all) {
            m_packed[at] = true;
            if (m_parent[at] != m_parent[heap.front()]) {
                m_below[at] = slice(at).lane - slice(m_parent[at]).lane;
                // Distances of any size: the depth of the parent comes from each of them.
                m_siblings[m_parent[at]].crossed = true;
            }
        }
    }
    [[nodiscard]] const PlacedSlice& slice(Index at) const { return m_slices[at]; }

    /// Places below a slice, whose children know their depths, and its own depth.
    void packSmallHeaps(Index parent) {
        if (parent == kNone || !m_packed[parent]) {
            forHeaps(parent, [this](std::span<const Index> heap) {
                if (heap.size() > 1 && heap.size() <= kFewSiblings) {
                    packHeap(heap);
                }
            });
        }
        if (parent != kNone) {
            for (const Index child : childrenOf(parent)) {
                m_depth[parent] = std::max(m_depth[parent], m_below[child] + m_depth[child]);
            }
        }
    }

    void packHeap(std::span<const Index> heap) {
        std::vector<Index> order(heap.begin(), heap.end());
        const Index lanes = place(order);
        std::vector<Index> byStart;
        for (const Index member : heap) {
            byStart.push_back(m_below[member]);
        }
        std::ranges::stable_sort(
            order, [this](Index a, Index b) { return slice(a).duration > slice(b).duration; });
        const bool nested = std::ranges::any_of(heap, [this](Index at) { return m_depth[at] > 1; });
        if (!nested || place(order) > lanes) {
            for (std::size_t at = 0; at < heap.size(); ++at) {
                m_below[heap[at]] = byStart[at];
            }
        }
    }

    /// Each on the first lanes that those before it leave free; returns how many they take.
    Index place(const std::vector<Index>& order) {
        Index lanes = 0;
        std::vector<std::pair<Index, Index>> taken;
        for (std::size_t at = 0; at < order.size(); ++at) {
            taken.clear();
            for (std::size_t other = 0; other < at; ++other) {
                addTaken(order[at], order[other], taken);
            }
            std::ranges::sort(taken);
            Index below = 1;
            for (const auto& [first, after] : taken) {
                below = first <= below ? std::max(below, after) : below;
            }
            m_below[order[at]] = below;
            lanes = std::max(lanes, below - 1 + m_depth[order[at]]);
        }
        return lanes;
    }

    /// [first, after): places of `slice` where it would meet `other` while both run.
    void addTaken(Index at, Index other, std::vector<std::pair<Index, Index>>& taken) const {
        if (!overlap(slice(at), slice(other))) {
            return;
        }
        const TimeNs from = std::max(slice(at).start, slice(other).start);
        const TimeNs to = std::min(slice(at).reach(), slice(other).reach());
        int looks = kLookedAt;
        const Index own = depthIn(at, from, to, looks);
        looks = kLookedAt;
        const Index theirs = depthIn(other, from, to, looks);
        const Index first = m_below[other];
        taken.emplace_back(first >= own ? first - own + 1 : 0, first + theirs);
    }

    /// Lanes that a slice and all inside of it take in [from, to), at most.
    [[nodiscard]] Index depthIn(Index at, TimeNs from, TimeNs to, int& looks) const {
        if (m_depth[at] == 1 || (slice(at).start >= from && slice(at).reach() <= to)) {
            return m_depth[at];
        }
        const std::span<const Index> all = childrenOf(at);
        const auto startsIn = std::ranges::partition_point(
            all, [&](Index child) { return slice(child).start < from; });
        auto next = static_cast<std::size_t>(startsIn - all.begin());
        // What began before may still run, which only those of the last heap can.
        next = next == 0 ? 0 : m_heapBegin[all[next - 1]];
        Index depth = 1;
        for (; next < all.size() && slice(all[next]).start < to; ++next) {
            if (--looks <= 0) {
                return m_depth[at];
            }
            if (slice(all[next]).reach() > from) {
                depth = std::max(depth, m_below[all[next]] + depthIn(all[next], from, to, looks));
            }
        }
        return depth;
    }

    std::span<PlacedSlice> m_slices;
    std::vector<Index> m_parent;
    std::vector<Index> m_below;        ///< lanes below the parent; 1: directly
    std::vector<Index> m_depth;        ///< lanes of a slice and all inside of it
    std::vector<Index> m_heapBegin;    ///< position of the heap's first member among its siblings
    std::vector<bool> m_packed;        ///< in a large heap: m_below is known
    std::vector<Siblings> m_siblings;  ///< by slot
    std::vector<Index> m_childrenBegin;
    std::vector<Index> m_next;  ///< while children are collected
    std::vector<Index> m_children;
};

/// Each slice by itself, in order of the starts.
std::uint32_t packByStart(std::span<PlacedSlice> slices) {
    LanePacker packer;
    for (PlacedSlice& slice : slices) {
        slice.lane = packer.place({slice.start, slice.end()}, slice.parent != 0) & 0x7fffffffU;
    }
    return packer.laneCount();
}

std::uint32_t lanesByStart(std::span<const PlacedSlice> slices) {
    LanePacker packer;
    for (const PlacedSlice& slice : slices) {
        (void)packer.place({slice.start, slice.end()}, slice.parent != 0);
    }
    return packer.laneCount();
}

/// Walks along a track: where slices nest, their depth is their lane. Where some cross, these and
/// all that run until nothing of them is left, a knot, are packed by themselves.
class TrackPacker {
public:
    explicit TrackPacker(std::span<PlacedSlice> slices) : m_slices(slices) {}

    std::uint32_t pack() {
        std::size_t at = 0;
        while (at < m_slices.size()) {
            const PlacedSlice& slice = m_slices[at];
            leaveEnded(slice.start);
            const bool crosses = !m_open.empty() && m_slices[m_open.back()].end() < slice.reach();
            if (crosses || (m_leaf != kNone && m_slices[m_leaf].end() > slice.start)) {
                at = packKnot(at);
            } else {
                enter(at++);
            }
        }
        return m_lanes;
    }

private:
    void leaveEnded(TimeNs time) {
        while (!m_open.empty() && m_slices[m_open.back()].end() <= time) {
            m_open.pop_back();
        }
    }

    void enter(std::size_t at) {
        PlacedSlice& slice = m_slices[at];
        slice.lane = static_cast<Index>(m_open.size()) & 0x7fffffffU;
        m_lanes = std::max(m_lanes, slice.lane + 1U);
        if (slice.parent != 0) {
            m_open.push_back(static_cast<Index>(at));
        } else {
            m_leaf = static_cast<Index>(at);
        }
    }

    /// Returns the first slice behind the knot.
    std::size_t packKnot(std::size_t at) {
        const bool underLeaf = m_leaf != kNone && m_slices[m_leaf].end() > m_slices[at].start;
        auto begin = underLeaf ? std::size_t{m_leaf} : at;
        TimeNs until = m_slices[begin].end();
        for (; at < m_slices.size() && (m_slices[at].start < until || begin == at); ++at) {
            while (!m_open.empty() && m_slices[m_open.back()].end() < m_slices[at].reach()) {
                begin = std::min<std::size_t>(begin, m_open.back());
                until = std::max(until, m_slices[m_open.back()].end());
                m_open.pop_back();
            }
            until = std::max(until, m_slices[at].end());
        }
        const auto above = static_cast<Index>(m_open.size());
        const auto knot = m_slices.subspan(begin, at - begin);
        const bool flat =
            std::ranges::none_of(knot, [](const PlacedSlice& slice) { return slice.parent != 0; });
        std::uint32_t lanes = flat ? packByStart(knot) : m_forest.pack(knot);
        if (!flat && lanesByStart(knot) < lanes) {
            lanes = packByStart(knot);
        }
        for (PlacedSlice& slice : knot) {
            slice.lane = (slice.lane + above) & 0x7fffffffU;
        }
        m_lanes = std::max(m_lanes, above + lanes);
        m_leaf = kNone;
        return at;
    }

    std::span<PlacedSlice> m_slices;
    std::vector<Index> m_open;  ///< parents that contain each other
    Index m_leaf = kNone;       ///< the last slice that is not a parent
    std::uint32_t m_lanes = 0;
    Forest m_forest;
};

}  // namespace

std::uint32_t packLanes(std::span<PlacedSlice> slices) {
    return TrackPacker(slices).pack();
}

}  // namespace kinetoscope::query
