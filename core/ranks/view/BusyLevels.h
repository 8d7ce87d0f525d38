// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/query/Intervals.h"
#include "core/ranks/RankRecord.h"

namespace kinetoscope::ranks::view {

/// Parts of a time in 255ths: what a GPU computed, and communicated and copied beside it. What
/// took any time is 1 at least.
struct BusyShare {
    std::uint8_t compute = 0;
    std::uint8_t communication = 0;
    std::uint8_t copies = 0;

    friend bool operator==(BusyShare, BusyShare) = default;
};

/// The work of one rank's GPU over time, at resolutions that each halve the one before: drawing any
/// part of it costs as much as it has columns. Made from a record, which is not needed afterwards;
/// 6 bytes a bucket.
class BusyLevels {
public:
    static constexpr std::size_t kBuckets = 8192;

    BusyLevels() = default;
    explicit BusyLevels(const RankRecord& record, std::size_t buckets = kBuckets);

    /// Averages of `columns.size()` equal parts of `visible`, which is on the rank's own clock.
    /// `record` is that of the constructor: few spans are looked at themselves.
    void draw(const RankRecord& record, TimeSpan visible, std::span<BusyShare> columns) const;

    /// First to last moment in which the GPU did anything.
    [[nodiscard]] TimeSpan extent() const { return m_extent; }

private:
    void drawSpans(const RankRecord& record, TimeSpan visible, std::span<BusyShare> columns) const;
    void drawLevel(TimeSpan visible, std::span<BusyShare> columns) const;

    TimeSpan m_extent;
    TimeNs m_bucketNs = 1;
    std::vector<std::vector<BusyShare>> m_levels;  ///< finest first
    std::vector<TimeSpan> m_communication;         ///< exposed, disjoint
};

}  // namespace kinetoscope::ranks::view
