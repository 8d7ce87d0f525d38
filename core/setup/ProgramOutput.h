// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/base/Result.h"

namespace kinetoscope::setup {

/// The output of a program on both of its standard streams, and how it ended.
struct ProgramOutput {
    std::string text;  ///< its last 64 KiB, whole lines
    bool good = false;
    std::string ending;  ///< "its worker ended with exit code 2"
};

/// Runs a program, looked for in PATH, to its end, or for `patience` seconds without a line from
/// it. `take` gets each line as it comes. Fails when it cannot be started, and when we are asked to
/// end.
[[nodiscard]] Result<ProgramOutput> outputOf(
    std::vector<std::string> words, double patience,
    const std::function<void(const std::string&)>& take = {});

/// The program's path, if PATH has it or it is a path of one; else empty.
[[nodiscard]] std::string findProgram(const std::string& name);

}  // namespace kinetoscope::setup
