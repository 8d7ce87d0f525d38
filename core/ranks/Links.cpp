// SPDX-License-Identifier: Apache-2.0
#include "core/ranks/Links.h"

#include <algorithm>
#include <set>
#include <utility>

#include "core/model/Gpus.h"

namespace kinetoscope::ranks {

namespace {

// Whether all ranks of the job can be on one machine, as far as files without hosts allow.
bool fitOneMachine(const std::vector<RankRecord>& records) {
    std::set<std::int32_t> gpus;
    for (const RankRecord& record : records) {
        gpus.insert(record.gpu);
        if (!std::cmp_less_equal(std::max<std::int64_t>(record.worldSize, 1),
                                 record.devicesThere)) {
            return false;
        }
    }
    return gpus.size() == records.size();
}

Link linkOf(const RankRecord& record) {
    const model::GpuRoof* gpu = model::GpuTable::builtin().find(record.device);
    if (gpu == nullptr || gpu->linkBytesPerSecond <= 0.0) {
        return {};
    }
    const auto source =
        std::ranges::find(gpu->sources, "link", [](const auto& each) { return each.first; });
    return {gpu->link, gpu->linkBytesPerSecond / 1e9,
            source == gpu->sources.end() ? "" : source->second};
}

}  // namespace

Links::Links(const std::vector<RankRecord>& records)
    : m_records(records), m_fitOneMachine(fitOneMachine(records)) {
    for (const RankRecord& record : records) {
        m_links.push_back(linkOf(record));
    }
}

Link Links::slowest(const Collective& collective) const {
    const std::string& host = m_records[collective.members.front().record].host;
    const Link* slowest = nullptr;
    for (const Member member : collective.members) {
        const Link& link = m_links[member.record];
        if (link.gbPerS <= 0.0 || m_records[member.record].host != host ||
            (host.empty() && !m_fitOneMachine)) {
            return {};
        }
        if (slowest == nullptr || link.gbPerS < slowest->gbPerS) {
            slowest = &link;
        }
    }
    return *slowest;
}

}  // namespace kinetoscope::ranks
