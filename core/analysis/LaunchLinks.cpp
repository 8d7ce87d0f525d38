// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/LaunchLinks.h"

#include <algorithm>
#include <numeric>
#include <tuple>

#include "core/analysis/IdGroups.h"
#include "core/analysis/InnermostEnclosing.h"
#include "core/analysis/OrphanLaunches.h"
#include "core/query/LaunchIds.h"

namespace kinetoscope {

namespace {

std::uint16_t sourceOf(const Trace& trace, SliceId slice) {
    return trace.processes()[trace.tracks()[trace.trackOf(slice)].process].source;
}

bool encloses(const Trace& trace, SliceId outer, SliceId inner) {
    return trace.start(outer) <= trace.start(inner) && trace.end(inner) <= trace.end(outer);
}

/// Ids of the operations' slices, by operation.
template <class IdOf>
std::vector<std::int64_t> idsOf(const Trace& trace, IdOf idOf) {
    std::vector<std::int64_t> ids;
    ids.reserve(trace.gpuOperations().size());
    for (const GpuOperation& operation : trace.gpuOperations()) {
        ids.push_back(idOf(operation.slice));
    }
    return ids;
}

/// The slices of wanted categories by the number of their id, each group by file, then by start.
template <class IdOf, class IsWanted>
IdGroups groupSlices(const Trace& trace, const IdIndex& index, IdOf idOf, IsWanted isWanted) {
    std::vector<IdGroups::Hit> hits;
    for (SliceId slice = 0; slice < trace.sliceCount(); ++slice) {
        if (!isWanted(trace.category(slice))) {
            continue;
        }
        const std::int64_t id = idOf(slice);
        const std::uint32_t group = id == kNoId ? IdIndex::kNone : index.find(id);
        if (group != IdIndex::kNone) {
            hits.emplace_back(group, slice);
        }
    }
    IdGroups groups(index.size(), hits);
    for (std::uint32_t group = 0; group < index.size(); ++group) {
        if (groups.of(group).size() > 1) {
            std::ranges::sort(groups.of(group), {}, [&](SliceId slice) {
                return std::tuple(sourceOf(trace, slice), trace.start(slice), slice);
            });
        }
    }
    return groups;
}

/// The members of a group that come from the operation's file.
std::span<const SliceId> sameSource(const Trace& trace, std::span<const SliceId> group,
                                    SliceId operation) {
    const auto found =
        std::ranges::equal_range(group, sourceOf(trace, operation), {},
                                 [&](SliceId slice) { return sourceOf(trace, slice); });
    return {found.begin(), found.end()};
}

/// The operators of the wanted tracks, track by track, each in file order.
std::vector<Encloser> operatorsByTrack(const Trace& trace, const std::vector<bool>& isWanted) {
    const auto forEach = [&](auto visit) {
        const auto tracks = trace.trackIds();
        for (SliceId slice = 0; slice < tracks.size(); ++slice) {
            if (trace.category(slice) == Category::CpuOp && isWanted[tracks[slice]]) {
                visit(tracks[slice], slice);
            }
        }
    };
    std::vector<std::size_t> next(isWanted.size() + 1);
    forEach([&](TrackId track, SliceId) { ++next[track + 1]; });
    std::partial_sum(next.begin(), next.end(), next.begin());
    std::vector<Encloser> operators(next.back());
    forEach([&](TrackId track, SliceId slice) { operators[next[track]++] = {track, slice}; });
    return operators;
}

SliceId chooseCall(const Trace& trace, std::span<const SliceId> calls, SliceId operation) {
    if (calls.empty()) {
        return kNoSlice;
    }
    const auto after = std::ranges::upper_bound(calls, trace.start(operation), {},
                                                [&](SliceId slice) { return trace.start(slice); });
    return after == calls.begin() ? calls.front() : *(after - 1);
}

}  // namespace

LaunchLinks::LaunchLinks(const Trace& trace)
    : m_apiCall(trace.gpuOperations().size(), kNoSlice),
      m_operator(trace.gpuOperations().size(), kNoSlice),
      m_isGraph(trace.gpuOperations().size()) {
    if (m_apiCall.empty()) {
        return;
    }
    const LaunchIds ids(trace);
    linkApiCalls(trace, ids);
    linkOrphans(trace, m_apiCall);
    linkExternalIds(trace, ids);
    linkEnclosing(trace);
    findGraphs(trace);
}

void LaunchLinks::linkApiCalls(const Trace& trace, const LaunchIds& ids) {
    const auto idOf = [&](SliceId slice) { return ids.of(slice); };
    const IdIndex index(idsOf(trace, idOf));
    const IdGroups calls = groupSlices(trace, index, idOf, isApiCall);
    for (GpuOpId id = 0; id < m_apiCall.size(); ++id) {
        const SliceId slice = trace.gpuOperations()[id].slice;
        if (idOf(slice) != kNoId) {
            const auto group = calls.of(index.find(idOf(slice)));
            m_apiCall[id] = chooseCall(trace, sameSource(trace, group, slice), slice);
        }
    }
}

void LaunchLinks::linkExternalIds(const Trace& trace, const LaunchIds& ids) {
    const auto idOf = [&](SliceId slice) {
        return ids.areExternal(slice) ? kNoId : trace.externalId(slice);
    };
    const IdIndex index(idsOf(trace, idOf));
    const IdGroups operators = groupSlices(
        trace, index, idOf, [](Category category) { return category == Category::CpuOp; });
    std::vector<Encloser> enclosers;
    std::vector<EncloserQuery> queries;
    std::vector<bool> isListed(operators.size());
    for (GpuOpId id = 0; id < m_operator.size(); ++id) {
        const SliceId slice = trace.gpuOperations()[id].slice;
        if (idOf(slice) == kNoId) {
            continue;
        }
        const auto same = sameSource(trace, operators.of(index.find(idOf(slice))), slice);
        const SliceId call = m_apiCall[id];
        if (call != kNoSlice && same.size() > 1) {
            const std::uint32_t key = operators.placeOf(same);
            queries.push_back({key, call, id});
            for (const SliceId one : isListed[key] ? std::span<const SliceId>{} : same) {
                enclosers.push_back({key, one});
            }
            isListed[key] = true;
        } else if (!same.empty() && (call == kNoSlice || encloses(trace, same.front(), call))) {
            m_operator[id] = same.front();
        }
    }
    findInnermostEnclosing(trace, enclosers, queries, m_operator);
}

void LaunchLinks::linkEnclosing(const Trace& trace) {
    std::vector<bool> isAsked(trace.tracks().size());
    std::vector<EncloserQuery> queries;
    for (GpuOpId id = 0; id < m_apiCall.size(); ++id) {
        if (m_operator[id] == kNoSlice && m_apiCall[id] != kNoSlice) {
            const TrackId track = trace.trackOf(m_apiCall[id]);
            queries.push_back({track, m_apiCall[id], id});
            isAsked[track] = true;
        }
    }
    if (queries.empty()) {
        return;
    }
    std::vector<Encloser> operators = operatorsByTrack(trace, isAsked);
    findInnermostEnclosing(trace, operators, queries, m_operator);
}

void LaunchLinks::findGraphs(const Trace& trace) {
    std::vector<bool> seen(trace.sliceCount());
    std::vector<bool> several(trace.sliceCount());
    for (const SliceId call : m_apiCall) {
        if (call != kNoSlice) {
            several[call] = several[call] || seen[call];
            seen[call] = true;
        }
    }
    for (GpuOpId id = 0; id < m_apiCall.size(); ++id) {
        const SliceId call = m_apiCall[id];
        m_isGraph[id] = trace.gpuOperations()[id].graph != 0 || (call != kNoSlice && several[call]);
    }
}

}  // namespace kinetoscope
