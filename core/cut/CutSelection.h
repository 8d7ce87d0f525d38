// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/trace/EventText.h"
#include "core/trace/Trace.h"

namespace kinetoscope::cut {

/// Which events of a trace belong to the part inside a window: slices that overlap it, and with
/// every launch among them all it launched, and the other way round, and the operators that
/// launched it; arrows that have both ends; instants and counters inside; all metadata. A window
/// that all slices are in leaves out nothing that was imported. Where annotations are the steps, a
/// single one is given its neighbour, because only a row of them are steps; it is none in the cut.
/// To be asked for each event once, in file order.
class CutSelection {
public:
    CutSelection(const trace::Trace& trace, TimeSpan window);

    [[nodiscard]] bool keeps(const trace::ListedEvent& event);
    /// Whether all slices of the trace have been asked for: false if the file is another one.
    [[nodiscard]] bool hasSeenAll() const { return m_seen == m_slices.size(); }
    /// Start of the first slice in the cut; the window's start if there is none.
    [[nodiscard]] TimeNs firstStart() const { return m_firstStart; }

private:
    void selectSlices();
    void selectLaunchers();
    void selectStepNeighbour();
    void selectFlows();
    void orderByOffset();
    [[nodiscard]] trace::SliceId sliceAt(std::uint64_t offset);
    [[nodiscard]] bool keepsFlow(const trace::ListedEvent& event);
    [[nodiscard]] bool keepsEnd(const trace::ListedEvent& event);

    const trace::Trace& m_trace;
    TimeSpan m_window;
    TimeNs m_firstStart;
    std::vector<bool> m_slices;
    std::vector<bool> m_flows;
    std::vector<std::int64_t> m_launches;    ///< correlations, ascending
    std::vector<trace::SliceId> m_byOffset;  ///< all slices
    std::size_t m_nextSlice = 0;             ///< of m_byOffset
    std::size_t m_seen = 0;                  ///< slices looked up
    std::size_t m_nextFlow = 0;
    /// Begin events not ended yet, by row: kept or not.
    std::unordered_map<std::string, std::vector<bool>> m_open;
};

}  // namespace kinetoscope::cut
