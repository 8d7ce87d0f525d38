// SPDX-License-Identifier: GPL-3.0-or-later
#include <array>

#include "widgets/panels/ComparePanel.h"
#include "widgets/panels/DetailsPanel.h"
#include "widgets/panels/ImportLogPanel.h"
#include "widgets/panels/KernelsPanel.h"
#include "widgets/panels/MetricTablePanel.h"
#include "widgets/panels/OutputPanel.h"
#include "widgets/panels/RunsPanel.h"
#include "widgets/panels/StepsPanel.h"
#include "widgets/panels/SummaryPanel.h"
#include "widgets/panels/bench/BenchPanel.h"
#include "widgets/panels/bench/ModulesPanel.h"
#include "widgets/panels/bench/OperatorsPanel.h"
#include "widgets/panels/parts/Panel.h"

namespace kinetoscope {

namespace {

template <class T>
std::unique_ptr<Panel> make(const PanelContext& context) {
    return std::make_unique<T>(context);
}

constexpr std::array kPanels{
    PanelEntry{"summary", "Summary", "Ctrl+1", "summary",
               "How busy each GPU was, with what, and why it was idle", PanelPlace::RightTop,
               make<SummaryPanel>},
    PanelEntry{"details", "Details", "Ctrl+2", "details", "Everything about the selected slice",
               PanelPlace::RightBottom, make<DetailsPanel>},
    PanelEntry{"kernels", "Kernels", "Ctrl+3", "kernels", "Kernel times by category and by name",
               PanelPlace::Bottom, make<KernelsPanel>},
    PanelEntry{"steps", "Steps", "Ctrl+4", "steps", "The steps of the run", PanelPlace::Bottom,
               make<StepsPanel>},
    PanelEntry{"log", "Import log", "Ctrl+5", "log", "What was odd about the file",
               PanelPlace::Bottom, make<ImportLogPanel>},
    PanelEntry{"runs", "Runs", "Ctrl+6", "runs",
               "Everything open, recorded or benchmarked; mark what is to be compared",
               PanelPlace::Bottom, make<RunsPanel>},
    PanelEntry{"compare", "Compare", "Ctrl+7", "compare",
               "What changed between the baseline and a candidate, kernel by kernel",
               PanelPlace::Bottom, make<ComparePanel>},
    PanelEntry{"bench", "Bench", "Ctrl+8", "bench",
               "Time the kernels that a compiler left in its cache", PanelPlace::Bottom,
               make<BenchPanel>},
    PanelEntry{"table", "Metric table", "Ctrl+9", "table",
               "A metric table as a sortable table with a plot", PanelPlace::Bottom,
               make<MetricTablePanel>},
    PanelEntry{"operators", "Operators", "Ctrl+Shift+P", "operators",
               "How much faster than eager each operator's implementations are", PanelPlace::Bottom,
               make<OperatorsPanel>},
    PanelEntry{"modules", "Modules", "Ctrl+Shift+M", "modules",
               "Times of recurrent and convolutional modules, forward and backward",
               PanelPlace::Bottom, make<ModulesPanel>},
    PanelEntry{"output", "Output", "Ctrl+Shift+O", "output",
               "What the recorded program has written", PanelPlace::RightBottom, make<OutputPanel>},
};

}  // namespace

std::span<const PanelEntry> panelTable() {
    return kPanels;
}

}  // namespace kinetoscope
