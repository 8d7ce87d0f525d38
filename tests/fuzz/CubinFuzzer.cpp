// SPDX-License-Identifier: Apache-2.0
// libFuzzer: any bytes as a compiled kernel. Nothing outside of them is read, and what was read
// would fit a launch.
#include "core/bench/plan/Cubin.h"
#include "tests/fuzz/Require.h"

using namespace kinetoscope;
using namespace kinetoscope::test;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto cubin = bench::plan::readCubin(textOf(data, size));
    if (!cubin) {
        requireLine(cubin.error().message);
        return 0;
    }
    require(cubin->kernels.size() <= size, "more kernels than bytes");
    for (const bench::plan::CubinKernel& kernel : cubin->kernels) {
        require(kernel.name.size() <= size, "a name longer than the file");
        require(kernel.parameters.size() <= size, "more parameters than bytes");
    }
    return 0;
}
