// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <stop_token>
#include <string>

#include "core/analysis/Window.h"
#include "core/base/Progress.h"
#include "core/base/Result.h"
#include "core/trace/Trace.h"

namespace kinetoscope {

struct CutOptions {
    WindowChoice window;
    std::string output;            ///< ending in .gz: compressed
    std::stop_token stop;          ///< ends with ErrorKind::Cancelled and leaves no file
    Progress* progress = nullptr;  ///< bytes of the input file
};

struct CutSummary {
    TimeSpan window;           ///< in the trace's own time
    TimeSpan windowInOutput;   ///< since the first event of the output
    std::uint64_t events = 0;  ///< elements of traceEvents that are objects
    std::uint64_t kept = 0;
    std::uint64_t repaired = 0;  ///< of the kept: not strict JSON in the file, but in the output
    std::uint64_t unrepairable = 0;  ///< left out for that reason
    std::uint64_t outputBytes = 0;
};

/// Writes the events of the window (see CutSelection) as they stand in the file, with all metadata
/// and top-level keys and the key "kinetoscopeCut", which tells window and origin. `trace` must
/// come from a file, which is read once more in pieces. The output appears whole or not at all.
[[nodiscard]] Result<CutSummary> cutTrace(const Trace& trace, const CutOptions& options);

}  // namespace kinetoscope
