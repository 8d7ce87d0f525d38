// SPDX-License-Identifier: Apache-2.0
#include "core/capture/counters/PmApi.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include "core/capture/CuptiApi.h"
#include "core/capture/Symbols.h"

namespace kinetoscope::capture::counters {

namespace {

bool findAll(void* library, PmApi& api) {
    return find(library, "cuptiProfilerInitialize", api.initialize) &&
           find(library, "cuptiDeviceGetChipName", api.chipName) &&
           find(library, "cuptiPmSamplingGetCounterAvailability", api.availability) &&
           find(library, "cuptiProfilerHostInitialize", api.hostInitialize) &&
           find(library, "cuptiProfilerHostDeinitialize", api.hostDeinitialize) &&
           find(library, "cuptiProfilerHostConfigAddMetrics", api.addMetrics) &&
           find(library, "cuptiProfilerHostGetConfigImageSize", api.configSize) &&
           find(library, "cuptiProfilerHostGetConfigImage", api.configImage) &&
           find(library, "cuptiProfilerHostGetNumOfPasses", api.passes) &&
           find(library, "cuptiProfilerHostEvaluateToGpuValues", api.evaluate) &&
           find(library, "cuptiPmSamplingEnable", api.enable) &&
           find(library, "cuptiPmSamplingDisable", api.disable) &&
           find(library, "cuptiPmSamplingSetConfig", api.setConfig) &&
           find(library, "cuptiPmSamplingStart", api.start) &&
           find(library, "cuptiPmSamplingStop", api.stop) &&
           find(library, "cuptiPmSamplingGetCounterDataSize", api.dataSize) &&
           find(library, "cuptiPmSamplingCounterDataImageInitialize", api.initializeData) &&
           find(library, "cuptiPmSamplingDecodeData", api.decode) &&
           find(library, "cuptiPmSamplingGetCounterDataInfo", api.dataInfo) &&
           find(library, "cuptiPmSamplingCounterDataGetSampleInfo", api.sampleInfo) &&
           find(library, "cuptiGetResultString", api.resultString);
}

}  // namespace

std::string PmApi::problem(std::string_view call, cupti::Result result) const {
    switch (result) {
        case pm::kHardwareBusy:
            return "another program uses the GPU's counters; end it (Nsight, DCGM's profiling, "
                   "another recording) and try again";
        case pm::kInsufficientPrivileges:
            return "this user may not read the GPU's counters; an administrator can allow it with "
                   "the driver option NVreg_RestrictProfilingToAdminUsers=0";
        case pm::kNotSupported:
            return "this GPU or its driver does not support counter sampling";
        default:
            break;
    }
    const char* text = nullptr;
    const bool known = resultString(result, &text) == cupti::kSuccess && text != nullptr;
    return known ? fmt::format("CUPTI says {} to {}", text, call)
                 : fmt::format("CUPTI says {} to {}", result, call);
}

Result<PmApi> openPmApi(const std::string& cuptiPath) {
    std::string path = cuptiPath;
    void* library = path.empty() ? nullptr : ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) {
        CuptiApi found;
        std::string problem;
        if (!openCupti(found, problem)) {
            return fail(problem);
        }
        path = found.path;
        library = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    }
    PmApi api;
    if (library == nullptr || !findAll(library, api)) {
        return fail(fmt::format("'{}': cannot sample counters; CUDA 12.6 and later can", path));
    }
    auto arguments = pm::arguments<pm::Initialize>();
    if (const auto result = api.initialize(&arguments); result != cupti::kSuccess) {
        return fail(api.problem("cuptiProfilerInitialize", result));
    }
    return api;
}

}  // namespace kinetoscope::capture::counters
