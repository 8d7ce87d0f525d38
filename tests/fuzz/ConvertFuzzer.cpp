// SPDX-License-Identifier: Apache-2.0
// libFuzzer: any text of a JSON trace, written as Perfetto's packets. Read back, its slices say the
// same.
#include <algorithm>

#include "core/convert/PerfettoWriter.h"
#include "tests/fuzz/Require.h"
#include "tests/support/MemoryFiles.h"
#include "tests/support/SliceRows.h"
#include "tests/support/TraceText.h"

using namespace kinetoscope;

namespace {

// Kernels that are begun and ended are slices alone; packets know no such difference.
bool hasLooseKernels(const trace::Trace& trace) {
    std::size_t operations = 0;
    for (trace::SliceId slice = 0; slice < trace.sliceCount(); ++slice) {
        const trace::Category kind = trace::categoryKind(trace.categoryId(slice));
        operations += trace::isGpuOperation(kind) ? 1U : 0U;
    }
    return operations != trace.gpuOperations().size();
}

// Packets tell the time since 1970, or so; much later than now cannot be told.
bool isFarAway(const trace::Trace& trace) {
    constexpr TimeNs kYears = 100'000'000'000'000'000;  // three
    const TimeNs base = trace.info().baseTimeNs.value_or(0);
    return trace.extent().start < -kYears || trace.extent().end > kYears || base < 0 ||
           base > 20 * kYears;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    import::LoadOptions oneThread;
    oneThread.threads = 1;
    const test::MemoryFile file(test::textOf(data, size));  // XLA's JSON is read twice
    const auto trace = import::loadTrace(file.path(), oneThread);
    if (!trace || (*trace)->sliceCount() == 0 || hasLooseKernels(**trace) || isFarAway(**trace)) {
        return 0;
    }
    test::Pipe pipe;
    convert::PerfettoOptions options;
    options.output = pipe.path();
    const auto summary = convert::writePerfettoTrace(**trace, options);
    test::require(summary.has_value(), summary ? "" : summary.error().message);
    const auto again = test::importText(pipe.content(), import::source::kTextChunk, oneThread);
    test::require(again.has_value(), again ? "" : again.error().message);
    const auto before = test::sliceRows(**trace);
    const auto after = test::sliceRows(**again);
    const auto [was, is] = std::ranges::mismatch(before, after);
    test::require(was == before.end() && is == after.end(),
                  "'" + (was == before.end() ? std::string() : *was) + "' became '" +
                      (is == after.end() ? std::string() : *is) + "'");
    return 0;
}
