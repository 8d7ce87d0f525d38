// SPDX-License-Identifier: Apache-2.0
#include "core/flight/FlightJob.h"

namespace kinetoscope::flight {

std::string_view whyName(Why why) {
    switch (why) {
        case Why::Absent:
            return "absent";
        case Why::Mismatch:
            return "mismatch";
        case Why::NoDump:
            return "no_dump";
        case Why::NotStarted:
            return "not_started";
        case Why::Running:
            break;
    }
    return "running";
}

std::string_view differenceName(Difference difference) {
    switch (difference) {
        case Difference::Kind:
            return "operation";
        case Difference::Type:
            return "type";
        case Difference::Size:
            break;
    }
    return "size";
}

std::optional<Call> lastCall(const FlightJob& job, const Member& member) {
    const Dump& dump = job.dumps[member.dump];
    std::optional<Call> last;
    for (const std::vector<std::size_t>* const calls : {&member.collectives, &member.messages}) {
        if (!calls->empty() &&
            (!last || dump.entries[calls->back()].record > job.entry(*last).record)) {
            last = Call{member.dump, calls->back()};
        }
    }
    return last;
}

}  // namespace kinetoscope::flight
