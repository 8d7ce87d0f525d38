// SPDX-License-Identifier: Apache-2.0
#include "core/ranks/Waiting.h"

#include <algorithm>
#include <numeric>
#include <string_view>

#include "core/ranks/parts/OnThreads.h"

namespace kinetoscope::ranks {

namespace {

// "all_reduce", "allreduce" and "AllReduce" are one.
std::string plainKind(std::string_view kind) {
    std::string plain;
    for (const char c : kind) {
        if (c != '_' && c != '-') {
            plain += c;
        }
    }
    return plain;
}

double busFactor(std::string_view kind, std::size_t members) {
    const std::string plain = plainKind(kind);
    const auto n = static_cast<double>(members);
    const double others = (n - 1.0) / n;
    if (plain.starts_with("allreduce")) {
        return 2.0 * others;
    }
    if (plain.starts_with("allgather") || plain.starts_with("reducescatter") ||
        plain.starts_with("alltoall")) {
        return others;
    }
    return 1.0;
}

CollectiveWait measure(const std::vector<RankRecord>& records, const Collective& collective,
                       const std::vector<RankClock>& clocks) {
    CollectiveWait wait;
    std::vector<TimeNs> arrivals;
    for (const Member member : collective.members) {
        const CollectiveCall& call = records[member.record].collectives[member.call];
        arrivals.push_back(onJobClock(records, clocks, member.record, call.span.start));
    }
    wait.last = static_cast<std::size_t>(std::ranges::max_element(arrivals) - arrivals.begin());
    const Member last = collective.members[wait.last];
    const CollectiveCall& lastCall = records[last.record].collectives[last.call];
    // On one rank's clock, so that no offset blurs it.
    wait.tookNs = lastCall.span.duration();
    wait.step = lastCall.step;
    wait.span = {std::ranges::min(arrivals), arrivals[wait.last] + wait.tookNs};
    for (std::size_t i = 0; i < arrivals.size(); ++i) {
        const Member member = collective.members[i];
        const TimeNs waited = arrivals[wait.last] - arrivals[i];
        const TimeNs start = records[member.record].collectives[member.call].span.start;
        wait.waitedNs.push_back(waited);
        wait.exposedNs.push_back(
            waited - records[member.record].work.runs.inside({start, start + waited}).computeNs);
    }
    return wait;
}

}  // namespace

TimeNs CollectiveWait::exposedSum() const {
    return std::accumulate(exposedNs.begin(), exposedNs.end(), TimeNs{0});
}

std::vector<CollectiveWait> measureWaiting(const std::vector<RankRecord>& records,
                                           const Matching& matching,
                                           const std::vector<RankClock>& clocks) {
    std::vector<CollectiveWait> waits(matching.collectives.size());
    parts::forEachOnThreads(waits.size(), [&](std::size_t i) {
        waits[i] = measure(records, matching.collectives[i], clocks);
    });
    return waits;
}

double busBandwidth(const Collective& collective, TimeNs tookNs) {
    return tookNs <= 0 ? 0.0
                       : static_cast<double>(collective.bytes) / static_cast<double>(tookNs) *
                             busFactor(collective.kind, collective.members.size());
}

}  // namespace kinetoscope::ranks
