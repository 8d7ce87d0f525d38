// SPDX-License-Identifier: Apache-2.0
#include "core/baseline/SharedRows.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <span>
#include <string>

#include "core/stats/Statistics.h"

namespace kinetoscope::baseline {

namespace {

using Names = std::set<std::string>;

std::span<const Measure> rowsOf(const Entry& entry) {
    return std::span(entry.measures).subspan(entry.wholes());
}

// Of rows that every run of the entry measured.
Names namesOf(const Entry& entry) {
    Names names;
    for (const Measure& row : rowsOf(entry)) {
        if (row.runs.size() == entry.benchTime()->runs.size()) {
            names.insert(row.name);
        }
    }
    return names;
}

Measure sumOf(const Entry& entry, const Names& names) {
    Measure all = *entry.benchTime();
    std::ranges::fill(all.runs, 0.0);
    for (const Measure& row : rowsOf(entry)) {
        for (std::size_t i = 0; names.contains(row.name) && i < all.runs.size(); ++i) {
            all.runs[i] += row.runs[i];
        }
    }
    const stats::SampleSummary summary = stats::summarize(all.runs);
    all.value = summary.median;
    all.low = summary.low;
    all.high = summary.high;
    return all;
}

Names sharedBy(const std::vector<Names>& all) {
    Names shared = all.back();
    for (const Names& names : all) {
        std::erase_if(shared, [&names](const std::string& name) { return !names.contains(name); });
    }
    return shared;
}

}  // namespace

std::string sumSharedRows(std::vector<Entry>& entries) {
    std::vector<Names> names;
    Names any;
    for (const Entry& entry : entries) {
        if (entry.benchTime() == nullptr) {
            return {};
        }
        names.push_back(namesOf(entry));
        any.insert(names.back().begin(), names.back().end());
    }
    const Names shared = sharedBy(names);
    if (shared.size() == any.size()) {
        return {};
    }
    for (std::size_t i = 0; i < entries.size(); ++i) {
        std::vector<Measure>& measures = entries[i].measures;
        if (!shared.empty()) {
            measures.front() = sumOf(entries[i], shared);
        } else if (names[i] != names.back()) {
            measures.erase(measures.begin());
        }
    }
    if (shared.empty()) {
        return "all: only of entries with the rows of the latest one";
    }
    const std::size_t others = any.size() - shared.size();
    return fmt::format("all: the {} row{} that every entry has, not {} other{}", shared.size(),
                       shared.size() == 1 ? "" : "s", others, others == 1 ? "" : "s");
}

}  // namespace kinetoscope::baseline
