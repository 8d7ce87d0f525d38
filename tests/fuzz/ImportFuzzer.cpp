// SPDX-License-Identifier: Apache-2.0
// libFuzzer: any bytes through the importer. The first byte chooses the size of the pieces that
// the text is read in. Every event that was kept must be readable at its offset, and every way of
// reading must give the same trace.
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "core/import/GenericReader.h"
#include "core/import/TolerantReader.h"
#include "core/import/VectorKernels.h"
#include "tests/support/SameTrace.h"
#include "tests/support/TraceText.h"

using namespace kinetoscope;

namespace {

void require(bool condition) {
    if (!condition) {
        std::abort();
    }
}

void checkTrace(const Trace& trace, std::string_view text) {
    const ImportLog& log = trace.log();
    require(log.skipped <= log.events);
    require(trace.sliceCount() + trace.instants().size() + trace.flows().size() <= log.events);
    const std::string padded = std::string(text) + std::string(kTextPadding, '\0');
    for (SliceId slice = 0; slice < trace.sliceCount(); ++slice) {
        require(trace.duration(slice) >= 0 && trace.end(slice) >= trace.start(slice));
        require(trace.trackOf(slice) < trace.tracks().size());
        const std::uint64_t offset = trace.offset(slice);
        require(offset < text.size());
        const char* end = padded.data() + text.size();
        RawEvent event;
        Oddities oddities;
        require(readEvent(padded.data() + offset, end, event).complete ||
                readEventTolerantly(padded.data() + offset, end, event, oddities).complete);
        require(event.has(EventField::Phase));
    }
}

// The quick readers and several threads against the generic reader alone.
void checkReaders(const Trace& trace, std::string_view text, std::size_t chunk) {
    for (const VectorLevel level : {VectorLevel::Words, vectorLevels().back()}) {
        setVectorLevel(level);
        for (const unsigned threads : {1U, 2U}) {
            test::MemorySource source(text);
            LoadOptions options;
            options.threads = threads;
            const ReadTuning tuning{.chunk = chunk, .unitBytes = text.size() / 3 + 1};
            const auto other = importSource(source, "test.json", options, tuning);
            require(other.has_value() && test::difference(trace, **other).empty());
        }
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size < 2) {
        return 0;
    }
    const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
    const std::size_t chunk = data[0] == 0 ? kTextChunk : std::size_t{data[0]} * 4;
    test::MemorySource source(text);
    const auto trace = importSource(source, "test.json", {.threads = 1},
                                    {.chunk = chunk, .readers = Readers::WithoutShapes});
    if (trace) {
        checkTrace(**trace, text);
        checkReaders(**trace, text, chunk);
    } else {
        require(!trace.error().message.empty());
    }
    return 0;
}
