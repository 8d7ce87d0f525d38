// SPDX-License-Identifier: Apache-2.0
#include "core/ranks/workers/Place.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <string>

namespace kinetoscope::ranks::workers {

namespace {

constexpr std::size_t kMaxWorkers = 1U << 20U;

struct Variables {
    const char* number;
    const char* count;
    const char* onHost;
};

// mpirun within a Slurm job sets both: the nearer one first.
constexpr std::array kEngines{
    Variables{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_SIZE"},
    Variables{"PMI_RANK", "PMI_SIZE", "MPI_LOCALNRANKS"},
    Variables{"SLURM_PROCID", "SLURM_NTASKS", "SLURM_NTASKS_PER_NODE"}};

std::optional<std::size_t> count(std::string_view text) {
    std::size_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() && end == text.data() + text.size() ? std::optional(value)
                                                                    : std::nullopt;
}

std::optional<std::size_t> count(const char* text) {
    return text == nullptr ? std::nullopt : count(std::string_view(text));
}

bool isPlace(std::optional<std::size_t> number, std::optional<std::size_t> count) {
    return number && count && *number < *count && *count <= kMaxWorkers;
}

}  // namespace

std::optional<Place> engineTells(const std::function<const char*(const char*)>& variable) {
    for (const Variables& engine : kEngines) {
        const auto number = count(variable(engine.number));
        const auto all = count(variable(engine.count));
        const bool isScript = &engine == &kEngines.back() && variable("SLURM_JOB_ID") != nullptr &&
                              variable("SLURM_STEP_ID") == nullptr;
        if (isPlace(number, all) && *all > 1 && !isScript) {
            const std::size_t onHost = count(variable(engine.onHost)).value_or(1);
            return Place{*number, *all, std::clamp<std::size_t>(onHost, 1, *all)};
        }
    }
    return std::nullopt;
}

Result<Place> parsePlace(std::string_view text) {
    const std::size_t slash = text.find('/');
    if (slash != std::string_view::npos) {
        const auto number = count(text.substr(0, slash));
        const auto all = count(text.substr(slash + 1));
        if (isPlace(number, all)) {
            return Place{*number, *all, 1};
        }
    }
    return fail("is NUMBER/COUNT, the first of four is 0/4");
}

}  // namespace kinetoscope::ranks::workers
