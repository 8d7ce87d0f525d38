// SPDX-License-Identifier: Apache-2.0
// What the user has entered about a trace, in a small JSON file next to it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/Compat.h"
#include "core/base/Result.h"
#include "core/base/Time.h"

namespace kinetoscope::sidecar {

/// `schema` of the file. Members may be added to a version, and those that a reader does not know
/// stay in the file; none changes its meaning.
inline constexpr std::string_view kSidecarSchema = "kinetoscope.sidecar/1";
inline constexpr std::size_t kMaxSidecarBytes = 1U << 20;
inline constexpr std::size_t kMaxNameBytes = 1000;
inline constexpr std::size_t kMaxNoteBytes = 2000;

/// How long the run takes without a profiler, and what it is called.
struct EnteredRun {
    std::optional<double> wallMs;       ///< of ONE run; kMinWallMs to kMaxWallMs
    std::optional<std::uint64_t> runs;  ///< in the trace; 1 to kMaxRuns
    std::string name;                   ///< of the benchmark; empty: none

    friend bool operator==(const EnteredRun&, const EnteredRun&) = default;
};

/// The user's text about a time or a span.
struct Note {
    TimeSpan span;     ///< on the trace's own clock, in nanoseconds; empty: a point
    std::string text;  ///< one line, as text::printable() leaves it; 1 to kMaxNoteBytes

    friend bool operator==(const Note&, const Note&) = default;
};

struct Sidecar {
    EnteredRun run;
    std::vector<Note> notes = {};  ///< in the order they were made

    friend bool operator==(const Sidecar&, const Sidecar&) = default;
};

/// Where it is kept: TRACE.kinetoscope; trace.kinetoscope inside of a folder of captures, so that
/// it is moved together with them. Not *.json, which would be taken for a trace.
[[nodiscard]] std::string sidecarPath(const std::string& trace);

/// Empty if there is no file. Fails in one line on a file that cannot be read, is not a sidecar, is
/// larger than kMaxSidecarBytes, or is of another version. Never waits for a pipe.
[[nodiscard]] Result<Sidecar> readSidecar(const std::string& trace);

/// The one way to change the file: reads it, lets `change` work on its content, and replaces it
/// whole, or removes it if nothing is left. Returns the new content. So no change of another part,
/// window or process is lost; those wait for each other, a second at most. Fails if the folder
/// cannot be written or the file would become too large, and leaves a file alone that readSidecar()
/// does not understand.
[[nodiscard]] Result<Sidecar> changeSidecar(const std::string& trace,
                                            const std::function<void(Sidecar&)>& change);

/// The entered values as options of the figures, with their defaults for the rest.
[[nodiscard]] analysis::CompatOptions compatOptions(const EnteredRun& run);

}  // namespace kinetoscope::sidecar
