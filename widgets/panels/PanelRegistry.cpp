// SPDX-License-Identifier: GPL-3.0-or-later
#include <array>

#include "widgets/panels/DetailsPanel.h"
#include "widgets/panels/ImportLogPanel.h"
#include "widgets/panels/KernelsPanel.h"
#include "widgets/panels/OutputPanel.h"
#include "widgets/panels/Panel.h"
#include "widgets/panels/StepsPanel.h"
#include "widgets/panels/SummaryPanel.h"

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
    PanelEntry{"output", "Output", "Ctrl+6", "output", "What the recorded program has written",
               PanelPlace::RightBottom, make<OutputPanel>},
};

}  // namespace

std::span<const PanelEntry> panelTable() {
    return kPanels;
}

}  // namespace kinetoscope
