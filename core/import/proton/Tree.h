// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/trace/ImportLog.h"

/// The tree of Triton's Proton in the form of hatchet (.hatchet): scopes, and below them kernels
/// with how often they ran and how long in total.
namespace kinetoscope::import::proton {

struct Node {
    std::string name;
    std::uint32_t depth = 0;
    bool isKernel = false;  ///< has a time on a device
    std::int64_t gpu = 0;
    std::int64_t count = 0;
    std::int64_t timeNs = 0;                                   ///< of all of them
    std::vector<std::pair<std::string, std::string>> metrics;  ///< the others, as JSON
};

struct Device {
    std::int64_t gpu = 0;
    std::string kind;  ///< "CUDA", "HIP"
    std::string architecture;
    std::int64_t multiprocessors = 0;
};

struct Tree {
    std::vector<Node> nodes;  ///< each before those below it
    std::vector<Device> devices;
};

/// Whether a file with this start is such a tree.
[[nodiscard]] bool isTree(std::string_view head);

/// As much as can be read; what cannot is counted in `log`, whose events are nodes. `text` is
/// followed by scan::kTextPadding zeros. Throws Stopped.
[[nodiscard]] Tree readTree(std::string_view text, const std::stop_token& stop,
                            trace::ImportLog& log);

}  // namespace kinetoscope::import::proton
