// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stop_token>
#include <string>

#include "core/base/Result.h"
#include "core/calltree/CallTree.h"

namespace kinetoscope::calltree {

/// Frames of a line beyond which a stack is one frame: no picture is that high.
inline constexpr std::size_t kMaxFoldedFrames = 1024;

/// The tree in the form that flamegraph.pl and speedscope read: one line for each stack that has
/// time of its own, "outer;inner NANOSECONDS", by text. In names ";" becomes ":", control
/// characters are written as \n, and one without letters is "(no name)".
[[nodiscard]] Result<std::string> foldedStacks(const trace::Trace& trace, const CallTree& tree,
                                               const std::stop_token& stop = {});

}  // namespace kinetoscope::calltree
