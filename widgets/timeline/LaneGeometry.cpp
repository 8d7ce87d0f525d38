// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/timeline/LaneGeometry.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <thread>
#include <vector>

#include "core/base/Threads.h"

namespace kinetoscope::timeline {

namespace {

// Filling the lanes is half of a frame over millions of slices, of which four leave little.
constexpr std::size_t kMaxThreads = 4;
// The most series of one counter that are drawn; more lines cannot be distinguished.
constexpr std::size_t kMaxSeries = 32;
// Instants of one column that are asked whether they stand for all rows.
constexpr std::uint32_t kMaxChecked = 64;

class GeometryMaker {
public:
    GeometryMaker(query::LaneIndex& index, const TimelineRows& rows, const query::TrackMarks& marks,
                  const GeometrySpec& spec)
        : m_index(index), m_rows(rows), m_marks(marks), m_spec(spec) {
        m_geometry.spec = spec;
    }

    TimelineGeometry run() {
        for (const std::size_t row : m_rows.inView(m_spec.view())) {
            const TimelineRow& one = m_rows.rows()[row];
            m_shift = m_rows.shift(one, m_spec.view());
            m_clipTop = one.pinned ? 0 : m_spec.pinned;
            m_clipBottom = one.pinned ? m_spec.pinned : m_spec.height;
            addRow(row);
        }
        m_geometry.pinnedRows =
            static_cast<std::size_t>(std::ranges::count_if(m_rows.rows(), &TimelineRow::pinned));
        fillLanes();
        return std::move(m_geometry);
    }

private:
    /// Of a height of the row that is being added.
    [[nodiscard]] int deviceY(int y) const {
        return static_cast<int>(std::lround((y + m_shift) * m_spec.scale));
    }
    [[nodiscard]] std::int32_t columnOf(TimeNs time) const {
        const double share = static_cast<double>(time - m_spec.visible.start) /
                             static_cast<double>(m_spec.visible.duration());
        return static_cast<std::int32_t>(std::floor(share * m_spec.columns));
    }

    void addRow(std::size_t index) {
        const TimelineRow& row = m_rows.rows()[index];
        if (m_spec.visible.empty() || m_spec.columns <= 0) {
            return;
        }
        if (row.kind == RowKind::Group) {
            const int height = m_rows.metrics().instantHeight;
            addInstants(index, m_marks.processInstants(row.process),
                        row.bottom() - height - m_rows.metrics().rowPadding, height);
            if (row.collapsed) {
                addGroup(index);
            }
            return;
        }
        if (row.kind == RowKind::Counter) {
            addCounters(index);
            return;
        }
        addLanes(index);
        addInstants(index, m_marks.instants(row.track), row.top + m_rows.metrics().rowPadding,
                    row.marksHeight > 0 ? row.marksHeight : m_rows.metrics().laneHeight);
    }

    void addLanes(std::size_t index) {
        const TimelineRow& row = m_rows.rows()[index];
        const auto lanes = static_cast<std::uint32_t>(m_index.laneCount(row.track));
        const int laneHeight = m_rows.metrics().laneHeight;
        const int above = m_clipTop - m_shift - m_rows.laneTop(row, 0);
        for (auto lane = static_cast<std::uint32_t>(std::max(0, above / laneHeight)); lane < lanes;
             ++lane) {
            const int top = m_rows.laneTop(row, lane);
            if (top + m_shift >= m_clipBottom) {
                break;
            }
            // One logical pixel stays free between lanes.
            m_geometry.lanes.push_back(
                {index, lane, deviceY(top), deviceY(top + laneHeight - 1), {}});
            m_lanes.push_back(m_index.lane(row.track, lane));
        }
    }

    /// The lanes do not depend on each other.
    void fillLanes() {
        std::atomic<std::size_t> next = 0;
        const auto fill = [&] {
            for (std::size_t at = next++; at < m_lanes.size(); at = next++) {
                m_geometry.lanes[at].items = query::slicesInView(m_index.trace(), m_lanes[at],
                                                                 m_spec.visible, m_spec.columns);
            }
        };
        const std::size_t threads = std::min<std::size_t>(
            {m_lanes.size(), kMaxThreads, std::max(std::thread::hardware_concurrency(), 1U)});
        runOnThreads(static_cast<unsigned>(threads), fill);
    }

