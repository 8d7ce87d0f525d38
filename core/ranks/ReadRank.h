// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stop_token>

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

}  // namespace kinetoscope::ranks
