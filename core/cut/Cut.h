// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <stop_token>
#include <string>

#include "core/analysis/Window.h"
#include "core/base/Progress.h"
#include "core/base/Result.h"
#include "core/trace/Trace.h"

namespace kinetoscope::cut {

struct CutOptions {
    analysis::WindowChoice window;
    std::string output;            ///< ending in .gz: compressed
    std::stop_token stop;          ///< ends with ErrorKind::Cancelled and leaves no file
    Progress* progress = nullptr;  ///< bytes of the input file
};

/// Events that something was wrong with.
struct CutProblems {
    std::uint64_t events = 0;
    std::uint64_t firstOffset = 0;  ///< in the text of the input

    void add(std::uint64_t offset) { firstOffset = events++ == 0 ? offset : firstOffset; }
};

struct CutSummary {
    TimeSpan window;           ///< in the trace's own time
    TimeSpan windowInOutput;   ///< since the first event of the output
    std::uint64_t events = 0;  ///< elements of traceEvents that are objects
    std::uint64_t kept = 0;
    CutProblems repaired;      ///< of the kept: not strict JSON in the file, but in the output
    CutProblems unrepairable;  ///< left out for that reason
    std::uint64_t repairedKeys = 0;  ///< beside the events
    std::uint64_t outputBytes = 0;
};

/// Writes the events of the window (see CutSelection) as they stand in the file, those of a
/// recording as `kscope convert` writes them, with all metadata and top-level keys and the key
/// "kinetoscopeCut", which has window and origin; anything that is not strict JSON is repaired (see
/// repairedJson), so that the output always is. `trace` must come from a file, which is read once
/// more in pieces; fails if that has changed. The output appears completely or not at all.
[[nodiscard]] Result<CutSummary> cutTrace(const trace::Trace& trace, const CutOptions& options);

}  // namespace kinetoscope::cut