    void addInstants(std::size_t index, std::span<const std::uint32_t> rows, int top, int height) {
        const auto all = m_index.trace().instants();
        const auto timeOf = [&](std::uint32_t mark) { return all[mark].time; };
        auto at = std::ranges::lower_bound(rows, m_spec.visible.start, {}, timeOf);
        while (at != rows.end() && timeOf(*at) < m_spec.visible.end) {
            const std::int32_t column = columnOf(timeOf(*at));
            const auto next = std::partition_point(at, rows.end(), [&](std::uint32_t mark) {
                return columnOf(timeOf(mark)) <= column;
            });
            const auto count = static_cast<std::uint32_t>(next - at);
            const auto isGlobal = [&](std::uint32_t mark) { return all[mark].scope == 'g'; };
            m_geometry.instants.push_back(
                {index, column, deviceY(top), deviceY(top + height - 1), *at, count,
                 std::any_of(at, at + std::min(count, kMaxChecked), isGlobal)});
            at = next;
        }
    }

    void addCounters(std::size_t index) {
        const TimelineRow& row = m_rows.rows()[index];
        const trace::Trace& trace = m_index.trace();
        const int padding = m_rows.metrics().rowPadding;
        const auto all = m_marks.counters(row.track);
        const query::CounterScale scale = query::counterScale(trace, all);
        for (const query::CounterSeries& series : all.first(std::min(all.size(), kMaxSeries))) {
            m_geometry.counters.push_back(
                {index, deviceY(row.top + padding), deviceY(row.bottom() - padding), &series, scale,
                 &series == &all.front(),
                 query::counterColumns(trace, series, m_spec.visible, m_spec.columns)});
        }
    }

    void addGroup(std::size_t index) {
        const TimelineRow& row = m_rows.rows()[index];
        const int padding = m_rows.metrics().rowPadding;
        GroupStrip strip{index, deviceY(row.top + padding), deviceY(row.bottom() - padding), {}};
        strip.busy.resize(static_cast<std::size_t>(m_spec.columns));
        for (const TimelineRow& track : m_rows.tracksOf(row.process)) {
            const std::size_t lanes =
                track.kind == RowKind::Slices ? m_index.laneCount(track.track) : 0;
            for (std::size_t lane = 0; lane < lanes; ++lane) {
                addBusy(m_index.lane(track.track, lane), strip.busy);
            }
        }
        m_geometry.groups.push_back(std::move(strip));
    }

    // An annotation lasts whether something runs below it or not.
    void addBusy(const query::Lane& lane, std::vector<float>& busy) const {
        for (const query::ViewItem& item :
             query::slicesInView(m_index.trace(), lane, m_spec.visible, m_spec.columns)) {
            const trace::Category category = trace::categoryKind(item.category);
            if (category == trace::Category::GpuUserAnnotation ||
                category == trace::Category::UserAnnotation) {
                continue;
            }
            for (std::int32_t column = item.first; column < item.last; ++column) {
                float& share = busy[static_cast<std::size_t>(column)];
                share = std::max(share, item.busy);
            }
        }
    }

    query::LaneIndex& m_index;
    const TimelineRows& m_rows;
    const query::TrackMarks& m_marks;
    GeometrySpec m_spec;
    // Of the row that is being added, in logical pixels.
    int m_shift = 0;
    int m_clipTop = 0;
    int m_clipBottom = 0;
    TimelineGeometry m_geometry;
    std::vector<query::Lane> m_lanes;  // of m_geometry.lanes
};

int distance(const query::ViewItem& item, int column) {
    return std::max({0, item.first - column, column - (item.last - 1)});
}

}  // namespace

TimelineGeometry layOutGeometry(query::LaneIndex& index, const TimelineRows& rows,
                                const query::TrackMarks& marks, const GeometrySpec& spec) {
    return GeometryMaker(index, rows, marks, spec).run();
}

std::optional<TimelineHit> hitTest(const TimelineGeometry& geometry, int column, int y, int slack) {
    for (const LaneStrip& strip : geometry.lanes) {
        if (y < strip.top || y >= strip.bottom || !geometry.shows(strip.row, y)) {
            continue;
        }
        const query::ViewItem* best = nullptr;
        const auto after =
            std::ranges::upper_bound(strip.items, column, {}, &query::ViewItem::first);
        for (auto at = after == strip.items.begin() ? after : after - 1;
             at != strip.items.end() && at <= after; ++at) {
            const int away = distance(*at, column);
            if (away <= slack && (best == nullptr || away < distance(*best, column))) {
                best = &*at;
            }
        }
        if (best != nullptr) {
            return TimelineHit{&strip, best};
        }
    }
    return std::nullopt;
}

const InstantMark* hitInstant(const TimelineGeometry& geometry, int column, int y, int slack) {
    const InstantMark* best = nullptr;
    for (const InstantMark& mark : geometry.instants) {
        const int away = std::abs(mark.column - column);
        if (y >= mark.top && y < mark.bottom && away <= slack && geometry.shows(mark.row, y) &&
            (best == nullptr || away < std::abs(best->column - column))) {
            best = &mark;
        }
    }
    return best;
}

}  // namespace kinetoscope::timeline
