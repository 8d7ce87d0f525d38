// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/SaturatedTime.h"
#include "core/path/Changes.h"

namespace kinetoscope::advise {

/// One figure that a finding rests on, for people.
struct Evidence {
    std::string label;       ///< "launches a step"
    std::string value;       ///< "412", with its unit
    std::string definition;  ///< one sentence; "" if the label is enough
    std::string window;      ///< the time that it is about: "steps 4, 5 and 7"
};

/// Somewhere to go to. Times are the trace's own.
struct FindingEvent {
    trace::SliceId slice = trace::kNoSlice;  ///< kNoSlice: only a time
    TimeSpan span;
    std::string name;  ///< of the slice, or what was there
};

using path::NodeChange;

/// How much shorter steps would be, replayed.
struct Saving {
    TimeNs ns = 0;            ///< mean of the steps that become shorter; an upper bound
    TimeNs stepNs = 0;        ///< mean length of these, before
    std::size_t steps = 0;    ///< that become shorter
    std::size_t ofSteps = 0;  ///< that the trace has

    /// Mean of all of the trace's steps: comparable with any other finding and all together.
    [[nodiscard]] TimeNs meanNs() const {
        return ofSteps == 0 ? 0
                            : saturatedTime(static_cast<double>(ns) * static_cast<double>(steps) /
                                            static_cast<double>(ofSteps));
    }
};

/// What takes time that could be saved, with what shows it.
struct Finding {
    std::string rule;    ///< id of a row of rules()
    std::string title;   ///< one line: what, and how much of it
    std::string todo;    ///< one sentence: what to try
    std::string whatIf;  ///< in words: what the replay did
    Saving saving;
    std::vector<Evidence> evidence;
    std::vector<FindingEvent> events;  ///< the longest first, at most kMaxEvents; of the trace
    std::vector<NodeChange> changes;   ///< by node; of the graph that the advice was made with
    std::string abstained;   ///< why the rule could not judge; then nothing is saved and changed
    std::int64_t rank = -1;  ///< of a job whose trace it was found in; -1: of a single trace
};
inline constexpr std::size_t kMaxEvents = 20;

/// The subject of a rule.
struct RuleFacts {
    std::string_view id;          ///< "host-bound"
    std::string_view title;       ///< "GPU waits for the host"
    std::string_view definition;  ///< one sentence
};

/// What to change first.
struct Advice {
    std::vector<Finding> findings;          ///< most is saved first; then those that abstained
    std::vector<std::string_view> nothing;  ///< ids of the rules that looked and found nothing
    std::size_t steps = 0;                  ///< that the savings are of; 1 where there are none
    bool hasSteps = false;                  ///< false: all of the trace is one step
    TimeNs stepNs = 0;                      ///< mean length of the steps
    TimeNs firstEventNs = 0;                ///< of the trace, from which texts count
    Saving together;                        ///< of all findings together
};

}  // namespace kinetoscope::advise
