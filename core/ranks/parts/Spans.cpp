// SPDX-License-Identifier: Apache-2.0
#include "core/ranks/parts/Spans.h"

#include <algorithm>

namespace kinetoscope::ranks::parts {

std::vector<TimeSpan> without(const std::vector<TimeSpan>& spans,
                              const std::vector<TimeSpan>& other) {
    std::vector<TimeSpan> left;
    auto next = other.begin();
    for (TimeSpan span : spans) {
        while (next != other.end() && next->end <= span.start) {
            ++next;
        }
        for (auto cut = next; cut != other.end() && cut->start < span.end; ++cut) {
            if (cut->start > span.start) {
                left.push_back({span.start, cut->start});
            }
            span.start = std::max(span.start, cut->end);
        }
        if (span.start < span.end) {
            left.push_back(span);
        }
    }
    return left;
}

}  // namespace kinetoscope::ranks::parts
