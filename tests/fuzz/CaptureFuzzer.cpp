// SPDX-License-Identifier: Apache-2.0
// libFuzzer: any bytes as a capture. Sizes, sequence and checksums of its chunks are mended first,
// unless the first byte is 0, so that what they hold is read. See CaptureTrial for what must be so.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "core/base/TemporaryFiles.h"
#include "tests/support/CaptureBytes.h"
#include "tests/support/CaptureTrial.h"

using namespace kinetoscope;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const TemporaryFolder folder;
    static const test::CaptureTrial trial(folder.path());
    if (size < 2) {
        return 0;
    }
    std::string bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
    if (data[0] != 0) {
        test::mendCapture(bytes);
    }
    const std::string problem = trial.run(bytes);
    if (!problem.empty()) {
        std::fprintf(stderr, "wrong: %s\n", problem.c_str());
        std::abort();
    }
    return 0;
}
