// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "core/base/Result.h"
#include "core/capture/counters/PmSamplingAbi.h"

namespace kinetoscope::capture::counters {

/// CUPTI's functions for sampling hardware counters; all are there.
struct PmApi {
    cupti::Result (*initialize)(pm::Initialize*) = nullptr;
    cupti::Result (*chipName)(pm::ChipName*) = nullptr;
    cupti::Result (*availability)(pm::Availability*) = nullptr;
    cupti::Result (*hostInitialize)(pm::HostInitialize*) = nullptr;
    cupti::Result (*hostDeinitialize)(pm::HostOnly*) = nullptr;
    cupti::Result (*addMetrics)(pm::AddMetrics*) = nullptr;
    cupti::Result (*configSize)(pm::ConfigSize*) = nullptr;
    cupti::Result (*configImage)(pm::ConfigImage*) = nullptr;
    cupti::Result (*passes)(pm::Passes*) = nullptr;
    cupti::Result (*evaluate)(pm::Evaluate*) = nullptr;
    cupti::Result (*enable)(pm::Enable*) = nullptr;
    cupti::Result (*disable)(pm::Start*) = nullptr;
    cupti::Result (*setConfig)(pm::SetConfig*) = nullptr;
    cupti::Result (*start)(pm::Start*) = nullptr;
    cupti::Result (*stop)(pm::Start*) = nullptr;
    cupti::Result (*dataSize)(pm::DataSize*) = nullptr;
    cupti::Result (*initializeData)(pm::InitializeData*) = nullptr;
    cupti::Result (*decode)(pm::Decode*) = nullptr;
    cupti::Result (*dataInfo)(pm::DataInfo*) = nullptr;
    cupti::Result (*sampleInfo)(pm::SampleInfo*) = nullptr;
    cupti::Result (*resultString)(cupti::Result, const char**) = nullptr;

    /// Why `result` of `call` prevents sampling, and what helps, in one line.
    [[nodiscard]] std::string problem(std::string_view call, cupti::Result result) const;
};

/// From `cuptiPath`, the library of a recorded program, else as openCupti() finds one. Fails with
/// one line if there is none, or it is older than CUDA 12.6.
[[nodiscard]] Result<PmApi> openPmApi(const std::string& cuptiPath);

}  // namespace kinetoscope::capture::counters
