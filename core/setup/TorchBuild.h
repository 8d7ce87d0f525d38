// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>

#include "core/base/Result.h"

namespace kinetoscope::setup {

/// Compiling kscope-torch against a PyTorch.
struct TorchBuild {
    std::string source;    ///< folder of our sources: holds CMakeLists.txt and app/kscope-torch
    std::string torch;     ///< folder of PyTorch: holds include, lib and share
    std::string compiler;  ///< empty: the first one that serves
    std::string program;   ///< path of what is made
    unsigned jobs = 1;     ///< compilers at a time
};

/// Our sources: $KINETOSCOPE_SOURCE, else where packages have them, else the checkout that this
/// program was built in. Fails with where they were looked for.
[[nodiscard]] Result<std::string> torchSource();

/// Compiles and starts the program once; an earlier one is replaced only by one that runs. `say`
/// gets a line for each started action. Takes minutes. The result is the program's description of
/// its PyTorch; an error has the last lines of the output.
[[nodiscard]] Result<std::string> buildTorch(const TorchBuild& build,
                                             const std::function<void(const std::string&)>& say);

}  // namespace kinetoscope::setup
