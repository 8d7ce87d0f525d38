// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <stop_token>
#include <vector>

#include "core/analysis/Window.h"
#include "core/base/Result.h"
#include "core/calltree/CallTree.h"
#include "core/query/LaunchLinks.h"

namespace kinetoscope::calltree {

/// Which slices of the CPU are frames.
enum class Frames : std::uint8_t {
    All,        ///< operators, Python functions, annotations, API calls and whatever else there is
    Operators,  ///< operators of the framework
    Python,     ///< Python functions, modules among them
    Modules,    ///< "nn.Module: Linear_0"
    Annotations,  ///< ranges that the program marked, steps among them
};

/// What makes a frame wide.
enum class Weight : std::uint8_t {
    CpuTime,  ///< how long the slices ran, as far as they lie in the window
    GpuTime,  ///< the GPU operations that were launched inside and start in the window, whole
};

struct CallTreeOptions {
    Frames frames = Frames::All;
    Weight weight = Weight::CpuTime;
    analysis::WindowChoice window = {};  ///< for WindowKind::Gpu the whole trace
    /// Only these tracks, sorted; GPU work by its own or by that of its launch. Empty: all.
    std::vector<trace::TrackId> tracks = {};
    const query::LaunchLinks* links = nullptr;  ///< of the trace; null: found out here
    unsigned threads = 0;                       ///< 0: as many as there are processors
    std::stop_token stop = {};
};

/// The call tree of the CPU's threads, all of them merged. A slice is inside another one of its
/// thread when its span is; of two that only overlap, the second ends what may lie in the first.
/// By GPU time, kernels, copies and memsets are the leaves, below the frames around the call that
/// launched them (without one the operator, without both the root), and frames that launched
/// nothing are left out. All steps have one name. Fails when there is no such window and when it is
/// stopped.
[[nodiscard]] Result<CallTree> makeCallTree(const trace::Trace& trace,
                                            const CallTreeOptions& options = {});

/// Whether slices of that category and name can be frames.
[[nodiscard]] bool isFrame(Frames frames, trace::Category category, std::string_view name);

}  // namespace kinetoscope::calltree
