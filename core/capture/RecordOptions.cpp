// SPDX-License-Identifier: Apache-2.0
#include "core/capture/RecordOptions.h"

#include <algorithm>
#include <cstdlib>
#include <initializer_list>

namespace kinetoscope::capture {

namespace {

std::string variable(const char* name) {
    const char* value = std::getenv(name);
    return value == nullptr ? std::string() : value;
}

std::int64_t number(const char* name, std::int64_t otherwise) {
    const char* value = std::getenv(name);
    if (value == nullptr) {
        return otherwise;
    }
    char* end = nullptr;
    const long long parsed = std::strtoll(value, &end, 10);
    return end == value ? otherwise : parsed;
}

std::int64_t firstOf(std::initializer_list<const char*> names) {
    for (const char* name : names) {
        if (const std::int64_t value = number(name, -1); value >= 0) {
            return value;
        }
    }
    return -1;
}

void set(const char* name, const std::string& value) {
    if (value.empty()) {
        ::unsetenv(name);
    } else {
        ::setenv(name, value.c_str(), 1);
    }
}

}  // namespace

RecordOptions optionsFromEnvironment() {
    RecordOptions options;
    options.folder = variable("KINETOSCOPE_FOLDER");
    options.level = static_cast<int>(
        std::clamp<std::int64_t>(number("KINETOSCOPE_LEVEL", kDefaultDetail), 0, kMaxDetail));
    options.paused = number("KINETOSCOPE_PAUSED", 0) != 0;
    options.delayMs = number("KINETOSCOPE_DELAY_MS", 0);
    options.durationMs = number("KINETOSCOPE_DURATION_MS", 0);
    options.mostBytes =
        static_cast<std::uint64_t>(std::max<std::int64_t>(number("KINETOSCOPE_MAX_BYTES", 0), 0));
    options.kernel = variable("KINETOSCOPE_KERNEL");
    options.range = variable("KINETOSCOPE_RANGE");
    options.control = variable("KINETOSCOPE_CONTROL");
    return options;
}

void optionsToEnvironment(const RecordOptions& options, const std::string& library) {
    const auto positive = [](std::uint64_t value) {
        return value == 0 ? std::string() : std::to_string(value);
    };
    set("KINETOSCOPE_FOLDER", options.folder);
    set("KINETOSCOPE_LEVEL", std::to_string(options.level));
    set("KINETOSCOPE_PAUSED", options.paused ? "1" : "");
    set("KINETOSCOPE_DELAY_MS", positive(static_cast<std::uint64_t>(options.delayMs)));
    set("KINETOSCOPE_DURATION_MS", positive(static_cast<std::uint64_t>(options.durationMs)));
    set("KINETOSCOPE_MAX_BYTES", positive(options.mostBytes));
    set("KINETOSCOPE_KERNEL", options.kernel);
    set("KINETOSCOPE_RANGE", options.range);
    set("KINETOSCOPE_CONTROL", options.control);
    set("CUDA_INJECTION64_PATH", library);
    if (options.level >= kRangesFrom || !options.range.empty()) {
        set("NVTX_INJECTION64_PATH", library);
    }
}

ProcessRanks ranksFromEnvironment() {
    // torchrun, Open MPI, MPICH and its kin, Slurm.
    return {
        firstOf({"RANK", "OMPI_COMM_WORLD_RANK", "PMI_RANK", "SLURM_PROCID"}),
        firstOf({"LOCAL_RANK", "OMPI_COMM_WORLD_LOCAL_RANK", "MPI_LOCALRANKID", "SLURM_LOCALID"}),
        firstOf({"WORLD_SIZE", "OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_NTASKS"})};
}

}  // namespace kinetoscope::capture
