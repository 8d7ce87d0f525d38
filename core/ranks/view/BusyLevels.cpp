// SPDX-License-Identifier: Apache-2.0
#include "core/ranks/view/BusyLevels.h"

#include <algorithm>
#include <cmath>

#include "core/ranks/parts/Spans.h"

namespace kinetoscope::ranks::view {

namespace {

// So many spans a column are drawn one by one; more would take longer than a level.
constexpr std::size_t kSpansPerColumn = 4;

/// The part of `disjoint` that touches `window`.
std::span<const TimeSpan> spansIn(std::span<const TimeSpan> disjoint, TimeSpan window) {
    const auto first = std::ranges::upper_bound(disjoint, window.start, {}, &TimeSpan::end);
    const auto last =
        std::lower_bound(first, disjoint.end(), window.end,
                         [](const TimeSpan& span, TimeNs end) { return span.start < end; });
    return {first, last};
}

/// The GPU's work, each kind disjoint and by start.
struct Kinds {
    std::vector<TimeSpan> compute;
    std::vector<TimeSpan> copies;
};

std::vector<TimeSpan> exposedCommunication(const RankRecord& record) {
    std::vector<TimeSpan> spans;
    spans.reserve(record.collectives.size());
    for (const CollectiveCall& call : record.collectives) {
        spans.push_back(call.span);
    }
    spans = query::unionOfUnsorted(std::move(spans));
    std::vector<TimeSpan> compute;
    for (const TimeSpan span : spans) {
        const auto beside = record.work.runs.spans(WorkKind::Compute, span);
        compute.insert(compute.end(), beside.begin(), beside.end());
    }
    return parts::without(spans, compute);
}

/// Time by buckets of equal length, of spans that come by their start. Millions of them are added:
/// without a division.
class Buckets {
public:
    Buckets(TimeNs start, TimeNs width, std::size_t count)
        : m_width(width), m_end(start + width), m_times(count) {}

