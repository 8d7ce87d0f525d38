// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/Result.h"

namespace kinetoscope::ncu {

/// What Nsight Compute measures of a launch. Times are in ns, sizes in byte, byte/s or hz.
struct Metric {
    std::string name;  ///< "gpu__time_duration.sum" of the raw page, "Duration" of the details
    std::string unit;  ///< empty: none

    friend bool operator==(const Metric&, const Metric&) = default;
};

struct Launch {
    std::string kernel;
    std::string grid;  ///< as written: "(64, 1, 1)"; may be empty
    std::string block;
    std::vector<double> values;  ///< of each metric; NaN: not measured
};

struct Profile {
    std::vector<Metric> metrics;  ///< in the order of the file
    std::vector<Launch> launches;
};

/// Whether a line of the text starts ncu's table of launches.
[[nodiscard]] bool namesKernels(std::string_view text);

/// What `ncu --csv` prints, or `ncu --import FILE --csv`, with `--page raw` or without. Lines
/// around the table are passed over.
[[nodiscard]] Result<Profile> parseProfile(std::string_view text);

}  // namespace kinetoscope::ncu
