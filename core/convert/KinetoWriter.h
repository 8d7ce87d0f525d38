// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

#include "core/base/Progress.h"
#include "core/base/Result.h"

namespace kinetoscope::convert {

struct KinetoOptions {
    std::vector<std::string> captures;  ///< one for each recorded process
    std::string output;                 ///< compressed when it ends in .gz
    std::stop_token stop;
    Progress* progress = nullptr;  ///< bytes of the captures
};

struct KinetoSummary {
    std::uint64_t events = 0;  ///< X and i events; flows and metadata are not counted
    std::uint64_t outputBytes = 0;
    std::uint64_t lost = 0;             ///< records that could not be placed in time
    std::vector<std::string> warnings;  ///< for the user, one line each
};

/// Writes captures as one trace in Kineto's format. Memory does not grow with their length. GPUs
/// that several processes share have one row; correlations are made unique. Fails if a capture has
/// no readable start; one that is cut is written as far as it goes, with a warning.
[[nodiscard]] Result<KinetoSummary> writeKinetoTrace(const KinetoOptions& options);

}  // namespace kinetoscope::convert
