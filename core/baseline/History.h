// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <stop_token>
#include <string>
#include <vector>

#include "core/baseline/BaselineStore.h"
#include "core/stats/ChangePoints.h"

namespace kinetoscope::baseline {

struct HistoryPoint {
    std::size_t entry = 0;  ///< row of History::entries
    double valueNs = 0.0;
    double lowNs = 0.0;  ///< as in Measure
    double highNs = 0.0;
};

/// One figure over time.
struct HistorySeries {
    std::string name;
    std::vector<HistoryPoint> points;
    std::vector<stats::ChangePoint> changes;  ///< `entry` is a row of `points`

    /// The change that starts at a row of `points`; null without one.
    [[nodiscard]] const stats::ChangePoint* changeAt(std::size_t point) const;
};

struct History {
    std::string name;
    std::vector<Entry> entries;                   ///< oldest first, without their measures
    std::vector<std::vector<std::string>> files;  ///< of each entry, where they are
    std::size_t leftOut = 0;  ///< entries that are not comparable with the latest one, or older
    std::string ofAll;  ///< what "all" is of, where the rows of the entries differ; else empty
    double tolerance = 0.0;
    std::vector<HistorySeries> series;  ///< the whole first
    std::size_t wholes = 1;  ///< how many of these, as far as they are of the requested names
    std::vector<std::string> problems;  ///< a line for each entry that cannot be read
};

struct HistoryOptions {
    std::string gpu;         ///< part of a GPU's name; empty: that of the latest entry
    std::string series;      ///< part of the names of series; empty: all
    std::size_t last = 200;  ///< entries, the latest; 0: all
    std::stop_token stop = {};
};

/// The comparable entries of a baseline, and where their figures changed by stats::changePoints().
/// Fails in one line if there is none, or none of the requested kind.
[[nodiscard]] Result<History> loadHistory(const BaselineStore& store, const std::string& name,
                                          const HistoryOptions& options = {});

}  // namespace kinetoscope::baseline
