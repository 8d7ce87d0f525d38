// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/trace/Trace.h"
#include "widgets/session/Selection.h"
#include "widgets/timeline/rows/TimelineRows.h"

class QMenu;

namespace kinetoscope::session {
class ViewState;
}  // namespace kinetoscope::session

namespace kinetoscope::timeline {

/// The target of a menu: something that can be selected, else a label, else the background.
struct MenuPlace {
    session::Selection what;
    std::optional<std::size_t> row;  ///< of TimelineRows::rows()
    bool onLabel = false;
    std::optional<TimeNs> time;  ///< under the pointer; nullopt on a label
};

/// The menus' interface to their timeline.
struct MenuTarget {
    std::function<const TimelineRows&()> rows;
    std::function<void(const std::function<void(session::RowChoices&)>&)> changeRows;
    /// Of the row of the first key before that of the second, or last.
    std::function<void(const std::string&, const std::string&)> moveRow;
    std::function<void()> startRowFilter;
    std::function<void()> fitSelection;
};

/// The context menus of a timeline. Others add entries of their own; both outlive this.
class TimelineMenus {
public:
    using Filler = std::function<void(QMenu&, const MenuPlace&)>;

    TimelineMenus(session::ViewState& state, MenuTarget timeline)
        : m_state(state), m_timeline(std::move(timeline)) {}

    /// Called for each menu after the entries that are always there.
    void add(Filler filler) { m_fillers.push_back(std::move(filler)); }
    void fill(QMenu& menu, const MenuPlace& place) const;

private:
    void fillObject(QMenu& menu, const session::Selection& what) const;
    void fillSlice(QMenu& menu, trace::SliceId slice) const;
    void fillGround(QMenu& menu) const;
    void fillRow(QMenu& menu, std::size_t row) const;
    void fillCounter(QMenu& menu, trace::TrackId track) const;
    void fillMoves(QMenu& menu, std::size_t row) const;
    void fillRows(QMenu& menu) const;

    session::ViewState& m_state;
    MenuTarget m_timeline;
    std::vector<Filler> m_fillers;
};

}  // namespace kinetoscope::timeline
