// SPDX-License-Identifier: Apache-2.0
#include "core/query/find/FilterSlices.h"

#include <algorithm>
#include <string>
#include <tuple>

namespace kinetoscope::query {

namespace {

constexpr std::size_t kSlicesBetweenLooks = 4096;  // at the stop token

bool takes(const trace::Trace& trace, const SliceFilter& filter, trace::SliceId slice) {
    if (filter.category && trace.categoryId(slice) != *filter.category) {
        return false;
    }
    const trace::TrackId track = trace.trackOf(slice);
    const trace::TrackId row = filter.rows != nullptr ? filter.rows->trackOf(slice) : track;
    if ((filter.track && row != *filter.track) ||
        (filter.process && trace.tracks()[track].process != *filter.process)) {
        return false;
    }
    return (!filter.begins || filter.begins->contains(trace.start(slice))) &&
           (!filter.overlaps || filter.overlaps->overlaps(trace.span(slice))) &&
           (!filter.lasts || filter.lasts->contains(trace.duration(slice)));
}

template <class Id>
std::vector<std::pair<Id, std::uint64_t>> thatOccur(const std::vector<std::uint64_t>& counts) {
    std::vector<std::pair<Id, std::uint64_t>> found;
    for (std::size_t id = 0; id < counts.size(); ++id) {
        if (counts[id] > 0) {
            found.emplace_back(static_cast<Id>(id), counts[id]);
        }
    }
    return found;
}

void count(std::vector<std::uint64_t>& counts, std::size_t id) {
    if (id >= counts.size()) {
        counts.resize(id + 1);
    }
    ++counts[id];
}

/// What place each of the ids in use has among their texts; equal texts share one.
template <class IdOf, class TextOf>
std::vector<std::int64_t> placesOfTexts(std::span<const trace::SliceId> slices, std::size_t ids,
                                        IdOf idOf, TextOf textOf) {
    std::vector<bool> used(ids);
    for (const trace::SliceId slice : slices) {
        used[idOf(slice)] = true;
    }
    std::vector<std::string> texts;
    std::vector<std::uint32_t> order;
    for (std::uint32_t id = 0; id < ids; ++id) {
        texts.emplace_back(used[id] ? textOf(id) : std::string());
        if (used[id]) {
            order.push_back(id);
        }
    }
    sortRows(order, std::vector<std::string_view>(texts.begin(), texts.end()),
             SortOrder::Ascending);
    std::vector<std::int64_t> places(ids);
    for (std::size_t at = 0; at < order.size(); ++at) {
        const bool same = at > 0 && texts[order[at]] == texts[order[at - 1]];
        places[order[at]] = same ? places[order[at - 1]] : static_cast<std::int64_t>(at);
    }
    return places;
}

struct Keyed {
    std::int64_t key;
    std::uint32_t place;  ///< in the list before
};

template <class KeyOf>
void sortBy(std::vector<trace::SliceId>& slices, SortOrder order, KeyOf keyOf) {
    std::vector<Keyed> keyed;
    keyed.reserve(slices.size());
    for (std::uint32_t at = 0; at < slices.size(); ++at) {
        keyed.push_back({keyOf(slices[at]), at});
    }
    std::ranges::sort(keyed, [order](const Keyed& a, const Keyed& b) {
        if (a.key != b.key) {
            return order == SortOrder::Ascending ? a.key < b.key : b.key < a.key;
        }
        return a.place < b.place;
    });
    const std::vector<trace::SliceId> before = std::move(slices);
    slices.clear();
    slices.reserve(before.size());
    for (const Keyed& one : keyed) {
        slices.push_back(before[one.place]);
    }
}

}  // namespace

std::vector<trace::SliceId> filterSlices(const trace::Trace& trace,
                                         std::span<const trace::SliceId> slices,
                                         const SliceFilter& filter, const std::stop_token& stop) {
    std::vector<trace::SliceId> found;
    for (std::size_t at = 0; at < slices.size(); ++at) {
        if (at % kSlicesBetweenLooks == 0 && stop.stop_requested()) {
            break;
        }
        if (takes(trace, filter, slices[at])) {
            found.push_back(slices[at]);
        }
    }
    return found;
}

SliceCounts countSlices(const LaneIndex& rows, std::span<const trace::SliceId> slices) {
    std::vector<std::uint64_t> categories;
    std::vector<std::uint64_t> tracks;
    for (const trace::SliceId slice : slices) {
        count(categories, rows.trace().categoryId(slice));
        count(tracks, rows.trackOf(slice));
    }
    return {thatOccur<trace::CategoryId>(categories), thatOccur<trace::TrackId>(tracks)};
}

std::optional<std::size_t> placeOfSlice(const trace::Trace& trace,
                                        std::span<const trace::SliceId> byStart,
                                        trace::SliceId slice) {
    if (slice >= trace.sliceCount()) {
        return std::nullopt;
    }
    const auto found = std::ranges::lower_bound(
        byStart, std::tuple(trace.start(slice), slice), {},
        [&trace](trace::SliceId other) { return std::tuple(trace.start(other), other); });
    return found == byStart.end() || *found != slice
               ? std::nullopt
               : std::optional(static_cast<std::size_t>(found - byStart.begin()));
}

void sortSlices(const LaneIndex& rows, const RowNames& names, std::vector<trace::SliceId>& slices,
                SliceKey key, SortOrder order) {
    const trace::Trace& trace = rows.trace();
    const auto byText = [&](std::size_t ids, auto idOf, auto textOf) {
        const auto places = placesOfTexts(slices, ids, idOf, textOf);
        sortBy(slices, order, [&](trace::SliceId slice) { return places[idOf(slice)]; });
    };
    switch (key) {
        case SliceKey::Name:
            byText(
                trace.names().size(), [&](trace::SliceId slice) { return trace.nameId(slice); },
                [&](std::uint32_t id) { return std::string(trace.text(id)); });
            break;
        case SliceKey::Category:
            byText(
                std::size_t{1} << (8 * sizeof(trace::CategoryId)),
                [&](trace::SliceId slice) { return trace.categoryId(slice); },
                [&](std::uint32_t id) {
                    return std::string(trace.categoryText(static_cast<trace::CategoryId>(id)));
                });
            break;
        case SliceKey::Row:
            byText(
                rows.trackCount(), [&](trace::SliceId slice) { return rows.trackOf(slice); },
                [&](std::uint32_t id) { return names.whole(id); });
            break;
        case SliceKey::Start:
            sortBy(slices, order, [&](trace::SliceId slice) { return trace.start(slice); });
            break;
        case SliceKey::Duration:
            sortBy(slices, order, [&](trace::SliceId slice) { return trace.duration(slice); });
            break;
    }
}

}  // namespace kinetoscope::query
