// SPDX-License-Identifier: Apache-2.0
#include "core/ranks/Segments.h"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <set>
#include <utility>

namespace kinetoscope::ranks {

namespace {

constexpr TimeNs kQueuedWithinNs = 10'000;  // from the end of one kernel to the next

// Whether the call began only because one launched before it had ended, on its stream or another.
// `ends`: of those before it.
bool wasQueued(const CollectiveCall& call, const std::set<TimeNs>& ends) {
    const auto after = ends.upper_bound(call.span.start);
    return after != ends.begin() && call.launched < *std::prev(after) &&
           call.span.start - *std::prev(after) < kQueuedWithinNs;
}

// The operations that the program launched before that time.
std::size_t launchedBefore(const LaunchOrder& order, TimeNs time) {
    return static_cast<std::size_t>(std::ranges::lower_bound(order.launches, time) -
                                    order.launches.begin());
}

TimeNs readyFor(const LaunchOrder& order, const CollectiveCall& call, bool queued,
                TimeNs readyBefore) {
    if (!queued) {
        return std::max(call.span.start, readyBefore);
    }
    const std::size_t operations = launchedBefore(order, call.launched);
    const TimeNs done = operations == 0 ? call.launched : order.ends[operations - 1];
    const TimeNs latest = std::max(call.span.start, readyBefore);
    return std::clamp(std::max(done, call.launched), readyBefore, latest);
}

// One rank's side of a segment.
struct SegmentOf {
    const RankRecord& record;
    const Segment& segment;
    bool otherGroup = false;  ///< the collective before is not of the group of this one
};

// Where a rank stands at a time: the operation that began last, and how long until the next one.
struct Place {
    std::size_t operation = 0;
    TimeSpan element;  ///< the operation and the gap behind it
    bool found = false;
};

Place placeOf(const SegmentOf& side, std::size_t operation) {
    const PackedTimes& starts = side.record.work.starts;
    Place place;
    if (operation >= starts.size()) {
        return place;
    }
    place.operation = operation;
    const TimeNs start = starts.at(operation);
    const TimeNs end = operation + 1 < starts.size() ? starts.at(operation + 1)
                                                     : side.record.work.runs.extent().end;
    place.element = side.segment.own.clip({start, std::max(start, end)});
    place.found = true;
    return place;
}

Place placeBefore(const SegmentOf& side, TimeNs time) {
    const std::size_t begun = side.record.work.starts.countUpTo(time - 1);
    return begun == 0 ? Place{} : placeOf(side, begun - 1);
}

// Takes `ns` out of the parts in which `longer` exceeds `other`.
void takeOut(WorkTime& from, const WorkTime& longer, const WorkTime& other, TimeNs ns) {
    for (const auto part :
         {&WorkTime::deviceNs, &WorkTime::hostNs, &WorkTime::copyNs, &WorkTime::computeNs}) {
        const TimeNs taken = std::clamp<TimeNs>(longer.*part - other.*part, 0, ns);
        from.*part -= taken;
        ns -= taken;
    }
}

struct Own {
    WorkTime work;
    TimeNs heldUpNs = 0;
};

// The work of `a`, less the time for which the collective before held it up; `b` shows how long the
// same takes otherwise.
Own ownWork(const SegmentOf& a, const SegmentOf& b) {
    constexpr TimeNs kMuchLonger = 2;
    Own own{.work = a.record.work.runs.inside(a.segment.own), .heldUpNs = 0};
    own.heldUpNs = std::exchange(own.work.waitNs, 0);
    const TimeNs release = a.segment.release;
    if (a.segment.before < 0 || !a.segment.own.contains(release)) {
        return own;
    }
    const Place here = placeBefore(a, release);
    // The operation that was running when the program came here belongs to it.
    if (!here.found || here.operation + 1 < a.segment.firstOperation) {
        return own;
    }
    const auto nth = static_cast<std::ptrdiff_t>(here.operation) -
                     static_cast<std::ptrdiff_t>(a.segment.firstOperation);
    const std::ptrdiff_t there = static_cast<std::ptrdiff_t>(b.segment.firstOperation) + nth;
    const Place same = there < 0 ? Place{} : placeOf(b, static_cast<std::size_t>(there));
    if (!same.found) {
        return own;
    }
    const WorkTime longer = a.record.work.runs.inside(here.element);
    const WorkTime usual = b.record.work.runs.inside(same.element);
    const TimeNs excess = longer.total() - usual.total();
    if (excess > kMuchLonger * a.segment.waitedNs) {
        return own;  // the wait is not what made it longer
    }
    const TimeNs more = std::clamp<TimeNs>(excess, 0, std::max<TimeNs>(a.segment.waitedNs, 0));
    takeOut(own.work, longer, usual, more);
    own.heldUpNs += more;
    return own;
}

const Segment& segmentOf(const std::vector<std::vector<Segment>>& segments, Member member) {
    return segments[member.record][member.call];
}

// `a` minus `b`, waits for communication left out. Where one of them was held up by the collective
// before, in the middle of what the other did without a break, that time is not its own either.
MemberExcess excessOver(const SegmentOf& a, const SegmentOf& b) {
    const Own ownA = ownWork(a, b);
    const Own ownB = ownWork(b, a);
    MemberExcess own;
    own.excess.work = ownA.work;
    own.excess.work.add(ownB.work, -1);
    if (a.segment.hostNs >= 0 && b.segment.hostNs >= 0) {
        own.hostMoreNs = a.segment.hostNs - b.segment.hostNs;
        // Who has waited works on in another rhythm: the other one has not gained by that.
        TimeNs& host = own.excess.work.hostNs;
        host = host < 0 ? std::clamp<TimeNs>(*own.hostMoreNs, host, 0) : host;
    }
    if (a.otherGroup || b.otherGroup) {
        own.excess.otherGroupNs = ownA.heldUpNs - ownB.heldUpNs;
    }
    return own;
}

bool isOtherGroup(const RankRecord& record, const Segment& segment, std::uint32_t call) {
    if (segment.before < 0 || call >= record.collectives.size()) {
        return false;
    }
    const CollectiveCall& before = record.collectives[static_cast<std::size_t>(segment.before)];
    const CollectiveCall& own = record.collectives[call];
    return before.group != own.group;
}

}  // namespace

std::vector<Segment> divideWork(const RankRecord& record, const LaunchOrder& order) {
    const std::vector<CollectiveCall>& calls = record.collectives;
    std::vector<Segment> segments(calls.size() + 1);
    std::vector<std::uint32_t> program(calls.size());
    std::iota(program.begin(), program.end(), 0U);
    std::ranges::stable_sort(program, {}, [&](std::uint32_t call) { return calls[call].launched; });
    const TimeSpan extent = record.work.runs.extent();
    TimeNs ready = extent.start;
    if (!record.steps.empty() && record.steps.front().span.start < ready) {
        ready = record.steps.front().span.start;
    }
    std::set<TimeNs> ends;
    const CollectiveCall* before = nullptr;
    std::int64_t beforeRow = -1;
    std::size_t first = 0;
    const auto segmentTo = [&](TimeNs next) {
        Segment segment{.own = {ready, next},
                        .release = ready,
                        .waitedNs = 0,
                        .firstOperation = first,
                        .before = beforeRow};
        if (before != nullptr) {
            segment.release = before->span.end;
            segment.waitedNs = before->span.start - ready;
        }
        return segment;
    };
    for (const std::uint32_t row : program) {
        const CollectiveCall& call = calls[row];
        const TimeNs next = readyFor(order, call, wasQueued(call, ends), ready);
        ends.insert(call.span.end);
        segments[row] = segmentTo(next);
        if (before != nullptr && order.hostWaits) {
            const TimeSpan launches{before->launched, call.launched};
            segments[row].hostNs = launches.duration() - order.hostWaits->inside(launches);
        }
        first = launchedBefore(order, call.launched);
        ready = next;
        before = &call;
        beforeRow = row;
    }
    segments.back() = segmentTo(std::max(ready, extent.end));
    return segments;
}

void Excess::add(const Excess& more, int sign) {
    work.add(more.work, sign);
    otherGroupNs += sign * more.otherGroupNs;
}

std::vector<MemberExcess> excessOfMembers(const std::vector<RankRecord>& records,
                                          const std::vector<std::vector<Segment>>& segments,
                                          const std::vector<Member>& members) {
    const auto side = [&](Member member) {
        const RankRecord& record = records[member.record];
        const Segment& segment = segmentOf(segments, member);
        return SegmentOf{record, segment, isOtherGroup(record, segment, member.call)};
    };
    // The delayed part is not known yet: start with any one, then use the one in the middle.
    std::vector<std::size_t> order(members.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(
        order, {}, [&](std::size_t i) { return segmentOf(segments, members[i]).own.duration(); });
    const std::size_t middle = (members.size() - 1) / 2;
    const Member reference = members[order[middle]];
    std::vector<MemberExcess> excesses;
    excesses.reserve(members.size());
    for (const Member member : members) {
        excesses.push_back(excessOver(side(member), side(reference)));
    }
    std::ranges::stable_sort(order, {}, [&](std::size_t i) { return excesses[i].excess.own(); });
    const MemberExcess median = excesses[order[middle]];
    for (MemberExcess& each : excesses) {
        each.excess.add(median.excess, -1);
        if (each.hostMoreNs && median.hostMoreNs) {
            *each.hostMoreNs -= *median.hostMoreNs;
        }
    }
    return excesses;
}

}  // namespace kinetoscope::ranks
