// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/session/TraceLayout.h"

#include <algorithm>
#include <future>
#include <thread>

#include "core/analysis/GpuBusy.h"

namespace kinetoscope {

namespace {

std::vector<GpuStrips> makeStrips(const Trace& trace) {
    std::vector<GpuStrips> strips;
    for (BusyStrips& gpu : busyStrips(trace)) {
        strips.push_back({gpu.gpu, std::make_shared<const BusyColumns>(std::move(gpu.all)),
                          std::make_shared<const BusyColumns>(std::move(gpu.mmConv))});
    }
    return strips;
}

}  // namespace

std::shared_ptr<TraceLayout> layOutTrace(const std::shared_ptr<const Trace>& trace) {
    if (!trace) {
        return nullptr;
    }
    auto strips = std::async(std::launch::async, [&trace] { return makeStrips(*trace); });
    auto layout = std::make_shared<TraceLayout>(trace);
    layout->lanes.layOutAll(std::max(1U, std::thread::hardware_concurrency()));
    layout->strips = strips.get();
    return layout;
}

}  // namespace kinetoscope
