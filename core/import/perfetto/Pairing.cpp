// SPDX-License-Identifier: Apache-2.0
#include "core/import/perfetto/Pairing.h"

#include <algorithm>
#include <span>

#include "core/base/SortRuns.h"

namespace kinetoscope::import::perfetto {

namespace {

class Stack {
public:
    explicit Stack(Pairs& pairs) : m_pairs(pairs) {}

    void begin(const Edge& edge) {
        m_open.push_back(m_pairs.pairs.size());
        m_pairs.pairs.push_back({edge, edge.time, true});
    }
    void end(const Edge& edge) {
        if (m_open.empty()) {
            m_pairs.firstUnmatched =
                m_pairs.unmatched++ == 0 ? edge.offset : m_pairs.firstUnmatched;
            return;
        }
        Pair& pair = m_pairs.pairs[m_open.back()];
        m_open.pop_back();
        pair.end = edge.time;
        pair.open = false;
    }

private:
    Pairs& m_pairs;
    std::vector<std::size_t> m_open;
};

// Which of the edges at one time are ends of slices that take no time: in the file, nothing stands
// between such a start and its end but others of the kind.
std::vector<bool> endsWithin(std::span<const Edge> edges) {
    std::vector<bool> ends(edges.size(), false);
    std::vector<std::size_t> open;
    for (std::size_t i = 0; i < edges.size(); ++i) {
        if (edges[i].begin) {
            open.push_back(i);
        } else if (!open.empty() && edges[i].order - edges[open.back()].order == i - open.back()) {
            ends[i] = true;
            open.pop_back();
        }
    }
    return ends;
}

// Edges at one time, as the file has them. Ends of earlier starts come before all others.
void endsFirst(std::span<const Edge> edges, Stack& stack) {
    const std::vector<bool> isWithin = endsWithin(edges);
    for (std::size_t i = 0; i < edges.size(); ++i) {
        if (!edges[i].begin && !isWithin[i]) {
            stack.end(edges[i]);
        }
    }
    for (std::size_t i = 0; i < edges.size(); ++i) {
        if (edges[i].begin) {
            stack.begin(edges[i]);
        } else if (isWithin[i]) {
            stack.end(edges[i]);
        }
    }
}

}  // namespace

Pairs pairEdges(std::vector<Edge>& edges) {
    const bool sorted = std::ranges::is_sorted(edges, {}, &Edge::time);
    if (!sorted) {
        sortRuns(std::span(edges), [](const Edge& a, const Edge& b) { return a.time < b.time; });
    }
    Pairs pairs;
    pairs.pairs.reserve(edges.size() / 2);
    Stack stack(pairs);
    for (std::size_t at = 0; at < edges.size();) {
        std::size_t end = at + 1;
        while (!sorted && end < edges.size() && edges[end].time == edges[at].time) {
            ++end;
        }
        if (end - at > 1) {
            endsFirst(std::span(edges).subspan(at, end - at), stack);
        } else if (edges[at].begin) {
            stack.begin(edges[at]);
        } else {
            stack.end(edges[at]);
        }
        at = end;
    }
    return pairs;
}

}  // namespace kinetoscope::import::perfetto
