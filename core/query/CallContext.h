// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "core/query/LaneLayout.h"
#include "core/query/LaunchFlow.h"

namespace kinetoscope::query {

/// The slices of the same track that contain this one, the innermost first, at most `most`.
[[nodiscard]] std::vector<trace::SliceId> enclosingSlices(LaneIndex& index, trace::SliceId slice,
                                                          std::size_t most);

/// Whether a Python function is named by its line: "path/file.py(12): function".
[[nodiscard]] bool isPythonLine(std::string_view name);
/// The same, but of another package or of Python itself, judged by its path.
[[nodiscard]] bool isProgramLine(std::string_view name);

/// Where in the program GPU work comes from. kNoSlice: unknown.
struct CallContext {
    trace::SliceId call = trace::kNoSlice;      ///< the API call that launched it
    trace::SliceId launcher = trace::kNoSlice;  ///< the innermost operator around that
    trace::SliceId forward = trace::kNoSlice;  ///< the forward operator of a backward one around it
    trace::SliceId module = trace::kNoSlice;   ///< the innermost "nn.Module: X_0"
    trace::SliceId python = trace::kNoSlice;   ///< the innermost function of the model's code
    std::vector<trace::SliceId> parents;       ///< around the call, the innermost first

    friend bool operator==(const CallContext&, const CallContext&) = default;
};

/// Of a kernel, copy or memset; `arrows` as arrowsOf() gives them. Without a call everything is
/// about the operator with its External id. Where backward work has no module or Python function
/// of its own, it has those of its forward operator.
[[nodiscard]] CallContext callContext(LaneIndex& index, trace::SliceId operation,
                                      std::span<const FlowArrow> arrows);

/// GPU work that was launched inside of a slice.
struct GpuWork {
    std::uint64_t count = 0;
    TimeNs total = 0;                     ///< sum of the durations
    std::vector<trace::SliceId> longest;  ///< some of it, the longest first
    bool isTooMuch = false;               ///< too many slices inside to look at; nothing is counted
};

/// Of a slice of a CPU thread: what API calls inside of it have launched; `most` of it is listed.
[[nodiscard]] GpuWork gpuWorkInside(LaneIndex& index, trace::SliceId slice, std::size_t most);

}  // namespace kinetoscope::query