    void add(TimeSpan span) {
        while (m_end <= span.start) {
            ++m_at;
            m_end += m_width;
        }
        TimeNs from = span.start;
        TimeNs end = m_end;
        std::size_t at = m_at;
        for (; end < span.end; end += m_width) {
            m_times[at++] += end - from;
            from = end;
        }
        m_times[at] += span.end - from;
    }
    [[nodiscard]] double share(std::size_t bucket) const {
        return static_cast<double>(m_times[bucket]) / static_cast<double>(m_width);
    }

private:
    TimeNs m_width;
    std::size_t m_at = 0;  ///< in which the last span began
    TimeNs m_end;          ///< of it
    std::vector<TimeNs> m_times;
};

/// Adds to each of the equal parts of `window` the time in it that the spans cover.
void spread(std::span<const TimeSpan> disjoint, TimeSpan window, std::vector<double>& parts) {
    std::ranges::fill(parts, 0.0);
    const double width = static_cast<double>(window.duration()) / static_cast<double>(parts.size());
    const auto last = static_cast<double>(parts.size());
    for (const TimeSpan span : spansIn(disjoint, window)) {
        const double from =
            std::clamp(static_cast<double>(span.start - window.start) / width, 0.0, last);
        const double to =
            std::clamp(static_cast<double>(span.end - window.start) / width, 0.0, last);
        auto at = static_cast<std::size_t>(from);
        for (double begin = from; begin < to && at < parts.size(); ++at) {
            const double end = std::min(to, static_cast<double>(at + 1));
            parts[at] += end - begin;
            begin = end;
        }
    }
}

std::uint8_t shareOf(double part) {
    return part <= 0.0 ? std::uint8_t{0}
                       : static_cast<std::uint8_t>(std::clamp(std::lround(part * 255.0), 1L, 255L));
}

/// The three kinds over equal parts of `window`.
void drawKinds(const Kinds& kinds, std::span<const TimeSpan> communication, TimeSpan window,
               std::span<BusyShare> columns) {
    std::vector<double> parts(columns.size());
    const auto draw = [&](std::span<const TimeSpan> spans, std::uint8_t BusyShare::*kind) {
        spread(spans, window, parts);
        for (std::size_t i = 0; i < parts.size(); ++i) {
            columns[i].*kind = shareOf(parts[i]);
        }
    };
    draw(kinds.compute, &BusyShare::compute);
    draw(communication, &BusyShare::communication);
    draw(kinds.copies, &BusyShare::copies);
}

/// Of several equal times.
BusyShare meanOf(std::span<const BusyShare> shares) {
    const auto mean = [&](std::uint8_t BusyShare::*kind) {
        std::uint32_t sum = 0;
        for (const BusyShare& share : shares) {
            sum += share.*kind;
        }
        const auto count = static_cast<std::uint32_t>(shares.size());
        return static_cast<std::uint8_t>(sum == 0 ? 0 : std::max(1U, (sum + count / 2) / count));
    };
    return {mean(&BusyShare::compute), mean(&BusyShare::communication), mean(&BusyShare::copies)};
}

}  // namespace

BusyLevels::BusyLevels(const RankRecord& record, std::size_t buckets)
    : m_extent(record.work.runs.extent()), m_communication(exposedCommunication(record)) {
    if (!m_communication.empty()) {
        const bool alone = m_extent.empty();
        m_extent.start = std::min(alone ? m_communication.front().start : m_extent.start,
                                  m_communication.front().start);
        m_extent.end = std::max(m_extent.end, m_communication.back().end);
    }
    if (m_extent.empty() || buckets == 0) {
        return;
    }
    m_bucketNs = m_extent.duration() / static_cast<TimeNs>(buckets) + 1;
    Buckets compute(m_extent.start, m_bucketNs, buckets);
    Buckets copies = compute;
    Buckets communication = compute;
    record.work.runs.forEach([&](TimeSpan span, WorkKind kind) {
        if (kind == WorkKind::Compute) {
            compute.add(span);
        } else if (kind == WorkKind::Copy) {
            copies.add(span);
        }
    });
    for (const TimeSpan span : m_communication) {
        communication.add(span);
    }
    std::vector<BusyShare>& finest = m_levels.emplace_back();
    for (std::size_t i = 0; i < buckets; ++i) {
        finest.push_back(
            {shareOf(compute.share(i)), shareOf(communication.share(i)), shareOf(copies.share(i))});
    }
    while (m_levels.back().size() > 1) {
        const std::span<const BusyShare> fine = m_levels.back();
        std::vector<BusyShare> coarse;
        for (std::size_t i = 0; i < fine.size(); i += 2) {
            coarse.push_back(meanOf(fine.subspan(i, std::min<std::size_t>(2, fine.size() - i))));
        }
        m_levels.push_back(std::move(coarse));
    }
}

void BusyLevels::draw(const RankRecord& record, TimeSpan visible,
                      std::span<BusyShare> columns) const {
    std::ranges::fill(columns, BusyShare());
    if (m_levels.empty() || visible.empty() || columns.empty()) {
        return;
    }
    const std::size_t spans =
        record.work.runs.mostIn(visible) + spansIn(m_communication, visible).size();
    const bool isFine = visible.duration() / static_cast<TimeNs>(columns.size()) < m_bucketNs;
    if (isFine || spans <= kSpansPerColumn * columns.size()) {
        drawSpans(record, visible, columns);
    } else {
        drawLevel(visible, columns);
    }
}

void BusyLevels::drawSpans(const RankRecord& record, TimeSpan visible,
                           std::span<BusyShare> columns) const {
    const WorkRuns& runs = record.work.runs;
    drawKinds({runs.spans(WorkKind::Compute, visible), runs.spans(WorkKind::Copy, visible)},
              m_communication, visible, columns);
}

void BusyLevels::drawLevel(TimeSpan visible, std::span<BusyShare> columns) const {
    const double column =
        static_cast<double>(visible.duration()) / static_cast<double>(columns.size());
    std::size_t level = 0;
    auto bucket = static_cast<double>(m_bucketNs);
    while (level + 1 < m_levels.size() && 2.0 * bucket <= column) {
        bucket *= 2.0;
        ++level;
    }
    const std::span<const BusyShare> shares = m_levels[level];
    const auto first = static_cast<double>(visible.start - m_extent.start);
    const auto last = static_cast<double>(shares.size());
    for (std::size_t i = 0; i < columns.size(); ++i) {
        const double from = (first + static_cast<double>(i) * column) / bucket;
        const double to = from + column / bucket;
        if (to <= 0.0 || from >= last) {
            continue;
        }
        const auto begin = static_cast<std::size_t>(std::max(0.0, from));
        const auto end = std::max<std::size_t>(
            begin + 1, static_cast<std::size_t>(std::lround(std::min(to, last))));
        columns[i] = meanOf(shares.subspan(begin, std::min(end, shares.size()) - begin));
    }
}

}  // namespace kinetoscope::ranks::view
