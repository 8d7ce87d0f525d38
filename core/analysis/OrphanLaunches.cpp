// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/OrphanLaunches.h"

#include <algorithm>
#include <map>

namespace kinetoscope {

namespace {

std::uint16_t sourceOf(const Trace& trace, SliceId slice) {
    return trace.processes()[trace.tracks()[trace.trackOf(slice)].process].source;
}

/// What of one file has lost its partner.
struct Orphans {
    std::vector<GpuOpId> kernels;
    std::vector<SliceId> launches;
    bool oneStream = true;
};

using OrphansOfFiles = std::map<std::uint16_t, Orphans>;

bool hasNoCorrelation(const Trace& trace, SliceId slice) {
    return trace.correlation(slice) == kNoId || trace.correlation(slice) == 0;
}

OrphansOfFiles kernelsWithoutLaunch(const Trace& trace, const std::vector<SliceId>& apiCall) {
    OrphansOfFiles files;
    const auto operations = trace.gpuOperations();
    for (GpuOpId id = 0; id < operations.size(); ++id) {
        const GpuOperation& one = operations[id];
        if (apiCall[id] == kNoSlice && trace.category(one.slice) == Category::Kernel &&
            hasNoCorrelation(trace, one.slice)) {
            Orphans& file = files[sourceOf(trace, one.slice)];
            if (!file.kernels.empty()) {
                const GpuOperation& first = operations[file.kernels.front()];
                file.oneStream =
                    file.oneStream && first.gpu == one.gpu && first.stream == one.stream;
            }
            file.kernels.push_back(id);
        }
    }
    return files;
}

bool launchesKernels(std::string_view name) {
    return name.starts_with("hip") && name.find("Launch") != std::string_view::npos &&
           name.find("Kernel") != std::string_view::npos;
}

void addLaunchesWithoutKernel(const Trace& trace, const std::vector<SliceId>& apiCall,
                              OrphansOfFiles& files) {
    std::vector<bool> launchedSomething(trace.sliceCount());
    for (const SliceId call : apiCall) {
        if (call != kNoSlice) {
            launchedSomething[call] = true;
        }
    }
    for (SliceId slice = 0; slice < trace.sliceCount(); ++slice) {
        if (isApiCall(trace.category(slice)) && !launchedSomething[slice] &&
            !hasNoCorrelation(trace, slice) && launchesKernels(trace.name(slice))) {
            if (const auto file = files.find(sourceOf(trace, slice)); file != files.end()) {
                file->second.launches.push_back(slice);
            }
        }
    }
}

void join(const Trace& trace, Orphans& file, std::vector<SliceId>& apiCall) {
    const auto startOf = [&](GpuOpId id) { return trace.start(trace.gpuOperations()[id].slice); };
    if (!file.oneStream || file.launches.empty()) {
        return;
    }
    std::ranges::stable_sort(file.kernels, {}, startOf);
    std::ranges::stable_sort(file.launches, {}, [&](SliceId slice) { return trace.start(slice); });
    const auto first =
        std::ranges::lower_bound(file.kernels, trace.start(file.launches.front()), {}, startOf);
    const std::span kernels(first, file.kernels.end());
    if (kernels.size() != file.launches.size()) {
        return;
    }
    for (std::size_t i = 0; i < kernels.size(); ++i) {
        if (startOf(kernels[i]) < trace.start(file.launches[i])) {
            return;
        }
    }
    for (std::size_t i = 0; i < kernels.size(); ++i) {
        apiCall[kernels[i]] = file.launches[i];
    }
}

}  // namespace

void linkOrphans(const Trace& trace, std::vector<SliceId>& apiCall) {
    OrphansOfFiles files = kernelsWithoutLaunch(trace, apiCall);
    if (files.empty()) {
        return;
    }
    addLaunchesWithoutKernel(trace, apiCall, files);
    for (auto& [source, file] : files) {
        join(trace, file, apiCall);
    }
}

}  // namespace kinetoscope
