// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/session/TraceLayout.h"

#include <algorithm>
#include <future>
#include <thread>

#include "core/analysis/GpuBusy.h"
#include "core/base/Threads.h"
#include "core/query/CpuActivity.h"

namespace kinetoscope::session {

namespace {

std::vector<GpuStrips> makeStrips(const trace::Trace& trace) {
    std::vector<GpuStrips> strips;
    for (analysis::BusyStrips& gpu : analysis::busyStrips(trace)) {
        strips.push_back({gpu.gpu, std::make_shared<const query::BusyColumns>(std::move(gpu.all)),
                          std::make_shared<const query::BusyColumns>(std::move(gpu.mmConv))});
    }
    return strips;
}

}  // namespace

std::shared_ptr<TraceLayout> layOutTrace(const std::shared_ptr<const trace::Trace>& trace,
                                         unsigned threads) {
    if (!trace) {
        return nullptr;
    }
    threads = threads > 0 ? threads : std::max(1U, std::thread::hardware_concurrency());
    auto strips = std::async(threads > 1 ? kBeside : std::launch::deferred,
                             [&trace] { return makeStrips(*trace); });
    auto layout = std::make_shared<TraceLayout>(trace);
    // Beside the strips, which take longer, and before the threads of the lanes.
    layout->cpu = std::make_shared<const query::BusyColumns>(query::cpuActivity(*trace));
    layout->lanes.layOutAll(threads);
    layout->names = query::RowNames(layout->lanes);
    layout->strips = strips.get();
    return layout;
}

}  // namespace kinetoscope::session
