// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>

#include "core/bench/torch/TorchCompat.h"

namespace kinetoscope::bench::libtorch {

/// One way to run a call: takes the arguments and leaves the results.
using RunStack = std::function<void(torch::jit::Stack&)>;

struct Implementation {
    std::string name;    ///< "eager", "jit", "nvfuser", "inductor"
    RunStack run;        ///< empty when it cannot run
    std::string reason;  ///< why it cannot; else empty
};

/// PyTorch's dispatcher.
[[nodiscard]] Implementation eagerImplementation(const c10::OperatorHandle& op);

/// A TorchScript function of this one operator, everything but tensors being constant.
[[nodiscard]] Implementation scriptImplementation(const c10::OperatorHandle& op,
                                                  const torch::jit::Stack& stack,
                                                  const std::string& name);

/// A package that Inductor compiled for this call. `path` empty: `reason` says why there is none.
[[nodiscard]] Implementation packageImplementation(const std::string& path,
                                                   const std::string& reason);

}  // namespace kinetoscope::bench::libtorch
