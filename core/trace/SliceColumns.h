// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>
#include <ranges>
#include <span>
#include <vector>

#include "core/base/StringPool.h"
#include "core/base/Time.h"
#include "core/trace/Category.h"
#include "core/trace/PackedNumbers.h"

namespace kinetoscope::trace {

using SliceId = std::uint32_t;  ///< row of the slice columns, in file order
using TrackId = std::uint32_t;  ///< row of Trace::tracks()

inline constexpr SliceId kNoSlice = std::numeric_limits<SliceId>::max();
/// "The event has no such id" (correlation, External id).
inline constexpr std::int64_t kNoId = PackedNumbers::kNone;

/// A slice as the importer has decoded it.
struct SliceInput {
    TimeNs start = 0;
    TimeNs duration = 0;
    std::int64_t correlation = kNoId;
    std::int64_t externalId = kNoId;
    std::uint64_t offset = 0;  ///< in the text
    NameId name = kEmptyName;
    TrackId track = 0;
    CategoryId category = 0;
};

/// The slices of a trace, 37 bytes each: fresh memory is what loading pays for most.
class SliceColumns {
public:
    [[nodiscard]] std::size_t size() const { return m_start.size(); }
    [[nodiscard]] TimeNs start(SliceId slice) const { return m_start[slice]; }
    [[nodiscard]] TimeNs duration(SliceId slice) const { return m_duration[slice]; }
    [[nodiscard]] std::int64_t correlation(SliceId slice) const { return m_correlation[slice]; }
    [[nodiscard]] std::int64_t externalId(SliceId slice) const { return m_externalId[slice]; }
    [[nodiscard]] std::uint64_t offset(SliceId slice) const { return m_offset[slice]; }
    [[nodiscard]] std::span<const NameId> names() const { return m_name; }
    [[nodiscard]] std::span<const TrackId> tracks() const { return m_track; }
    [[nodiscard]] std::span<const CategoryId> categories() const { return m_category; }

    void reserve(std::size_t rows);
    [[nodiscard]] std::size_t capacity() const { return m_start.capacity(); }
    /// Adds the rows, each id as the function gives it.
    template <class NameOf, class TrackOf, class CategoryOf>
    void append(std::span<const SliceInput> rows, const NameOf& nameOf, const TrackOf& trackOf,
                const CategoryOf& categoryOf) {
        add(m_start, rows, &SliceInput::start);
        m_duration.append(std::views::transform(rows, &SliceInput::duration));
        m_correlation.append(std::views::transform(rows, &SliceInput::correlation));
        m_externalId.append(std::views::transform(rows, &SliceInput::externalId));
        add(m_offset, rows, &SliceInput::offset);
        add(m_name, rows, [&](const SliceInput& row) { return nameOf(row.name); });
        add(m_track, rows, [&](const SliceInput& row) { return trackOf(row.track); });
        add(m_category, rows, [&](const SliceInput& row) { return categoryOf(row.category); });
    }
    void setExternalId(SliceId slice, std::int64_t id) { m_externalId.set(slice, id); }
    void describe(SliceId slice, NameId name, CategoryId category, std::int64_t correlation) {
        m_name[slice] = name;
        m_category[slice] = category;
        m_correlation.set(slice, correlation);
    }
    void setDuration(SliceId slice, TimeNs duration) { m_duration.set(slice, duration); }

private:
    template <class T, class ValueOf>
    static void add(std::vector<T>& column, std::span<const SliceInput> rows, ValueOf valueOf) {
        const auto values = std::views::transform(rows, valueOf);
        column.insert(column.end(), values.begin(), values.end());
    }

    std::vector<TimeNs> m_start;
    PackedNumbers m_duration;
    PackedNumbers m_correlation;
    PackedNumbers m_externalId;
    std::vector<std::uint64_t> m_offset;
    std::vector<NameId> m_name;
    std::vector<TrackId> m_track;
    std::vector<CategoryId> m_category;
};

}  // namespace kinetoscope::trace
