// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/Result.h"
#include "core/path/Replay.h"
#include "core/query/find/NameFilter.h"

namespace kinetoscope::path {

/// What a change is about.
enum class ChangeKind : std::uint8_t {
    Kernel,         ///< GPU operations by name
    Family,         ///< kernels of a family
    Operator,       ///< CPU time in operators by name, and the GPU operations launched inside
    Host,           ///< all pieces of threads and calls; not what they wait for
    Launch,         ///< calls that launch
    Communication,  ///< kernels of communication
    Copy,           ///< copies and memsets
    Wait,           ///< what threads wait for GPUs and each other
    Roof,           ///< kernels as long as their work takes at the roof
    Nodes,          ///< single nodes, each in its own way
};

/// What a change does to one node.
struct NodeChange {
    NodeId node = kNoNode;
    float scale = 1.0F;  ///< of its duration
    bool free = false;   ///< it begins as soon as its own thread has come to it, without waiting
};

/// A what-if: durations times a factor.
struct Change {
    ChangeKind kind = ChangeKind::Host;
    std::string text;  ///< as it was written
    std::string name;  ///< of a family
    query::NameFilter filter;
    double factor = 1.0;
    std::vector<NodeChange> nodes = {};  ///< of ChangeKind::Nodes, which has no text form
};

inline constexpr double kMaxFactor = 1000.0;

/// "kernel:/REGEX/=F", "operator:/REGEX/=F" (or a part of the name without slashes),
/// "family:NAME=F", "host=F", "launch=F", "comm=F", "copy=F", "wait=F" or "roof"; F from 0 to
/// kMaxFactor.
[[nodiscard]] Result<Change> parseChange(std::string_view text);

/// Multiplies the scales of the window's nodes by what the change does. Fails when the file has
/// changed since it was read, which only the roof looks at.
[[nodiscard]] Result<void> applyChange(const Graph& graph, const Window& window,
                                       const Change& change, Scales& scales,
                                       const std::stop_token& stop);

}  // namespace kinetoscope::path
