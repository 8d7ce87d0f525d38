// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "core/base/Result.h"
#include "core/bench/results/ResultHeader.h"
#include "core/bench/workers/BenchConsole.h"

namespace kinetoscope::bench::workers {

/// kscope-torch's description of the PyTorch it was compiled against and of its device.
struct TorchFacts {
    /// Into the header of a result; nothing where nothing was said.
    void describe(results::ResultHeader& header) const;

    std::string version;  ///< empty: nothing said yet
    std::string device;
    bool packages = false;  ///< opens AOTInductor packages
    int threads = 0;
    results::GpuDescription gpu;  ///< empty on a CPU
};

/// Where `kscope torch build` puts the kscope-torch of this version for this user.
[[nodiscard]] std::string builtTorchProgram();

/// Path of kscope-torch: $KINETOSCOPE_TORCH, else the one that this user has built, else beside
/// this program. Fails with how to get it.
[[nodiscard]] Result<std::string> torchProgram();

/// How a worker ended.
struct TorchEnding {
    bool good = false;
    std::string failure;   ///< it could not work at all; else empty
    std::string sentence;  ///< how its process ended
};

/// Starts `command`, which is kscope-torch or ends with it, with `request` and passes each line of
/// its output to `take`, except those about itself, which go into `facts`. Ends it after `patience`
/// seconds without a line.
[[nodiscard]] Result<TorchEnding> runTorchWorker(
    const std::vector<std::string>& command, const nlohmann::json& request, double patience,
    TorchFacts& facts, BenchConsole& console,
    const std::function<void(const nlohmann::json&, const std::string&)>& take);

}  // namespace kinetoscope::bench::workers
