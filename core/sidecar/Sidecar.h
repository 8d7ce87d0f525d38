// SPDX-License-Identifier: Apache-2.0
// What a person has entered about a trace, in a small JSON file of its own beside it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/analysis/Compat.h"
#include "core/base/Result.h"

namespace kinetoscope::sidecar {

/// `schema` of the file. Members may be added to a version, and those that a reader doesn't know
/// stay in the file; none changes its meaning.
inline constexpr std::string_view kSidecarSchema = "kinetoscope.sidecar/1";
inline constexpr std::size_t kMaxSidecarBytes = 1U << 20;
inline constexpr std::size_t kMaxNameBytes = 1000;

/// How long the run takes without a profiler, and what it is called.
struct EnteredRun {
    std::optional<double> wallMs;       ///< of ONE run; kMinWallMs to kMaxWallMs
    std::optional<std::uint64_t> runs;  ///< in the trace; 1 to kMaxRuns
    std::string name;                   ///< of the benchmark; empty: none

    friend bool operator==(const EnteredRun&, const EnteredRun&) = default;
};

struct Sidecar {
    EnteredRun run;
};

/// Where it is kept: TRACE.kinetoscope; trace.kinetoscope inside of a folder of captures, so that
/// it is moved together with them. Not *.json, which would be taken for a trace.
[[nodiscard]] std::string sidecarPath(const std::string& trace);

/// Empty where there is no file. Fails in one line on a file that cannot be read, is no sidecar, is
/// larger than kMaxSidecarBytes, or is of another version. Never waits for a pipe.
[[nodiscard]] Result<Sidecar> readSidecar(const std::string& trace);

/// Replaces the file, or removes it where nothing is left in it. Fails where the folder cannot be
/// written, and leaves a file alone that readSidecar() does not understand.
[[nodiscard]] Result<void> writeSidecar(const std::string& trace, const Sidecar& sidecar);

/// What was entered as options of the figures, with their defaults for the rest.
[[nodiscard]] analysis::CompatOptions compatOptions(const EnteredRun& run);

}  // namespace kinetoscope::sidecar
