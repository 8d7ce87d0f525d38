// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

namespace kinetoscope {

/// Sorts what is mostly sorted: traces list the events of each kind by time, so a track is a few
/// ascending runs. n log(runs), at worst n log n. Stable.
template <class T, class Less>
void sortRuns(std::span<T> values, Less less) {
    constexpr std::size_t kManyRuns = 1024;  // beyond this finding runs costs more than it saves
    std::vector<std::size_t> ends;
    for (std::size_t at = 0; at < values.size() && ends.size() <= kManyRuns;) {
        at = static_cast<std::size_t>(
            std::is_sorted_until(values.begin() + static_cast<std::ptrdiff_t>(at), values.end(),
                                 less) -
            values.begin());
        ends.push_back(at);
    }
    if (ends.size() > kManyRuns) {
        std::stable_sort(values.begin(), values.end(), less);
        return;
    }
    const auto iterator = [&values](std::size_t at) {
        return values.begin() + static_cast<std::ptrdiff_t>(at);
    };
    while (ends.size() > 1) {
        std::vector<std::size_t> merged;
        std::size_t begin = 0;
        for (std::size_t run = 0; run < ends.size(); run += 2) {
            const std::size_t end = run + 1 < ends.size() ? ends[run + 1] : ends[run];
            if (run + 1 < ends.size()) {
                std::inplace_merge(iterator(begin), iterator(ends[run]), iterator(end), less);
            }
            merged.push_back(end);
            begin = end;
        }
        ends = std::move(merged);
    }
}

}  // namespace kinetoscope
