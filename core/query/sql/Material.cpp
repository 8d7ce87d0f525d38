// SPDX-License-Identifier: Apache-2.0
#include "core/query/sql/Material.h"

#include <algorithm>
#include <limits>
#include <new>
#include <set>

#include "core/base/Threads.h"
#include "core/ranks/ReadRank.h"

namespace kinetoscope::query::sql {

namespace {

template <class T, class Make>
const T& once(std::unique_ptr<const T>& kept, const Make& make) {
    if (!kept) {
        kept = make();
    }
    return *kept;
}

CoveredTime busyOf(const GpuTimeline& timeline, std::int64_t gpu) {
    std::vector<TimeSpan> spans;
    for (const GpuRow& row : timeline.gpus()) {
        if (gpu == -1 || row.gpu == gpu) {
            for (const OperationTime& time : row.operations) {
                spans.push_back(time.span);
            }
        }
    }
    return CoveredTime(unionOfUnsorted(std::move(spans)));
}

// Ranks of one job are distinguished by their rank.
bool areRanks(const std::vector<ranks::RankRecord>& records) {
    std::set<std::int64_t> found;
    for (const ranks::RankRecord& record : records) {
        found.insert(record.rank);
    }
    return found.size() == records.size() && !found.contains(-1);
}

}  // namespace

FileFacts::FileFacts(std::shared_ptr<const trace::Trace> trace)
    : m_trace(std::move(trace)), m_arguments(*m_trace) {}

const LaunchLinks& FileFacts::links() {
    return once(m_links, [&] { return std::make_unique<const LaunchLinks>(trace()); });
}

const GpuTimeline& FileFacts::timeline() {
    return once(m_timeline, [&] { return std::make_unique<const GpuTimeline>(trace()); });
}

const analysis::KernelNames& FileFacts::kernelNames() {
    return once(m_kernelNames,
                [&] { return std::make_unique<const analysis::KernelNames>(trace()); });
}

const std::vector<analysis::MmConvKind>& FileFacts::mmConv() {
    if (!m_mmConv) {
        m_mmConv = analysis::classifyMmConv(trace(), kernelNames(), links());
    }
    return *m_mmConv;
}

const std::vector<analysis::Step>& FileFacts::steps() {
    if (!m_steps) {
        m_steps = analysis::findSteps(trace(), timeline(), links());
    }
    return *m_steps;
}

const RowNames& FileFacts::rowNames() {
    return once(m_rowNames, [&] { return std::make_unique<const RowNames>(LaneIndex(m_trace)); });
}

const Nesting& FileFacts::nesting(const std::stop_token& stop) {
    return once(m_nesting, [&] { return std::make_unique<const Nesting>(trace(), stop); });
}

const CoveredTime* FileFacts::busy(std::int64_t gpu) {
    auto known = m_busy.find(gpu);
    if (known == m_busy.end()) {
        const bool isThere = gpu == -1
                                 ? !timeline().gpus().empty()
                                 : std::ranges::count(timeline().gpus(), gpu, &GpuRow::gpu) > 0;
        if (!isThere) {
            return nullptr;
        }
        known = m_busy.try_emplace(gpu, busyOf(timeline(), gpu)).first;
    }
    return &known->second;
}

Result<std::unique_ptr<Material>> Material::make(
    std::span<const std::shared_ptr<const trace::Trace>> traces, std::vector<std::string> results,
    const std::stop_token& stop) {
    return guarded([&]() -> Result<std::unique_ptr<Material>> {
        auto material = std::make_unique<Material>();
        material->results = std::move(results);
        material->stop = stop;
        for (const auto& trace : traces) {
            File file{std::make_unique<FileFacts>(trace),
                      static_cast<std::int64_t>(material->files.size()), trace->extent().start};
            material->files.push_back(std::move(file));
        }
        if (traces.size() > 1) {
            material->alignClocks();
        }
        return material;
    });
}

void Material::alignClocks() {
    const ranks::Job* const all = job();
    if (all == nullptr) {
        return;
    }
    // By record, which is by rank; the files are put in the same order.
    std::vector<std::int64_t> behind(all->records.size());
    TimeNs first = std::numeric_limits<TimeNs>::max();
    for (std::size_t i = 0; i < all->records.size(); ++i) {
        behind[i] =
            all->records[i].baseTimeNs - all->records.front().baseTimeNs - all->clocks[i].offsetNs;
        first = std::min(first, all->records[i].extent.start + behind[i]);
    }
    for (File& file : files) {
        const std::string& path = file.facts->trace().info().path;
        const auto record = std::ranges::find(all->records, path, &ranks::RankRecord::file);
        if (record != all->records.end()) {
            file.rank = record->rank;
            file.origin = first - behind[static_cast<std::size_t>(record - all->records.begin())];
        }
    }
    std::ranges::stable_sort(files, {}, &File::rank);
}

std::optional<TimeSpan> Material::windowOf(std::size_t file) const {
    if (!window) {
        return std::nullopt;
    }
    const TimeNs origin = files[file].origin;
    return TimeSpan{window->start + origin, window->end + origin};
}

const ranks::Job* Material::job() {
    if (!m_jobTried) {
        std::vector<ranks::RankRecord> records;
        for (const File& file : files) {
            auto record = orOutOfMemory(ranks::readRank(file.facts->trace(), stop));
            throwIfStopped(stop);
            if (record) {
                records.push_back(std::move(*record));
            }
        }
        if (records.size() == files.size() && (files.size() == 1 || areRanks(records))) {
            if (auto made = orOutOfMemory(ranks::makeJob(std::move(records)))) {
                m_job = std::move(*made);
            }
        }
        m_jobTried = true;
    }
    return m_job ? &*m_job : nullptr;
}

void Material::look() const {
    throwIfStopped(stop);
    if (until && std::chrono::steady_clock::now() >= *until) {
        throw Stopped();
    }
}

std::optional<FileSlice> sliceOfId(Material& material, std::int64_t id) {
    const auto file = static_cast<std::size_t>(static_cast<std::uint64_t>(id) >> 32U);
    const auto slice = static_cast<trace::SliceId>(static_cast<std::uint64_t>(id) & 0xffffffffU);
    if (id < 0 || file >= material.files.size() ||
        slice >= material.facts(file).trace().sliceCount()) {
        return std::nullopt;
    }
    return FileSlice{file, slice};
}

}  // namespace kinetoscope::query::sql
