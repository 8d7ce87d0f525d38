// SPDX-License-Identifier: Apache-2.0
// Records of ranks that have some of everything, for tests.
#pragma once

#include <string>
#include <vector>

#include "core/ranks/RankRecord.h"

namespace kinetoscope::test {

/// A rank of a job of `ranks` with steps of 10 ms: three kernels, an all-reduce, a copy, a message.
inline ranks::RankRecord sampleRank(std::int64_t rank, std::int64_t ranks, TimeNs late = 0) {
    using namespace kinetoscope::ranks;
    constexpr TimeNs kStep = 10'000'000;
    RankRecord record;
    record.rank = rank;
    record.worldSize = ranks;
    record.file = "rank" + std::to_string(rank) + ".json";
    record.host = "host" + std::to_string(rank / 2);
    record.baseTimeNs = 1'700'000'000'000'000'000;
    record.names = {"gemm", "adam"};
    std::vector<std::int64_t> members;
    for (std::int64_t member = 0; member < ranks; ++member) {
        members.push_back(member);
    }
    record.groups = {{.name = "0", .description = "default_pg", .members = members, .size = ranks},
                     {.name = "1", .description = "", .members = {0, 1}, .size = 2}};
    TimeNs ready = 0;
    for (std::int64_t step = 0; step < 4; ++step) {
        const TimeNs begin = step * kStep;
        const TimeNs more = step == 2 ? late : 0;
        for (const TimeNs start : {begin + 100, begin + 1'000'100, begin + 2'000'100}) {
            record.work.starts.append(start);
        }
        const TimeNs from = step == 0 ? 100 : record.work.runs.extent().end;
        record.work.runs.append(100, WorkKind::Host, begin + 100 - from);
        record.work.runs.append(100, WorkKind::Compute, 2'500'000 + more);
        record.work.runs.append(100, WorkKind::Copy, 10'000);
        record.work.runs.append(100, WorkKind::Wait, 50'000);
        const TimeNs arrival = record.work.runs.extent().end;
        const std::int64_t before = static_cast<std::int64_t>(record.collectives.size()) - 1;
        record.collectives.push_back(
            {.span = {arrival, begin + 8'000'000},
             .launched = begin + 500,
             .step = step + 1,
             .launchedInStep = step + 1,
             .stream = 20,
             .group = 0,
             .kind = "allreduce",
             .type = "float",
             .inElements = 1000,
             .outElements = 1000,
             .sequence = step % 2 == 0 ? std::optional<std::int64_t>(step) : std::nullopt,
             .bytes = 4000});
        record.segments.push_back({.own = {ready, arrival},
                                   .release = ready,
                                   .waitedNs = 1000,
                                   .firstOperation = static_cast<std::uint64_t>(step) * 3,
                                   .before = before});
        record.kernels.push_back({{0, 2, 2'000'000 + more}, {1, 1, 500'000}});
        ready = arrival;
        if (rank < 2 && step == 1) {
            record.collectives.push_back({.span = {begin + 8'000'000, begin + 8'100'000},
                                          .launched = begin + 600,
                                          .step = step + 1,
                                          .launchedInStep = step + 1,
                                          .stream = 21,
                                          .group = 1,
                                          .kind = rank == 0 ? "send" : "recv",
                                          .type = "half",
                                          .sequence = std::nullopt,
                                          .peer = 1 - rank,
                                          .pointToPoint = true});
            record.segments.push_back({.own = {ready, ready},
                                       .release = ready,
                                       .firstOperation = static_cast<std::uint64_t>(step) * 3 + 3,
                                       .before = before + 1});
            record.kernels.emplace_back();
        }
        record.steps.push_back(
            {.number = step + 1,
             .span = {begin, begin + kStep},
             .time = {},
             .stalls = {{.ns = 500'000 * step, .before = 1}},
             .extra = {.ns = -3 * step, .most = {.name = 1, .count = 2, .sumNs = 7}}});
    }
    record.segments.push_back({.own = {ready, ready}, .release = ready, .before = 0});
    record.kernels.emplace_back();
    record.extent = {0, 4 * kStep};
    record.gpuSpan = {100, 38'000'000};
    record.time = {.computeNs = 10'000'000, .exposedCommNs = 20'000'000, .idleNs = 7'999'900};
    record.idle.hostNs = 7'999'900;
    record.busyNs = 30'000'000;
    record.hostGaps = {{{8'000'000, 10'000'000}, "aten::linear", "operator", "aten::mm"},
                       {{18'000'000, 20'000'000}, "", "", ""}};
    return record;
}

}  // namespace kinetoscope::test
