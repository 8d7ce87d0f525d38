// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/base/Result.h"

namespace kinetoscope::setup {

/// The PyTorch that a Python would import.
struct PythonTorch {
    std::string python;         ///< path of the interpreter
    std::string pythonVersion;  ///< "3.11.2"
    std::string folder;         ///< of the package; empty: it has no PyTorch
    std::string version;        ///< "2.11.0+cu130"
    std::string cuda;           ///< "13.0"; empty: without CUDA
    std::string cupti;          ///< the library that came with it; empty: none
};

/// Asks `python` (a path, or looked for in PATH), which imports nothing of PyTorch for it. Fails
/// with one line when it does not run.
[[nodiscard]] Result<PythonTorch> findPythonTorch(const std::string& python);

}  // namespace kinetoscope::setup
