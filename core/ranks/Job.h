// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "core/base/Result.h"
#include "core/ranks/Causes.h"
#include "core/ranks/Partial.h"

namespace kinetoscope::ranks {

/// One run on many GPUs: its ranks on one clock, who waited for whom, and why.
struct Job {
    std::vector<RankRecord> records;    ///< by rank
    std::vector<RankClock> clocks;      ///< by record
    std::int64_t worldSize = 0;         ///< from the files; else the number of records
    std::vector<std::int64_t> missing;  ///< ranks without a usable file, ascending
    std::vector<LostFile> lost;
    Matching matching;
    std::vector<CollectiveWait> waits;  ///< by collective of the matching
    std::vector<JobStep> steps;
    std::vector<Cause> answers;  ///< see mergeCauses()

    /// Exposed waiting of each record, and that of others for it.
    [[nodiscard]] std::vector<TimeNs> suffered() const;
    [[nodiscard]] std::vector<TimeNs> caused() const;
};

struct JobOptions {
    unsigned threads = 0;  ///< 0: as many as there are processors
    std::stop_token stop = {};
    /// After each file, from any thread, one call at a time.
    std::function<void(std::size_t done, std::size_t all)> progress = {};
    /// Each rank once it is read, before `progress`, in the same way.
    std::function<void(const RankRecord& rank)> seen = {};
};

using LoadRankTrace = std::function<Result<std::shared_ptr<const trace::Trace>>(
    const std::string& path, unsigned threads, const std::stop_token& stop)>;

/// Takes what the file of that row gave: one call at a time, from any thread.
using TakeRanks = std::function<void(std::size_t file, Result<Partial> ranks)>;

/// The ranks of the files, traces and partials: several at a time as far as memory allows. Fails
/// when stopped.
[[nodiscard]] Result<void> readRanks(const std::vector<std::string>& files,
                                     const LoadRankTrace& load, const TakeRanks& take,
                                     const JobOptions& options = {});

/// The same together. A file that cannot be read or has no GPU work is named in Partial::lost.
/// Fails when two files are of one rank, and when it is stopped.
[[nodiscard]] Result<Partial> loadRanks(const std::vector<std::string>& files,
                                        const LoadRankTrace& load, const JobOptions& options = {});

/// The job of loadRanks(). Fails when no rank is left and when two are of one rank or of different
/// world sizes as well.
[[nodiscard]] Result<Job> loadJob(const std::vector<std::string>& files, const LoadRankTrace& load,
                                  const JobOptions& options = {});

/// The same from records, which may come in any order.
[[nodiscard]] Result<Job> makeJob(std::vector<RankRecord> records, std::vector<LostFile> lost = {});

}  // namespace kinetoscope::ranks
