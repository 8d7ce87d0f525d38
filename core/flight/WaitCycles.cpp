// SPDX-License-Identifier: Apache-2.0
#include "core/flight/WaitCycles.h"

#include <algorithm>
#include <cstddef>

namespace kinetoscope::flight {

namespace {

// Strongly connected components (Tarjan, 1972) of stuck ones and dumps: from a stuck one to the
// dumps that are absent, from a dump to the stuck ones that it waits in. Pairs of stuck ones would
// be as many as their square.
class Components {
public:
    Components(const std::vector<std::vector<std::size_t>>& waitingIn, std::vector<Stuck>& stuck)
        : m_waitingIn(waitingIn), m_stuck(stuck), m_nodes(stuck.size() + waitingIn.size()) {}

    void find() {
        for (std::size_t node = 0; node < m_stuck.size(); ++node) {
            if (m_nodes[node].order == 0) {
                visitFrom(node);
            }
        }
    }

private:
    struct Node {
        std::size_t order = 0;   // in which it was reached, from 1
        std::size_t lowest = 0;  // that it leads back to
        std::size_t next = 0;    // of its successors
        bool isOpen = false;     // its component is not complete
    };

    // -1: there are no more.
    [[nodiscard]] std::ptrdiff_t nextOf(std::size_t node) {
        const bool isStuck = node < m_stuck.size();
        const auto& list = isStuck ? m_stuck[node].absent : m_waitingIn[node - m_stuck.size()];
        const std::size_t at = m_nodes[node].next++;
        return at == list.size()
                   ? -1
                   : static_cast<std::ptrdiff_t>(list[at] + (isStuck ? m_stuck.size() : 0));
    }

    void open(std::size_t node) {
        m_nodes[node].order = m_nodes[node].lowest = ++m_reached;
        m_nodes[node].isOpen = true;
        m_open.push_back(node);
        m_path.push_back(node);
    }

    void visitFrom(std::size_t first) {
        open(first);
        while (!m_path.empty()) {
            const std::size_t node = m_path.back();
            const std::ptrdiff_t next = nextOf(node);
            if (next < 0) {
                m_path.pop_back();
                close(node);
            } else if (const auto to = static_cast<std::size_t>(next); m_nodes[to].order == 0) {
                open(to);
            } else if (m_nodes[to].isOpen) {
                m_nodes[node].lowest = std::min(m_nodes[node].lowest, m_nodes[to].order);
            }
        }
    }

    void close(std::size_t node) {
        if (!m_path.empty()) {
            Node& before = m_nodes[m_path.back()];
            before.lowest = std::min(before.lowest, m_nodes[node].lowest);
        }
        if (m_nodes[node].lowest != m_nodes[node].order) {
            return;
        }
        const auto from =
            std::find(m_open.rbegin(), m_open.rend(), node).base() - 1;  // near the end
        const auto isStuck = [&](std::size_t one) { return one < m_stuck.size(); };
        const bool several = std::count_if(from, m_open.end(), isStuck) > 1;
        for (auto one = from; one != m_open.end(); ++one) {
            m_nodes[*one].isOpen = false;
            if (isStuck(*one)) {
                m_stuck[*one].inCycle = several;
            }
        }
        m_open.erase(from, m_open.end());
    }

    const std::vector<std::vector<std::size_t>>& m_waitingIn;
    std::vector<Stuck>& m_stuck;
    std::vector<Node> m_nodes;  // stuck ones, then dumps
    std::vector<std::size_t> m_open;
    std::vector<std::size_t> m_path;
    std::size_t m_reached = 0;
};

}  // namespace

void findWaitCycles(const std::vector<std::vector<std::size_t>>& waitingIn,
                    std::vector<Stuck>& stuck) {
    Components(waitingIn, stuck).find();
}

}  // namespace kinetoscope::flight
