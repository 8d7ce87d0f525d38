// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/Result.h"
#include "core/base/Time.h"

namespace kinetoscope::capture::counters {

/// How a sampled number becomes the value of a track.
enum class Scale : std::uint8_t {
    AsIs,
    BytesPerTime,  ///< bytes of a sample to GB/s
};

/// One series of a track: a metric of NVIDIA's.
struct Metric {
    std::string_view counter;  ///< of the track, with its unit
    std::string_view series;
    Scale scale = Scale::AsIs;
    std::vector<std::string_view> names;  ///< NVIDIA's, the preferred one first
};

/// The counters that one word of the option selects.
struct MetricGroup {
    std::string_view word;
    std::vector<Metric> metrics;
};

[[nodiscard]] std::span<const MetricGroup> metricGroups();

struct CounterRequest {
    std::vector<const MetricGroup*> groups;
    TimeNs interval = 0;  ///< between samples

    [[nodiscard]] bool empty() const { return groups.empty(); }
};

/// From "dram,sm,tensor,nvlink,pcie" or "dram:20us"; the interval is 20 µs where nothing is sampled
/// in each multiprocessor, else 100 µs, as those samples take longer to decode. Fails for unknown
/// words and for intervals outside of 5 µs to 100 ms.
[[nodiscard]] Result<CounterRequest> parseCounterRequest(std::string_view text);

}  // namespace kinetoscope::capture::counters
