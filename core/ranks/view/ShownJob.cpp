// SPDX-License-Identifier: Apache-2.0
#include "core/ranks/view/ShownJob.h"

#include <algorithm>
#include <limits>

#include "core/ranks/parts/OnThreads.h"

namespace kinetoscope::ranks::view {

namespace {

/// Which collective each call of each record belongs to.
std::vector<std::vector<std::size_t>> collectivesOfCalls(const Job& job) {
    std::vector<std::vector<std::size_t>> all;
    all.reserve(job.records.size());
    for (const RankRecord& record : job.records) {
        all.emplace_back(record.collectives.size(), CollectiveMark::kUnmatched);
    }
    for (std::size_t i = 0; i < job.matching.collectives.size(); ++i) {
        for (const Member member : job.matching.collectives[i].members) {
            all[member.record][member.call] = i;
        }
    }
    return all;
}

RankPicture drawRank(const Job& job, std::size_t r, const std::vector<std::size_t>& collectives) {
    const RankRecord& record = job.records[r];
    RankPicture picture{.busy = BusyLevels(record), .marks = {}, .latestEnds = {}};
    const TimeNs origin = picture.busy.extent().start;
    picture.shiftNs = onJobClock(job.records, job.clocks, r, origin) - origin;
    for (std::size_t c = 0; c < record.collectives.size(); ++c) {
        const TimeSpan own = record.collectives[c].span;
        const TimeNs start = onJobClock(job.records, job.clocks, r, own.start);
        CollectiveMark mark{{start, start + own.duration()}, start, collectives[c]};
        if (mark.collective != CollectiveMark::kUnmatched) {
            const auto& members = job.matching.collectives[mark.collective].members;
            const CollectiveWait& wait = job.waits[mark.collective];
            const Member last = members[wait.last];
            mark.lastArrival =
                onJobClock(job.records, job.clocks, last.record,
                           job.records[last.record].collectives[last.call].span.start);
        }
        picture.marks.push_back(mark);
    }
    std::ranges::stable_sort(picture.marks, {},
                             [](const CollectiveMark& mark) { return mark.span.start; });
    TimeNs latest = std::numeric_limits<TimeNs>::min();
    for (const CollectiveMark& mark : picture.marks) {
        latest = std::max(latest, mark.span.end);
        picture.latestEnds.push_back(latest);
    }
    return picture;
}

TimeSpan extentOf(const std::vector<RankPicture>& ranks) {
    TimeSpan all;
    bool first = true;
    for (const RankPicture& rank : ranks) {
        const TimeSpan own = rank.busy.extent();
        if (own.empty()) {
            continue;
        }
        const TimeSpan shown{own.start + rank.shiftNs, own.end + rank.shiftNs};
        all = first ? shown
                    : TimeSpan{std::min(all.start, shown.start), std::max(all.end, shown.end)};
        first = false;
    }
    return all;
}

}  // namespace

std::size_t RankPicture::firstMark(TimeNs time) const {
    return static_cast<std::size_t>(std::ranges::upper_bound(latestEnds, time) -
                                    latestEnds.begin());
}

TimeSpan ShownJob::stepSpan(std::size_t record, std::size_t step) const {
    for (const RankStep& one : job.records[record].steps) {
        if (one.number == job.steps[step].number) {
            return onJob(record, one.span);
        }
    }
    return {};
}

TimeSpan ShownJob::onJob(std::size_t record, TimeSpan own) const {
    return {onJobClock(job.records, job.clocks, record, own.start),
            onJobClock(job.records, job.clocks, record, own.end)};
}

TimeSpan ShownJob::onRank(std::size_t record, TimeSpan shown) const {
    // Clocks drift by millionths: what the shift is there is that of a guess.
    const auto back = [&](TimeNs time) {
        const TimeNs guess = time - ranks[record].shiftNs;
        return time - (onJobClock(job.records, job.clocks, record, guess) - guess);
    };
    return {back(shown.start), back(shown.end)};
}

std::shared_ptr<const ShownJob> showJob(Job job, const std::stop_token& stop) {
    auto shown = std::make_shared<ShownJob>();
    shown->grid = JobGrid(job);
    shown->ranks.resize(job.records.size());
    const auto collectives = collectivesOfCalls(job);
    parts::forEachOnThreads(job.records.size(), [&](std::size_t r) {
        throwIfStopped(stop);
        shown->ranks[r] = drawRank(job, r, collectives[r]);
    });
    shown->extent = extentOf(shown->ranks);
    shown->job = std::move(job);
    return shown;
}

}  // namespace kinetoscope::ranks::view
