// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/kscope/Command.h"
#include "core/ranks/workers/Place.h"

namespace kinetoscope::app {

/// The options of `kscope ranks`, checked.
struct RanksArguments {
    std::vector<std::string> paths;
    OutputFormat format = OutputFormat::Text;
    std::string output;   ///< empty: standard output
    std::string partial;  ///< what is written instead of the answers; empty: nothing
    bool merge = false;   ///< the files are partials
    std::optional<ranks::workers::Place> place;
    unsigned threads = 0;
    std::optional<double> failOnStraggler;  ///< percent of a step
    bool failOnStuck = false;               ///< of dumps of the flight recorder
};

/// Gives an exit code of Command.h.
[[nodiscard]] int runRanks(const RanksArguments& arguments);

}  // namespace kinetoscope::app
