// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <stop_token>
#include <string_view>
#include <vector>

#include "core/base/Result.h"
#include "core/json/Json.h"
#include "core/query/GpuTimeline.h"
#include "core/query/LaunchLinks.h"
#include "core/ranks/RankRecord.h"

namespace kinetoscope::ranks {

struct RankCollectives {
    std::vector<CollectiveCall> calls;
    std::vector<ProcessGroup> groups;
};

/// The kernels of communication among these of one GPU, by start, with the metadata of their
/// events. Their steps are not set. Fails if the file has changed since it was read.
[[nodiscard]] Result<RankCollectives> readCollectives(
    const trace::Trace& trace, const std::vector<query::OperationTime>& kernels,
    const query::LaunchLinks& links, const std::stop_token& stop);

/// Bytes of the larger of what a rank gives and what it gets; 0 where the type is unknown.
[[nodiscard]] std::uint64_t bytesMoved(const CollectiveCall& call);

/// An object of the values that an event has for the keys (see EventText::arguments()), without
/// those that are not valid JSON: damage costs one argument, not all of them.
[[nodiscard]] nlohmann::json parsedArguments(std::span<const std::string_view> keys,
                                             std::span<const std::string_view> values);

/// "allreduce" of "ncclDevKernel_AllReduce_Sum_bf16_RING_LL(…)"; the whole name of others.
[[nodiscard]] std::string collectiveKind(std::string_view kernelName);

}  // namespace kinetoscope::ranks
