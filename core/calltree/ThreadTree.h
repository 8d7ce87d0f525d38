// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <span>
#include <stop_token>
#include <vector>

#include "core/analysis/WindowScope.h"
#include "core/calltree/TreeMaker.h"

namespace kinetoscope::calltree {

inline constexpr std::size_t kStopEvery = 1U << 16U;

/// The name under which a slice is in the tree.
class FrameNames {
public:
    FrameNames(const trace::Trace& trace, const MergedNames& merged)
        : m_trace(trace), m_nameOf(merged.nameOf) {}
    [[nodiscard]] NameId of(trace::SliceId slice) const {
        const NameId name = m_trace.nameId(slice);
        return m_nameOf.empty() ? name : m_nameOf[name];
    }

private:
    const trace::Trace& m_trace;
    std::span<const NameId> m_nameOf;
};

/// A slice while its thread is nested, in one piece of memory.
struct Placed {
    TimeNs start;
    TimeNs end;
    trace::SliceId slice;
};

/// GPU work and the slice that it is launched from.
struct Launch {
    Placed from;
    trace::SliceId work;
    TimeNs duration;
};

/// By start, the longer first, then as they stand in the file.
[[nodiscard]] bool isBefore(const Placed& a, const Placed& b);

/// Slices that are open at a time, outermost first: their ends never increase.
template <class More>
class OpenFrames {
public:
    struct Open {
        Placed placed;
        More more;
    };
    /// Ends what does not contain the slice; `ended` takes each from the inside out.
    template <class Ended>
    void close(const Placed& next, Ended ended) {
        while (!m_open.empty() && !contains(m_open.back().placed, next)) {
            ended();
            m_open.pop_back();
        }
    }
    void open(const Placed& placed, More more) { m_open.push_back({placed, more}); }
    [[nodiscard]] std::size_t size() const { return m_open.size(); }
    [[nodiscard]] Open& at(std::size_t place) { return m_open[place]; }
    /// One more than the place of the innermost one around a slice that came after all of them.
    [[nodiscard]] std::size_t around(const Placed& inner) const {
        if (!m_open.empty() && m_open.back().placed.slice == inner.slice) {
            return m_open.size();
        }
        const auto after = std::ranges::partition_point(m_open, [&](const Open& open) {
            return open.placed.end >= inner.end && open.placed.end > inner.start;
        });
        return static_cast<std::size_t>(after - m_open.begin());
    }

private:
    static bool contains(const Placed& outer, const Placed& inner) {
        return inner.start < outer.end && inner.end <= outer.end;
    }
    std::vector<Open> m_open;
};

/// Merges the calls of one thread.
class ThreadTree {
public:
    ThreadTree(const trace::Trace& trace, const FrameNames& names, const std::stop_token& stop)
        : m_trace(trace), m_names(names), m_stop(stop) {}

    /// Each of the slices with the time that it has in the window.
    void addCpuTime(std::span<Placed> slices, const analysis::WindowScope& scope);
    /// The work below the slices around its launch.
    void addGpuTime(std::span<Placed> slices, std::span<Launch> launches);

    [[nodiscard]] const TreeMaker& tree() const { return m_tree; }

private:
    struct GpuFrame {
        NodeId node = kNoNode;  ///< once something was launched inside
        TimeNs time = 0;
    };

    void sort(std::span<Placed> slices) const;
    void stopSometimes(std::size_t at) const;
    NodeId child(NodeId parent, trace::SliceId slice);
    NodeId frameAround(const Placed& from, TimeNs time);
    void end();

    const trace::Trace& m_trace;
    const FrameNames& m_names;
    const std::stop_token& m_stop;
    TreeMaker m_tree;
    OpenFrames<GpuFrame> m_open;
};

}  // namespace kinetoscope::calltree
