// SPDX-License-Identifier: Apache-2.0
// libFuzzer: any text as a generated kernel, and as a module with kernels in it. It is read or
// refused in one line, and what was read lies within the text.
#include "core/metrics/KernelSource.h"
#include "tests/fuzz/Require.h"

using namespace kinetoscope;
using namespace kinetoscope::test;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string text(textOf(data, size));
    (void)metrics::looksLikeKernelSource(text);
    const auto kernel = metrics::parseKernelSource(text, "kernel.py");
    if (kernel) {
        require(kernel->bodyStart <= kernel->functionText.size(), "a body behind the function");
        require(text.find(kernel->functionText) != std::string::npos, "a function not of the text");
        require(kernel->kernelsInFile > 0, "no kernel in the file of one");
    } else {
        requireLine(kernel.error().message);
    }
    const auto kernels = metrics::embeddedKernels(text);
    if (!kernels) {
        requireLine(kernels.error().message);
        return 0;
    }
    for (const metrics::EmbeddedKernel& embedded : *kernels) {
        if (const auto read = metrics::parseKernelSource(embedded.text, embedded.path); !read) {
            requireLine(read.error().message);
        }
    }
    return 0;
}
