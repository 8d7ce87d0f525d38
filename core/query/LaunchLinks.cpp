// SPDX-License-Identifier: Apache-2.0
#include "core/query/LaunchLinks.h"

#include <algorithm>
#include <numeric>
#include <tuple>

#include "core/query/IdGroups.h"
#include "core/query/InnermostEnclosing.h"
#include "core/query/LaunchIds.h"
#include "core/query/OrphanLaunches.h"

namespace kinetoscope::query {

namespace {

bool encloses(const trace::Trace& trace, trace::SliceId outer, trace::SliceId inner) {
    return trace.start(outer) <= trace.start(inner) && trace.end(inner) <= trace.end(outer);
}

/// Ids of the operations' slices, by operation.
template <class IdOf>
std::vector<std::int64_t> idsOf(const trace::Trace& trace, IdOf idOf) {
    std::vector<std::int64_t> ids;
    ids.reserve(trace.gpuOperations().size());
    for (const trace::GpuOperation& operation : trace.gpuOperations()) {
        ids.push_back(idOf(operation.slice));
    }
    return ids;
}

/// The slices of wanted categories by the number of their id, each group by file, then by start.
template <class IdOf, class IsWanted>
IdGroups groupSlices(const trace::Trace& trace, const IdIndex& index, IdOf idOf,
                     IsWanted isWanted) {
    std::vector<IdGroups::Hit> hits;
    for (trace::SliceId slice = 0; slice < trace.sliceCount(); ++slice) {
        if (!isWanted(trace.category(slice))) {
            continue;
        }
        const std::int64_t id = idOf(slice);
        const std::uint32_t group = id == trace::kNoId ? IdIndex::kNone : index.find(id);
        if (group != IdIndex::kNone) {
            hits.emplace_back(group, slice);
        }
    }
    IdGroups groups(index.size(), hits);
    for (std::uint32_t group = 0; group < index.size(); ++group) {
        if (groups.of(group).size() > 1) {
            std::ranges::sort(groups.of(group), {}, [&](trace::SliceId slice) {
                return std::tuple(sourceOf(trace, slice), trace.start(slice), slice);
            });
        }
    }
    return groups;
}

/// The members of a group that come from the operation's file.
std::span<const trace::SliceId> sameSource(const trace::Trace& trace,
                                           std::span<const trace::SliceId> group,
                                           trace::SliceId operation) {
    const auto found =
        std::ranges::equal_range(group, sourceOf(trace, operation), {},
                                 [&](trace::SliceId slice) { return sourceOf(trace, slice); });
    return {found.begin(), found.end()};
}

/// The operators of the wanted tracks, track by track, each in file order.
std::vector<Encloser> operatorsByTrack(const trace::Trace& trace,
                                       const std::vector<bool>& isWanted) {
    const auto forEach = [&](auto visit) {
        const auto tracks = trace.trackIds();
        for (trace::SliceId slice = 0; slice < tracks.size(); ++slice) {
            if (trace.category(slice) == trace::Category::CpuOp && isWanted[tracks[slice]]) {
                visit(tracks[slice], slice);
            }
        }
    };
    std::vector<std::size_t> next(isWanted.size() + 1);
    forEach([&](trace::TrackId track, trace::SliceId) { ++next[track + 1]; });
    std::partial_sum(next.begin(), next.end(), next.begin());
    std::vector<Encloser> operators(next.back());
    forEach([&](trace::TrackId track, trace::SliceId slice) {
        operators[next[track]++] = {track, slice};
    });
    return operators;
}

trace::SliceId chooseCall(const trace::Trace& trace, std::span<const trace::SliceId> calls,
                          trace::SliceId operation) {
    if (calls.empty()) {
        return trace::kNoSlice;
    }
    const auto after =
        std::ranges::upper_bound(calls, trace.start(operation), {},
                                 [&](trace::SliceId slice) { return trace.start(slice); });
    return after == calls.begin() ? calls.front() : *(after - 1);
}

}  // namespace

LaunchLinks::LaunchLinks(const trace::Trace& trace)
    : m_apiCall(trace.gpuOperations().size(), trace::kNoSlice),
      m_operator(trace.gpuOperations().size(), trace::kNoSlice),
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

void LaunchLinks::linkApiCalls(const trace::Trace& trace, const LaunchIds& ids) {
    const auto idOf = [&](trace::SliceId slice) { return ids.of(slice); };
    const IdIndex index(idsOf(trace, idOf));
    const IdGroups calls = groupSlices(trace, index, idOf, trace::isApiCall);
    for (trace::GpuOpId id = 0; id < m_apiCall.size(); ++id) {
        const trace::SliceId slice = trace.gpuOperations()[id].slice;
        if (idOf(slice) != trace::kNoId) {
            const auto group = calls.of(index.find(idOf(slice)));
            m_apiCall[id] = chooseCall(trace, sameSource(trace, group, slice), slice);
        }
    }
}

void LaunchLinks::linkExternalIds(const trace::Trace& trace, const LaunchIds& ids) {
    const auto idOf = [&](trace::SliceId slice) {
        return ids.areExternal(slice) ? trace::kNoId : trace.externalId(slice);
    };
    const IdIndex index(idsOf(trace, idOf));
    const IdGroups operators = groupSlices(trace, index, idOf, [](trace::Category category) {
        return category == trace::Category::CpuOp;
    });
    std::vector<Encloser> enclosers;
    std::vector<EncloserQuery> queries;
    std::vector<bool> isListed(operators.size());
    for (trace::GpuOpId id = 0; id < m_operator.size(); ++id) {
        const trace::SliceId slice = trace.gpuOperations()[id].slice;
        if (idOf(slice) == trace::kNoId) {
            continue;
        }
        const auto same = sameSource(trace, operators.of(index.find(idOf(slice))), slice);
        const trace::SliceId call = m_apiCall[id];
        if (call != trace::kNoSlice && same.size() > 1) {
            const std::uint32_t key = operators.placeOf(same);
            queries.push_back({key, call, id});
            for (const trace::SliceId one :
                 isListed[key] ? std::span<const trace::SliceId>{} : same) {
                enclosers.push_back({key, one});
            }
            isListed[key] = true;
        } else if (!same.empty() &&
                   (call == trace::kNoSlice || encloses(trace, same.front(), call))) {
            m_operator[id] = same.front();
        }
    }
    findInnermostEnclosing(trace, enclosers, queries, m_operator);
}

void LaunchLinks::linkEnclosing(const trace::Trace& trace) {
    std::vector<bool> isWanted(trace.tracks().size());
    std::vector<EncloserQuery> queries;
    for (trace::GpuOpId id = 0; id < m_apiCall.size(); ++id) {
        if (m_operator[id] == trace::kNoSlice && m_apiCall[id] != trace::kNoSlice) {
            const trace::TrackId track = trace.trackOf(m_apiCall[id]);
            queries.push_back({track, m_apiCall[id], id});
            isWanted[track] = true;
        }
    }
    if (queries.empty()) {
        return;
    }
    std::vector<Encloser> operators = operatorsByTrack(trace, isWanted);
    findInnermostEnclosing(trace, operators, queries, m_operator);
}

void LaunchLinks::findGraphs(const trace::Trace& trace) {
    std::vector<bool> seen(trace.sliceCount());
    std::vector<bool> several(trace.sliceCount());
    for (const trace::SliceId call : m_apiCall) {
        if (call != trace::kNoSlice) {
            several[call] = several[call] || seen[call];
            seen[call] = true;
        }
    }
    for (trace::GpuOpId id = 0; id < m_apiCall.size(); ++id) {
        const trace::SliceId call = m_apiCall[id];
        m_isGraph[id] =
            trace.gpuOperations()[id].graph != 0 || (call != trace::kNoSlice && several[call]);
    }
}

}  // namespace kinetoscope::query
