// SPDX-License-Identifier: Apache-2.0
#include "core/ranks/Job.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <optional>
#include <thread>

#include "core/base/Threads.h"
#include "core/ranks/ReadRank.h"

namespace kinetoscope::ranks {

namespace {

// More than any job has: a wrong number in a file must not become a list of missing ranks.
constexpr std::int64_t kMaxWorldSize = 1 << 20;

class Loader {
public:
    Loader(const std::vector<std::string>& files, const LoadRankTrace& load,
           const JobOptions& options)
        : m_files(files), m_load(load), m_options(options), m_results(files.size()) {}

    void run() {
        const unsigned cores = std::max(1U, std::thread::hardware_concurrency());
        const unsigned threads = m_options.threads == 0 ? cores : m_options.threads;
        const auto readers = static_cast<unsigned>(std::min<std::size_t>(threads, m_files.size()));
        // Few large files: the threads that are left help each reader.
        const unsigned each = std::max(1U, threads / std::max(1U, readers));
        runOnThreads(readers, [&] {
            for (;;) {
                const std::size_t next = m_next++;
                if (next >= m_files.size()) {
                    return;
                }
                throwIfStopped(m_options.stop);
                m_results[next].emplace(read(m_files[next], each));
                const std::scoped_lock lock(m_mutex);
                ++m_done;
                if (m_options.progress) {
                    m_options.progress(m_done, m_files.size());
                }
            }
        });
    }

    [[nodiscard]] Result<void> take(std::vector<RankRecord>& records, std::vector<LostFile>& lost) {
        for (std::size_t i = 0; i < m_files.size(); ++i) {
            Result<RankRecord>& result = *m_results[i];
            if (result) {
                records.push_back(std::move(*result));
            } else if (result.error().kind == ErrorKind::Cancelled) {
                return tl::unexpected(result.error());
            } else {
                lost.push_back({m_files[i], result.error().message});
            }
        }
        return {};
    }

private:
    Result<RankRecord> read(const std::string& file, unsigned threads) const {
        const auto trace = m_load(file, threads, m_options.stop);
        if (!trace) {
            return tl::unexpected(trace.error());
        }
        auto record = readRank(**trace, m_options.stop);
        if (record && record->rank < 0) {
            return fail(
                "does not tell its rank: neither distributedInfo nor its name (rank0, rank-1…)");
        }
        return record;
    }

    const std::vector<std::string>& m_files;
    const LoadRankTrace& m_load;
    const JobOptions& m_options;
    std::vector<std::optional<Result<RankRecord>>> m_results;
    std::atomic<std::size_t> m_next = 0;
    std::mutex m_mutex;
    std::size_t m_done = 0;
};

Result<std::int64_t> worldSizeOf(const std::vector<RankRecord>& records) {
    const RankRecord* first = nullptr;
    for (const RankRecord& record : records) {
        if (record.worldSize <= 0) {
            continue;
        }
        if (first != nullptr && first->worldSize != record.worldSize) {
            return fail(fmt::format(
                "'{}' is of a job of {} ranks, '{}' of one of {}: give the files of one job",
                first->file, first->worldSize, record.file, record.worldSize));
        }
        first = first == nullptr ? &record : first;
    }
    const std::int64_t highest = records.back().rank + 1;
    if (highest > kMaxWorldSize) {
        return fail(fmt::format("'{}' says that it is rank {}: no job is that large",
                                records.back().file, records.back().rank));
    }
    const std::int64_t told = first == nullptr ? highest : first->worldSize;
    return std::clamp(told, highest, kMaxWorldSize);
}

void findMissing(Job& job) {
    auto record = job.records.begin();
    for (std::int64_t rank = 0; rank < job.worldSize; ++rank) {
        if (record != job.records.end() && record->rank == rank) {
            ++record;
        } else {
            job.missing.push_back(rank);
        }
    }
}

Result<Job> make(std::vector<RankRecord> records, std::vector<LostFile> lost) {
    if (records.empty()) {
        return lost.empty() ? fail("there is no file to read")
                            : fail(fmt::format("'{}': {}", lost.front().file, lost.front().reason));
    }
    std::ranges::stable_sort(records, {}, &RankRecord::rank);
    const auto twice = std::ranges::adjacent_find(records, {}, &RankRecord::rank);
    if (twice != records.end()) {
        return fail(fmt::format("'{}' and '{}' are both of rank {}: give one file for each rank",
                                twice->file, std::next(twice)->file, twice->rank));
    }
    Job job;
    job.records = std::move(records);
    job.lost = std::move(lost);
    const auto size = worldSizeOf(job.records);
    if (!size) {
        return tl::unexpected(size.error());
    }
    job.worldSize = *size;
    findMissing(job);
    job.matching = matchCollectives(job.records);
    job.clocks = alignClocks(job.records, job.matching);
    job.waits = measureWaiting(job.records, job.matching, job.clocks);
    job.steps = findCauses(job.records, job.matching, job.waits);
    job.answers = mergeCauses(job.steps);
    return job;
}

}  // namespace

std::vector<TimeNs> Job::suffered() const {
    std::vector<TimeNs> sums(records.size());
    for (std::size_t i = 0; i < waits.size(); ++i) {
        for (std::size_t m = 0; m < waits[i].exposedNs.size(); ++m) {
            sums[matching.collectives[i].members[m].record] += waits[i].exposedNs[m];
        }
    }
    return sums;
}

std::vector<TimeNs> Job::caused() const {
    std::vector<TimeNs> sums(records.size());
    for (std::size_t i = 0; i < waits.size(); ++i) {
        sums[matching.collectives[i].members[waits[i].last].record] += waits[i].exposedSum();
    }
    return sums;
}

Result<Job> loadJob(const std::vector<std::string>& files, const LoadRankTrace& load,
                    const JobOptions& options) {
    return guarded([&]() -> Result<Job> {
        Loader loader(files, load, options);
        loader.run();
        std::vector<RankRecord> records;
        std::vector<LostFile> lost;
        if (auto taken = loader.take(records, lost); !taken) {
            return tl::unexpected(taken.error());
        }
        return make(std::move(records), std::move(lost));
    });
}

Result<Job> makeJob(std::vector<RankRecord> records, std::vector<LostFile> lost) {
    return guarded([&] { return make(std::move(records), std::move(lost)); });
}

}  // namespace kinetoscope::ranks
