// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/kinetoscope/PanelRegistry.h"

#include <array>

#include "widgets/panels/ComparePanel.h"
#include "widgets/panels/DetailsPanel.h"
#include "widgets/panels/IdlePanel.h"
#include "widgets/panels/ImportLogPanel.h"
#include "widgets/panels/KernelsPanel.h"
#include "widgets/panels/MetricTablePanel.h"
#include "widgets/panels/NotesPanel.h"
#include "widgets/panels/OperatorsPanel.h"
#include "widgets/panels/OutputPanel.h"
#include "widgets/panels/RunsPanel.h"
#include "widgets/panels/SelectionPanel.h"
#include "widgets/panels/StepsPanel.h"
#include "widgets/panels/SummaryPanel.h"
#include "widgets/panels/bench/KernelBenchPanel.h"
#include "widgets/panels/bench/ModuleBenchPanel.h"
#include "widgets/panels/bench/OperatorBenchPanel.h"
#include "widgets/panels/calltree/CallTreePanel.h"
#include "widgets/panels/find/DurationsPanel.h"
#include "widgets/panels/find/FindPanel.h"
#include "widgets/panels/findings/FindingsPanel.h"
#include "widgets/panels/history/HistoryPanel.h"
#include "widgets/panels/memory/MemoryPanel.h"
#include "widgets/panels/path/PathPanel.h"
#include "widgets/panels/query/QueryPanel.h"
#include "widgets/panels/roofline/RooflinePanel.h"

namespace kinetoscope::app {

namespace {

template <class T>
std::unique_ptr<panels::Panel> make(const panels::PanelContext& context) {
    return std::make_unique<T>(context);
}

constexpr std::array kPanels{
    panels::PanelEntry{"summary", "Summary", "Ctrl+1", "summary",
                       "How busy each GPU was, with what, and why it was idle",
                       panels::PanelPlace::RightTop, make<panels::SummaryPanel>},
    panels::PanelEntry{"details", "Details", "Ctrl+2", "details",
                       "Everything about the selected slice", panels::PanelPlace::RightBottom,
                       make<panels::DetailsPanel>},
    panels::PanelEntry{"kernels", "Kernels", "Ctrl+3", "kernels",
                       "Kernel times by category and by name", panels::PanelPlace::Bottom,
                       make<panels::KernelsPanel>},
    panels::PanelEntry{"operators", "Operators", "Ctrl+Shift+A", "operators",
                       "Calls and CPU and GPU times of operators", panels::PanelPlace::Bottom,
                       make<panels::OperatorsPanel>},
    panels::PanelEntry{"calltree", "Call tree", "Ctrl+Shift+T", "calltree",
                       "Flame graph, callers and callees", panels::PanelPlace::Bottom,
                       make<panels::CallTreePanel>},
    panels::PanelEntry{"idle", "Idle", "Ctrl+Shift+I", "idle",
                       "When and why the GPU was idle, and what the host was doing",
                       panels::PanelPlace::Bottom, make<panels::IdlePanel>},
    panels::PanelEntry{"findings", "Findings", "Ctrl+Shift+H", "findings",
                       "What to change first, how much it can save, and the evidence",
                       panels::PanelPlace::Bottom, make<panels::FindingsPanel>, false},
    panels::PanelEntry{"path", "Critical path", "Ctrl+Shift+K", "path",
                       "What each step waited for, and what-if predictions",
                       panels::PanelPlace::Bottom, make<panels::PathPanel>, false},
    panels::PanelEntry{"roofline", "Roofline", "Ctrl+Shift+U", "roofline",
                       "How close operators and kernels came to the GPU's limits",
                       panels::PanelPlace::Bottom, make<panels::RooflinePanel>, false},
    panels::PanelEntry{"memory", "Memory", "Ctrl+Shift+Y", "memory",
                       "What used each device's memory over time and at the peak",
                       panels::PanelPlace::Bottom, make<panels::MemoryPanel>, false},
    panels::PanelEntry{"selection", "Selection", "Ctrl+Shift+L", "selection",
                       "Contents of the selected time and rows, by name, category or row",
                       panels::PanelPlace::Bottom, make<panels::SelectionPanel>},
    panels::PanelEntry{"find", "Find results", "Ctrl+Shift+F", "find",
                       "All slices found, and their total time", panels::PanelPlace::Bottom,
                       make<panels::FindPanel>},
    panels::PanelEntry{"durations", "Durations", "Ctrl+Shift+D", "durations",
                       "Histogram of the durations of the slices selected or found",
                       panels::PanelPlace::Bottom, make<panels::DurationsPanel>},
    panels::PanelEntry{"query", "Query", "Ctrl+Shift+Q", "query", "Query the trace with SQL",
                       panels::PanelPlace::Bottom, make<panels::QueryPanel>, false},
    panels::PanelEntry{"steps", "Steps", "Ctrl+4", "steps", "The steps of the run",
                       panels::PanelPlace::Bottom, make<panels::StepsPanel>},
    panels::PanelEntry{"notes", "Notes", "Ctrl+Shift+N", "notes", "Your notes on this trace",
                       panels::PanelPlace::Bottom, make<panels::NotesPanel>},
    panels::PanelEntry{"log", "Import log", "Ctrl+5", "log",
                       "Problems found while importing the file", panels::PanelPlace::Bottom,
                       make<panels::ImportLogPanel>, false},
    panels::PanelEntry{"runs", "Runs", "Ctrl+6", "runs",
                       "Everything opened, recorded or benchmarked; choose what to compare",
                       panels::PanelPlace::Bottom, make<panels::RunsPanel>},
    panels::PanelEntry{"compare", "Compare", "Ctrl+7", "compare",
                       "What changed between baseline and candidate, kernel by kernel",
                       panels::PanelPlace::Bottom, make<panels::ComparePanel>},
    panels::PanelEntry{"history", "History", "Ctrl+Shift+J", "history",
                       "Baselines over time, and where they became slower or faster",
                       panels::PanelPlace::Bottom, make<panels::HistoryPanel>, false},
    panels::PanelEntry{"bench", "Bench", "Ctrl+8", "bench",
                       "Time the kernels in an Inductor or Triton cache",
                       panels::PanelPlace::Bottom, make<panels::KernelBenchPanel>, false},
    panels::PanelEntry{"table", "Metric table", "Ctrl+9", "table",
                       "Inductor's metric tables, with a plot", panels::PanelPlace::Bottom,
                       make<panels::MetricTablePanel>, false},
    panels::PanelEntry{"operator-bench", "Operator bench", "Ctrl+Shift+B", "operator-bench",
                       "Speedup over eager of each operator's implementations",
                       panels::PanelPlace::Bottom, make<panels::OperatorBenchPanel>, false},
    panels::PanelEntry{"module-bench", "Module bench", "Ctrl+Shift+M", "module-bench",
                       "Forward and backward times of RNNs, CNNs and your own modules",
                       panels::PanelPlace::Bottom, make<panels::ModuleBenchPanel>, false},
    panels::PanelEntry{"output", "Output", "Ctrl+Shift+O", "output",
                       "Output of the recorded program", panels::PanelPlace::RightBottom,
                       make<panels::OutputPanel>, false},
};

}  // namespace

std::span<const panels::PanelEntry> panelTable() {
    return kPanels;
}

}  // namespace kinetoscope::app
