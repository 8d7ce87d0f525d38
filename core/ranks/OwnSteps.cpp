// SPDX-License-Identifier: Apache-2.0
#include "core/ranks/OwnSteps.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <tuple>

#include "core/ranks/parts/OnThreads.h"
#include "core/stats/Statistics.h"

namespace kinetoscope::ranks {

namespace {

constexpr std::size_t kMinOwnSteps = 3;

// One of the compared calls.
struct Compared {
    std::uint32_t call = 0;
    std::size_t list = 0;
    std::size_t member = 0;
};

// Group and kind of a call, and how many of them came before it in its step.
using OwnPlace = std::tuple<std::uint32_t, std::string_view, std::size_t>;

std::map<OwnPlace, std::vector<Compared>> byPlace(const RankRecord& record,
                                                  const std::vector<std::int64_t>& stepOf,
                                                  const std::vector<Compared>& calls) {
    std::map<OwnPlace, std::vector<Compared>> places;
    std::map<std::tuple<std::int64_t, std::uint32_t, std::string_view>, std::size_t> counts;
    for (const Compared& compared : calls) {
        const CollectiveCall& call = record.collectives[compared.call];
        const std::size_t before = counts[{stepOf[compared.call], call.group, call.kind}]++;
        places[{call.group, call.kind, before}].push_back(compared);
    }
    return places;
}

TimeNs lowerMedianOf(const std::vector<Compared>& calls,
                     const std::vector<std::vector<MemberExcess>>& excesses,
                     TimeNs MemberExcess::*figure) {
    std::vector<TimeNs> times;
    for (const Compared& call : calls) {
        times.push_back(excesses[call.list][call.member].*figure);
    }
    return stats::lowerMedian(times);
}

}  // namespace

std::vector<std::vector<Beyond>> beyondOwnSteps(
    const std::vector<RankRecord>& records, const std::vector<std::vector<std::int64_t>>& stepOf,
    const std::vector<std::vector<Member>>& compared,
    const std::vector<std::vector<MemberExcess>>& excesses) {
    std::vector<std::vector<Beyond>> beyond(compared.size());
    std::vector<std::vector<Compared>> callsOf(records.size());
    for (std::size_t list = 0; list < compared.size(); ++list) {
        beyond[list].resize(compared[list].size());
        for (std::size_t i = 0; i < compared[list].size(); ++i) {
            const Member member = compared[list][i];
            if (excesses[list][i].hostNs >= 0 &&
                member.call < records[member.record].collectives.size()) {
                callsOf[member.record].push_back({member.call, list, i});
            }
        }
    }
    parts::forEachOnThreads(records.size(), [&](std::size_t r) {
        std::ranges::sort(callsOf[r], {}, &Compared::call);
        for (const auto& [place, calls] : byPlace(records[r], stepOf[r], callsOf[r])) {
            if (calls.size() < kMinOwnSteps) {
                continue;
            }
            const TimeNs host = lowerMedianOf(calls, excesses, &MemberExcess::hostNs);
            const TimeNs compute = lowerMedianOf(calls, excesses, &MemberExcess::computeNs);
            for (const Compared& call : calls) {
                const MemberExcess& own = excesses[call.list][call.member];
                beyond[call.list][call.member] = {own.hostNs - host, own.computeNs - compute, true};
            }
        }
    });
    return beyond;
}

Beyond beyondOthers(const std::vector<Beyond>& members, std::size_t member) {
    Beyond beyond = members[member];
    if (!beyond.known || members.size() < 2) {
        return {};
    }
    for (const auto figure : {&Beyond::hostNs, &Beyond::computeNs}) {
        std::vector<TimeNs> others;
        for (std::size_t i = 0; i < members.size(); ++i) {
            if (i != member) {
                others.push_back(members[i].*figure);
            }
        }
        beyond.*figure -= std::max<TimeNs>(stats::lowerMedian(others), 0);
    }
    return beyond;
}

}  // namespace kinetoscope::ranks
