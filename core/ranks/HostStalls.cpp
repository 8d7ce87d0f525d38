// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <map>
#include <string_view>
#include <tuple>

#include "core/ranks/OwnWork.h"
#include "core/stats/Statistics.h"

namespace kinetoscope::ranks {

namespace {

constexpr std::size_t kMinAlike = 2;
constexpr TimeNs kShortPhase = 20'000;  // too short for its waits to matter

// What the host took from each launch of a segment to the next.
struct Phases {
    std::uint32_t row = 0;
    std::vector<TimeNs> times;
};

// Group and kind of the call that ends the segment, and how many of them came before in the step.
using StallPlace = std::tuple<std::uint32_t, std::string_view, std::size_t>;

Phases phasesOf(std::uint32_t row, TimeSpan between, std::size_t first, const LaunchOrder& order) {
    Phases phases{row, {}};
    TimeNs time = between.start;
    const auto take = [&](TimeNs next) {
        const TimeSpan phase{time, next};
        const bool isShort = phase.duration() < kShortPhase;
        phases.times.push_back(phase.duration() - (isShort ? 0 : order.hostWaits->inside(phase)));
        time = next;
    };
    for (std::size_t at = first; at < order.launches.size() && order.launches[at] < between.end;
         ++at) {
        take(order.launches[at]);
    }
    take(between.end);
    return phases;
}

// Leaves those that launch as much as most of them.
void keepAlike(std::vector<Phases>& all) {
    std::map<std::size_t, std::size_t> counts;
    for (const Phases& phases : all) {
        ++counts[phases.times.size()];
    }
    const auto most =
        std::ranges::max_element(counts, {}, [](const auto& count) { return count.second; });
    std::erase_if(all, [&](const Phases& each) { return each.times.size() != most->first; });
}

void setStalls(std::vector<Phases>& all, std::vector<Segment>& segments) {
    keepAlike(all);
    if (all.size() < kMinAlike) {
        return;
    }
    std::vector<TimeNs> times(all.size());
    for (std::size_t phase = 0; phase < all.front().times.size(); ++phase) {
        const auto time = [&](const Phases& each) { return each.times[phase]; };
        std::ranges::transform(all, times.begin(), time);
        const TimeNs median = stats::lowerMedian(times);
        for (const Phases& each : all) {
            Segment& segment = segments[each.row];
            const TimeNs more = std::max<TimeNs>(time(each) - median, 0);
            if (more > segment.stallNs) {
                segment.stallNs = more;
                segment.stallAt = static_cast<std::uint32_t>(phase);
            }
        }
    }
}

}  // namespace

void findStalls(const std::vector<CollectiveCall>& calls, const LaunchOrder& order,
                const std::vector<std::uint32_t>& program, std::vector<Segment>& segments) {
    if (!order.hostWaits) {
        return;
    }
    std::map<StallPlace, std::vector<std::uint32_t>> places;
    std::map<std::tuple<std::int64_t, std::uint32_t, std::string_view>, std::size_t> counts;
    for (const std::uint32_t row : program) {
        const CollectiveCall& call = calls[row];
        const std::int64_t step = call.launchedInStep >= 0 ? call.launchedInStep : call.step;
        const std::size_t before = counts[{step, call.group, call.kind}]++;
        if (step >= 0 && segments[row].before >= 0) {
            places[{call.group, call.kind, before}].push_back(row);
        }
    }
    for (const auto& [place, rows] : places) {
        std::vector<Phases> all;
        for (const std::uint32_t row : rows) {
            const auto before = static_cast<std::size_t>(segments[row].before);
            all.push_back(phasesOf(row, {calls[before].launched, calls[row].launched},
                                   segments[row].firstOperation, order));
        }
        setStalls(all, segments);
    }
}

}  // namespace kinetoscope::ranks
