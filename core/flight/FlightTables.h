// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/flight/FlightJob.h"
#include "core/text/PrintedTable.h"

namespace kinetoscope::flight {

/// "rank 3", "ranks 0-6, 9": ascending.
[[nodiscard]] std::string rankWords(std::vector<std::int64_t> ranks);
[[nodiscard]] std::string rankWords(const FlightJob& job, const std::vector<Call>& calls);
[[nodiscard]] std::string rankWords(const FlightJob& job, const std::vector<std::size_t>& dumps);

/// "all_reduce number 211", "send 0->1".
[[nodiscard]] std::string callWords(const Dump& dump, const Entry& entry);
/// "[1048576] Float; [2, 3] Long".
[[nodiscard]] std::string tensorWords(const Dump& dump, const Tensors& tensors);
/// The innermost call that is not PyTorch's own: "train.py:58 step"; empty without a stack.
[[nodiscard]] std::string whereWords(const Dump& dump, const Entry& entry);

/// One answer as a sentence: which call is stuck, who came, who did not and what it did last.
[[nodiscard]] std::string stuckText(const FlightJob& job, const Stuck& stuck);
[[nodiscard]] std::string mismatchText(const FlightJob& job, const Mismatch& mismatch);
/// Why it cannot be told that nothing is stuck: "there is no dump of rank 0"; empty if it can.
[[nodiscard]] std::string undecidedText(const FlightJob& job);
/// What stands in place of stuck calls where there are none.
[[nodiscard]] std::string nothingText(const FlightJob& job);
/// "2 of 2 ranks; 421 calls in 1 group; …": what was read and what is missing, a line each.
[[nodiscard]] std::vector<std::string> flightSummary(const FlightJob& job);

/// Ranks that are at one place share a row of these.
struct Place {
    std::string role;  ///< "waits", "never came", "completed", "not told", "no dump"
    std::vector<std::int64_t> ranks;
    std::optional<Call> call;  ///< of the first of them: in the stuck call, or its last one
};
[[nodiscard]] std::vector<Place> placesOf(const FlightJob& job, const Stuck& stuck);

[[nodiscard]] text::PrintedTable stuckTable(const FlightJob& job, const Stuck& stuck);
[[nodiscard]] text::PrintedTable groupTable(const FlightJob& job);
/// What each rank did last, in any group.
[[nodiscard]] text::PrintedTable lastCallTable(const FlightJob& job);

}  // namespace kinetoscope::flight
