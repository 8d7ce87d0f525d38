// SPDX-License-Identifier: Apache-2.0
// libFuzzer: any text as CSV: as a table of metrics, and as what Nsight Compute prints.
#include "core/metrics/Csv.h"
#include "core/ncu/Profile.h"
#include "tests/fuzz/Require.h"

using namespace kinetoscope;
using namespace kinetoscope::test;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text = textOf(data, size);
    if (const auto table = metrics::parseCsv(text); !table) {
        requireLine(table.error().message);
    }
    const auto profile = ncu::parseProfile(text);
    if (!profile) {
        requireLine(profile.error().message);
        return 0;
    }
    for (const ncu::Launch& launch : profile->launches) {
        require(launch.values.size() == profile->metrics.size(),
                "a launch without a value for each");
    }
    return 0;
}
