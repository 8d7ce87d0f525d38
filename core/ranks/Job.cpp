// SPDX-License-Identifier: Apache-2.0
#include "core/ranks/Job.h"

#include <fmt/format.h>

#include <algorithm>
#include <condition_variable>
#include <filesystem>
#include <iterator>
#include <mutex>
#include <optional>
#include <system_error>
#include <thread>

#include "core/base/Threads.h"
#include "core/ranks/ReadRank.h"
#include "core/text/Printable.h"

namespace kinetoscope::ranks {

namespace {

// More than any job has: a wrong number in a file must not become a list of missing ranks.
constexpr std::int64_t kMaxWorldSize = 1 << 20;

// Text that is read at the same time; what is made of it takes less.
constexpr std::uint64_t kTextAtOnce = 512ULL << 20U;

// About the size of a trace's text.
std::uint64_t textSize(const std::string& path) {
    constexpr std::uint64_t kCompression = 10;
    std::error_code error;
    const std::uint64_t size = std::filesystem::file_size(path, error);
    if (error) {
        return 0;
    }
    return path.ends_with(".gz") || path.ends_with(".zst") ? kCompression * size : size;
}

class RankReader {
public:
    RankReader(const std::vector<std::string>& files, const LoadRankTrace& load,
               const JobOptions& options, const TakeRanks& take)
        : m_files(files), m_load(load), m_options(options), m_take(take) {
        const unsigned cores = std::max(1U, std::thread::hardware_concurrency());
        m_threads = m_options.threads == 0 ? cores : m_options.threads;
    }

    void run() {
        const auto readers =
            static_cast<unsigned>(std::min<std::size_t>(m_threads, m_files.size()));
        runOnThreads(readers, [&] {
            try {
                while (readNext()) {
                }
            } catch (...) {
                const std::scoped_lock lock(m_mutex);
                m_failed = true;
                m_room.notify_all();
                throw;
            }
        });
    }

private:
    // False if there is none left. A large file is read alone, by all threads.
    bool readNext() {
        std::unique_lock lock(m_mutex);
        if (m_next >= m_files.size()) {
            return false;
        }
        const std::size_t own = m_next++;
        const std::uint64_t size = textSize(m_files[own]);
        m_room.wait(lock,
                    [&] { return m_failed || m_reading == 0 || m_textSize + size <= kTextAtOnce; });
        if (m_failed) {
            return false;
        }
        ++m_reading;
        m_textSize += size;
        lock.unlock();
        throwIfStopped(m_options.stop);
        const std::uint64_t share = m_threads * size / kTextAtOnce + 1;
        const std::uint64_t spare = m_threads / m_files.size();
        auto ranks =
            read(m_files[own],
                 static_cast<unsigned>(std::min<std::uint64_t>(m_threads, std::max(share, spare))));
        lock.lock();
        --m_reading;
        m_textSize -= size;
        m_room.notify_all();
        if (m_options.seen && ranks) {
            std::ranges::for_each(ranks->records, m_options.seen);
        }
        m_take(own, std::move(ranks));
        ++m_done;
        if (m_options.progress) {
            m_options.progress(m_done, m_files.size());
        }
        return true;
    }

    Result<Partial> read(const std::string& file, unsigned threads) const {
        if (isPartial(file)) {
            return readPartial(file);
        }
        const auto trace = m_load(file, threads, m_options.stop);
        if (!trace) {
            return tl::unexpected(trace.error());
        }
        auto record = readRank(**trace, m_options.stop);
        if (!record) {
            return tl::unexpected(record.error());
        }
        if (record->rank < 0) {
            return fail(
                "does not state its rank: neither distributedInfo nor its name (rank0, rank-1…)");
        }
        record->origins = {originOf(file)};
        Partial partial;
        partial.records.push_back(std::move(*record));
        return partial;
    }

