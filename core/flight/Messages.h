// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "core/flight/FlightJob.h"

namespace kinetoscope::flight {

/// The messages from one rank of a group to another.
struct Message {
    std::int64_t source = -1;  ///< ranks; -1: not in the dump
    std::int64_t target = -1;
    /// Which one of these two ranks, from 1; 0: earlier ones are overwritten.
    std::size_t number = 0;
    std::optional<Call> sent;
    std::optional<Call> received;
    /// Both ends can be counted from the first one: what is not there was never called.
    bool isPaired = false;
};

/// The messages of a group in the order of their calls. Ends belong together by their order from
/// the first one on; those of dumps that do not reach back to it stand alone.
[[nodiscard]] std::vector<Message> messagesOf(const FlightJob& job, const Group& group);

/// "message 3 from rank 0 to rank 1".
[[nodiscard]] std::string messageTitle(const Message& message);

}  // namespace kinetoscope::flight
