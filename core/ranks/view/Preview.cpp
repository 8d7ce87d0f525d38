// SPDX-License-Identifier: Apache-2.0
#include "core/ranks/view/Preview.h"

#include <algorithm>
#include <map>

namespace kinetoscope::ranks::view {

void Preview::add(const RankRecord& record) {
    RankRecord& kept = m_ranks.emplace_back();
    kept.rank = record.rank;
    kept.file = record.file;
    kept.host = record.host;
    kept.extent = record.extent;
    kept.steps = record.steps;
}

std::shared_ptr<const ShownJob> Preview::show() const {
    Job job;
    job.records = m_ranks;
    std::ranges::sort(job.records, {}, &RankRecord::rank);
    const auto twice = std::ranges::unique(job.records, {}, &RankRecord::rank);
    job.records.erase(twice.begin(), twice.end());
    job.clocks.resize(job.records.size());
    std::map<std::int64_t, JobStep> steps;
    for (std::size_t r = 0; r < job.records.size(); ++r) {
        for (const RankStep& step : job.records[r].steps) {
            JobStep& of = steps[step.number];
            of.number = step.number;
            of.lengthNs.resize(job.records.size(), -1);
            of.lengthNs[r] = step.span.duration();
        }
    }
    for (auto& [number, step] : steps) {
        job.steps.push_back(std::move(step));
    }
    return showJob(std::move(job));
}

}  // namespace kinetoscope::ranks::view