    const std::vector<std::string>& m_files;
    const LoadRankTrace& m_load;
    const JobOptions& m_options;
    const TakeRanks& m_take;
    unsigned m_threads = 1;
    std::mutex m_mutex;
    std::condition_variable m_room;
    std::size_t m_next = 0;
    std::size_t m_reading = 0;
    std::uint64_t m_textSize = 0;  ///< of the files that are being read
    std::size_t m_done = 0;
    bool m_failed = false;
};

// Joins the results of all files.
Result<Partial> join(const std::vector<std::string>& files,
                     std::vector<std::optional<Result<Partial>>>& results) {
    Partial joined;
    for (std::size_t i = 0; i < files.size(); ++i) {
        Result<Partial>& result = *results[i];
        if (!result && result.error().kind == ErrorKind::Cancelled) {
            return tl::unexpected(result.error());
        }
        if (!result) {
            joined.lost.push_back({files[i], result.error().message, originOf(files[i])});
            continue;
        }
        std::ranges::move(result->records, std::back_inserter(joined.records));
        std::ranges::move(result->lost, std::back_inserter(joined.lost));
    }
    if (auto ordered = putInOrder(joined); !ordered) {
        return tl::unexpected(ordered.error());
    }
    // One file given twice is two of one rank as well; partials add up.
    for (std::size_t i = 0; i < files.size(); ++i) {
        const auto same =
            std::find(files.begin(), files.begin() + static_cast<std::ptrdiff_t>(i), files[i]);
        const auto record = std::ranges::find(joined.records, files[i], &RankRecord::file);
        if (same != files.begin() + static_cast<std::ptrdiff_t>(i) &&
            record != joined.records.end()) {
            return twoOfOneRank(*record, *record);
        }
    }
    return joined;
}

Result<std::int64_t> worldSizeOf(const std::vector<RankRecord>& records) {
    const RankRecord* first = nullptr;
    for (const RankRecord& record : records) {
        if (record.worldSize <= 0) {
            continue;
        }
        if (first != nullptr && first->worldSize != record.worldSize) {
            return fail(fmt::format(
                "'{}': from a job of {} ranks, '{}' from one of {}; give the files of one job",
                text::printable(first->file), first->worldSize, text::printable(record.file),
                record.worldSize));
        }
        first = first == nullptr ? &record : first;
    }
    const std::int64_t highest = records.back().rank + 1;
    if (highest > kMaxWorldSize) {
        return fail(fmt::format("'{}': claims to be rank {}, which is out of range",
                                text::printable(records.back().file), records.back().rank));
    }
    const std::int64_t told = first == nullptr ? highest : first->worldSize;
    return std::clamp(told, highest, kMaxWorldSize);
}

// Differences between clocks must not overflow. A clock that is months away from the first rank's
// is not a time of day, most often because the file was cut before its base time; its trace starts
// with the first one's then.
Result<void> bringTogether(std::vector<RankRecord>& records) {
    constexpr TimeNs kFurthest = TimeNs{1} << 61;  // seventy years on either side of 1970
    constexpr TimeNs kMaxApart = TimeNs{1} << 53;
    const auto isNear = [](TimeNs time, TimeNs limit) { return -limit <= time && time <= limit; };
    for (RankRecord& record : records) {
        if (!isNear(record.extent.start, kFurthest) || !isNear(record.extent.end, kFurthest) ||
            !isNear(record.extent.end - record.extent.start, kMaxApart)) {
            return fail(fmt::format("'{}': its times are further apart than any recording can be",
                                    text::printable(record.file)));
        }
        if (!isNear(record.baseTimeNs, kFurthest)) {
            record.baseTimeNs = 0;
        }
    }
    const TimeNs begin = records.front().baseTimeNs + records.front().extent.start;
    for (RankRecord& record : records) {
        if (!isNear(record.baseTimeNs + record.extent.start - begin, kMaxApart)) {
            record.baseTimeNs = begin - record.extent.start;
        }
    }
    return {};
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
        return lost.empty() ? fail("there is no file to read") : fail(messageOf(lost.front()));
    }
    std::ranges::stable_sort(records, {}, &RankRecord::rank);
    const auto twice = std::ranges::adjacent_find(records, {}, &RankRecord::rank);
    if (twice != records.end()) {
        return twoOfOneRank(*twice, *std::next(twice));
    }
    if (auto near = bringTogether(records); !near) {
        return tl::unexpected(near.error());
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

Result<Partial> load(const std::vector<std::string>& files, const LoadRankTrace& loadTrace,
                     const JobOptions& options) {
    std::vector<std::optional<Result<Partial>>> results(files.size());
    const TakeRanks take = [&](std::size_t file, Result<Partial> ranks) {
        results[file].emplace(std::move(ranks));
    };
    RankReader(files, loadTrace, options, take).run();
    return join(files, results);
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

Result<void> readRanks(const std::vector<std::string>& files, const LoadRankTrace& loadTrace,
                       const TakeRanks& take, const JobOptions& options) {
    return guarded([&]() -> Result<void> {
        RankReader(files, loadTrace, options, take).run();
        return {};
    });
}

Result<Partial> loadRanks(const std::vector<std::string>& files, const LoadRankTrace& loadTrace,
                          const JobOptions& options) {
    return guarded([&] { return load(files, loadTrace, options); });
}

Result<Job> loadJob(const std::vector<std::string>& files, const LoadRankTrace& loadTrace,
                    const JobOptions& options) {
    return guarded([&]() -> Result<Job> {
        auto ranks = load(files, loadTrace, options);
        return ranks ? make(std::move(ranks->records), std::move(ranks->lost))
                     : tl::unexpected(ranks.error());
    });
}

Result<Job> makeJob(std::vector<RankRecord> records, std::vector<LostFile> lost) {
    return guarded([&] { return make(std::move(records), std::move(lost)); });
}

}  // namespace kinetoscope::ranks
