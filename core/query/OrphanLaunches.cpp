// SPDX-License-Identifier: Apache-2.0
#include "core/query/OrphanLaunches.h"
#include "core/query/LaunchIds.h"

#include <algorithm>
#include <map>

namespace kinetoscope::query {

namespace {

/// Calls and operations of one file without their partner.
struct Orphans {
    std::vector<trace::GpuOpId> kernels;
    std::vector<trace::SliceId> launches;
    bool oneStream = true;
};

using OrphansOfFiles = std::map<std::uint16_t, Orphans>;

bool hasNoCorrelation(const trace::Trace& trace, trace::SliceId slice) {
    return trace.correlation(slice) == trace::kNoId || trace.correlation(slice) == 0;
}

OrphansOfFiles kernelsWithoutLaunch(const trace::Trace& trace,
                                    const std::vector<trace::SliceId>& apiCall) {
    OrphansOfFiles files;
    const auto operations = trace.gpuOperations();
    for (trace::GpuOpId id = 0; id < operations.size(); ++id) {
        const trace::GpuOperation& one = operations[id];
        if (apiCall[id] == trace::kNoSlice &&
            trace.category(one.slice) == trace::Category::Kernel &&
            hasNoCorrelation(trace, one.slice)) {
            Orphans& file = files[sourceOf(trace, one.slice)];
            if (!file.kernels.empty()) {
                const trace::GpuOperation& first = operations[file.kernels.front()];
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

void addLaunchesWithoutKernel(const trace::Trace& trace, const std::vector<trace::SliceId>& apiCall,
                              OrphansOfFiles& files) {
    std::vector<bool> launchedSomething(trace.sliceCount());
    for (const trace::SliceId call : apiCall) {
        if (call != trace::kNoSlice) {
            launchedSomething[call] = true;
        }
    }
    for (trace::SliceId slice = 0; slice < trace.sliceCount(); ++slice) {
        if (trace::isApiCall(trace.category(slice)) && !launchedSomething[slice] &&
            !hasNoCorrelation(trace, slice) && launchesKernels(trace.name(slice))) {
            if (const auto file = files.find(sourceOf(trace, slice)); file != files.end()) {
                file->second.launches.push_back(slice);
            }
        }
    }
}

void join(const trace::Trace& trace, Orphans& file, std::vector<trace::SliceId>& apiCall) {
    const auto startOf = [&](trace::GpuOpId id) {
        return trace.start(trace.gpuOperations()[id].slice);
    };
    if (!file.oneStream || file.launches.empty()) {
        return;
    }
    std::ranges::stable_sort(file.kernels, {}, startOf);
    std::ranges::stable_sort(file.launches, {},
                             [&](trace::SliceId slice) { return trace.start(slice); });
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

void linkOrphans(const trace::Trace& trace, std::vector<trace::SliceId>& apiCall) {
    OrphansOfFiles files = kernelsWithoutLaunch(trace, apiCall);
    if (files.empty()) {
        return;
    }
    addLaunchesWithoutKernel(trace, apiCall, files);
    for (auto& [source, file] : files) {
        join(trace, file, apiCall);
    }
}

}  // namespace kinetoscope::query
