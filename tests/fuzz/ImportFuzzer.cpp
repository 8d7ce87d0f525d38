// SPDX-License-Identifier: Apache-2.0
// libFuzzer: any bytes through the importer. The first byte chooses the size of the pieces that
// the text is read in. Every event that was kept must be readable at its offset, and every way of
// reading must give the same trace.
#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>

#include "core/import/event/GenericReader.h"
#include "core/import/event/TolerantReader.h"
#include "core/import/scan/VectorLevel.h"
#include "tests/fuzz/Require.h"
#include "tests/support/SameTrace.h"
#include "tests/support/TraceText.h"

using namespace kinetoscope;
using namespace kinetoscope::import;
using namespace kinetoscope::import::event;
using namespace kinetoscope::import::scan;
using namespace kinetoscope::import::source;
using namespace kinetoscope::trace;
using namespace kinetoscope::test;

namespace {

void checkTrace(const Trace& trace, std::string_view text) {
    const ImportLog& log = trace.log();
    require(log.skipped <= log.events, "more skipped than there are");
    // Documents of other tools are worded anew: their offsets are those of the words.
    if (trace.info().format != "Chrome JSON" && trace.info().format != "Kineto JSON") {
        return;
    }
    require(trace.sliceCount() + trace.instants().size() + trace.flows().size() <= log.events,
            "more kept than there are");
    const std::string padded = std::string(text) + std::string(kTextPadding, '\0');
    for (SliceId slice = 0; slice < trace.sliceCount(); ++slice) {
        require(trace.duration(slice) >= 0 && trace.end(slice) >= trace.start(slice),
                "a slice ends before it starts");
        require(trace.trackOf(slice) < trace.tracks().size(), "a slice without a track");
        const std::uint64_t offset = trace.offset(slice);
        require(offset < text.size(), "a slice behind the end");
        const char* end = padded.data() + text.size();
        RawEvent event;
        SyntaxIssues issues;
        require(readEvent(padded.data() + offset, end, event).complete ||
                    readEventTolerantly(padded.data() + offset, end, event, issues).complete,
                "no event where a slice was read");
        require(event.has(EventField::Phase), "an event without a phase");
    }
}

// What nlohmann's library finds in a text that it takes for whole JSON.
void checkAgainstAnotherReader(const Trace& trace, std::string_view text) {
    constexpr std::int64_t kMaxUs = 1'000'000'000;
    const auto isTime = [](const nlohmann::json& value) {
        return value.is_number_unsigned() && value.get<std::uint64_t>() <= kMaxUs;
    };
    std::size_t lists = 0;  // of events; the key may have escapes
    const auto count = [&lists](int depth, nlohmann::json::parse_event_t what,
                                const nlohmann::json& value) {
        lists += depth == 1 && what == nlohmann::json::parse_event_t::key && value == "traceEvents";
        return true;
    };
    const auto json = nlohmann::json::parse(text, count, false);
    const bool once = lists == 1;
    if (!json.is_object() || !json.contains("traceEvents") || !once ||
        !json["traceEvents"].is_array() || trace.info().format != "Kineto JSON") {
        return;
    }
    const auto& events = json["traceEvents"];
    require(trace.log().events == events.size(), "another number of events");
    std::size_t slices = 0;
    TimeNs sum = 0;
    for (const auto& event : events) {
        if (!event.is_object() || event.value("ph", nlohmann::json()) != "X" ||
            !isTime(event.value("ts", nlohmann::json())) ||
            !isTime(event.value("dur", nlohmann::json()))) {
            return;  // some of the rest makes slices as well
        }
        ++slices;
        sum += 1000 * event["dur"].get<TimeNs>();
    }
    for (SliceId slice = 0; slice < trace.sliceCount(); ++slice) {
        sum -= trace.duration(slice);
    }
    require(trace.sliceCount() == slices && sum == 0, "other slices than another reader finds");
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
            require(other.has_value(), "another reader finds no trace");
            const std::string difference = test::difference(trace, **other);
            require(difference.empty(), fmt::format("vectors {}, {} threads: {}",
                                                    static_cast<int>(level), threads, difference));
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
    LoadOptions options;
    options.threads = 1;
    const auto trace = importSource(source, "test.json", options,
                                    {.chunk = chunk, .readers = Readers::WithoutShapes});
    if (trace) {
        checkTrace(**trace, text);
        checkAgainstAnotherReader(**trace, text);
        checkReaders(**trace, text, chunk);
    } else {
        require(!trace.error().message.empty(), "an error without a message");
    }
    return 0;
}
