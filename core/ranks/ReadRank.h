// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stop_token>
#include <vector>

#include "core/analysis/Steps.h"
#include "core/base/Result.h"
#include "core/ranks/RankRecord.h"
#include "core/trace/Trace.h"

namespace kinetoscope::ranks {

/// What the trace of one rank tells of its job: of the GPU with most communication, else of the
/// busiest one. Fails without GPU work, if the file has changed since it was read, and when
/// stopped.
[[nodiscard]] Result<RankRecord> readRank(const trace::Trace& trace,
                                          const std::stop_token& stop = {});

/// N of "rank N", "rank-N", "rank_N" or "rankN" in the file's name, the last of several; -1: none.
[[nodiscard]] std::int64_t rankInName(const std::string& path);

/// Whether the trace has collectives of gloo.
[[nodiscard]] bool hasGloo(const trace::Trace& trace);

/// Adds the trace of a rank whose collectives are gloo's to a record. They run on threads of the
/// CPU, so the rank's work is what its threads and GPUs did, and RankRecord::gpu is kNoGpu. The
/// collectives' steps are not set. Fails if there are several process groups, which these
/// collectives do not distinguish.
[[nodiscard]] Result<void> takeGloo(const trace::Trace& trace,
                                    const std::vector<analysis::Step>& steps, RankRecord& record,
                                    const std::stop_token& stop);

}  // namespace kinetoscope::ranks
