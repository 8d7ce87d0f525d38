// SPDX-License-Identifier: Apache-2.0
// libFuzzer: any bytes through the importers, with profiles and packets of protobuf messages and
// JSON of other tools as seeds.
#include "tests/fuzz/RequireTrace.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    (void)kinetoscope::test::requireTrace(kinetoscope::test::textOf(data, size));
    return 0;
}
