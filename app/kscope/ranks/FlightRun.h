// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "app/kscope/Command.h"

namespace kinetoscope::app {

class CommandWatch;

struct FlightArguments {
    std::vector<std::string> files;
    OutputFormat format = OutputFormat::Text;
    std::string output;
    unsigned threads = 0;
    bool failOnStuck = false;
};

/// `kscope ranks` of dumps.
[[nodiscard]] int runFlight(CommandWatch& watch, const FlightArguments& arguments);

}  // namespace kinetoscope::app
