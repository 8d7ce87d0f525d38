// SPDX-License-Identifier: Apache-2.0
// libFuzzer: any bytes as a pickle. It is read or refused with words that name the place; what was
// read is taken for a dump of the flight recorder and for a snapshot of memory.
#include "core/flight/ReadDump.h"
#include "core/memory/MemoryReport.h"
#include "core/memory/ReadSnapshot.h"
#include "core/pickle/ReadPickle.h"
#include "tests/fuzz/Require.h"

using namespace kinetoscope;
using namespace kinetoscope::test;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto document = pickle::readPickle(textOf(data, size));
    if (!document) {
        require(document.error().message.starts_with("is not a pickle"), document.error().message);
        return 0;
    }
    if (const auto dump = flight::dumpOf(*document); !dump) {
        requireLine(dump.error().message);
    }
    auto history = memory::historyOf(*document);
    if (!history) {
        requireLine(history.error().message);
        return 0;
    }
    (void)memory::reportOf(std::move(*history));
    return 0;
}
