// SPDX-License-Identifier: Apache-2.0
#include "core/cut/Cut.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "core/analysis/WindowScope.h"
#include "core/base/Threads.h"
#include "core/cut/CutSelection.h"
#include "core/import/event/GenericReader.h"
#include "core/import/repair/JsonRepair.h"
#include "core/import/repair/StrictJson.h"
#include "core/import/scan/JsonScan.h"
#include "core/import/source/Expansion.h"
#include "core/json/Json.h"
#include "core/text/Output.h"
#include "core/text/OutputFile.h"

namespace kinetoscope::cut {

namespace {

constexpr std::size_t kWriteBytes = 1024 * 1024;

// A part of a part has no more whole steps than that.
TimeSpan wholeWindow(const trace::Trace& trace, TimeSpan window) {
    return trace.info().cutWindow ? trace.info().cutWindow->clip(window) : window;
}

std::string beginning(const trace::Trace& trace, const CutOptions& options, CutSummary& summary) {
    const TimeSpan window = wholeWindow(trace, summary.window);
    // Comes first: by their first key documents of other tools are known.
    std::string text = fmt::format(
        "{{\n  \"kinetoscopeCut\": {{\"file\": {}, \"window\": {}, \"start_ns\": {}, \"end_ns\": "
        "{}}},\n",
        json::quotedJson(trace.info().path),
        json::quotedJson(analysis::describeWindow(options.window)), window.start, window.end);
    for (const trace::RunField& field : trace.info().fields) {
        // Those of an earlier cut are dropped: the new key describes the origin, the events follow.
        if (field.key == "kinetoscopeCut" || field.key == "traceEvents") {
            continue;
        }
        const std::string json = import::repair::repairedJson(field.json);
        summary.repairedKeys += json != field.json ? 1U : 0U;
        text += fmt::format("  {}: {},\n", json::quotedJson(field.key),
                            json.empty() ? json::quotedJson(field.json) : json);
    }
    return text + "  \"traceEvents\": [\n";
}

// Of a name that is not a string the trace shows what is written, which repairing may write in
// another way: it becomes a string.
std::string repairedEvent(std::string_view text) {
    namespace event = import::event;
    const std::string padded = std::string(text) + std::string(import::scan::kTextPadding, '\0');
    const char* const begin = padded.data();
    event::RawEvent raw;
    if (!event::readEitherWay(begin, begin + text.size(), raw).complete) {
        return import::repair::repairedJson(text);
    }
    const import::scan::JsonText& name = raw[event::EventField::Name];
    if (name.data == nullptr || name.kind == import::scan::JsonKind::String ||
        name.view() == "null") {
        return import::repair::repairedJson(text);
    }
    const auto at = static_cast<std::size_t>(name.data - begin);
    return import::repair::repairedJson(fmt::format(
        "{}{}{}", text.substr(0, at), json::quotedJson(name.view()), text.substr(at + name.size)));
}

// Writes the event's text if that is strict JSON, else its repaired form.
Result<void> copyEvent(const trace::ListedEvent& event, text::Output& output, CutSummary& summary) {
    std::string_view text = event.json;
    std::string repaired;
    if (!import::repair::isStrictCopy(text)) {
        repaired = repairedEvent(text);
        (repaired.empty() ? summary.unrepairable : summary.repaired).add(event.offset);
        if (repaired.empty()) {
            return {};
        }
        text = repaired;
    }
    output.text += summary.kept++ == 0 ? "" : ",\n";
    output.text += text;
    return output.flush(kWriteBytes);
}

Result<void> copyEvents(const trace::Trace& trace, const CutOptions& options,
                        CutSelection& selection, text::Output& output, CutSummary& summary) {
    const auto copyKept = [&](const trace::ListedEvent& event) {
        ++summary.events;
        return selection.keeps(event) ? copyEvent(event, output, summary) : Result<void>{};
    };
    return trace.eventText()->forEach(copyKept, options.stop, options.progress);
}

// A name that promises what is not written there.
Result<void> refuseOtherCompression(const std::string& output) {
    for (const char* ending : {".zst", ".xz", ".bz2", ".zip"}) {
        if (output.ends_with(ending)) {
            return fail(
                fmt::format("'{}': is not written as {}; let the name end in .json or "
                            ".json.gz",
                            output, ending));
        }
    }
    return {};
}

Result<void> refuseOwnInput(const std::string& input, const std::string& output) {
    std::error_code error;
    if (std::filesystem::equivalent(input, output, error)) {
        return fail(fmt::format("'{}': is the input file; write to another one", output));
    }
    return {};
}

// Recordings hold a name once, JSON with each of its events.
text::OutputLimit limitOf(const trace::Trace& trace, const std::string& output) {
    const std::uint64_t bytes = trace.info().fileBytes;
    return {import::source::largestText(bytes),
            fmt::format("'{}': would be {}", output, import::source::expansionLimitWords(bytes))};
}

Result<CutSummary> writePart(const trace::Trace& trace, const CutOptions& options) {
    const std::string& input = trace.info().path;
    auto allowed = refuseOwnInput(input, options.output);
    if (allowed) {
        allowed = refuseOtherCompression(options.output);
    }
    if (!allowed) {
        return tl::unexpected(allowed.error());
    }
    const auto span = analysis::windowSpan(trace, options.window);
    if (!span) {
        return tl::unexpected(span.error());
    }
    if (trace.eventText() == nullptr) {
        return fail(
            fmt::format("'{}': cannot be read a second time; save it to a file first", input));
    }
    auto file = text::OutputFile::create(options.output);
    if (!file) {
        return tl::unexpected(file.error());
    }
    CutSelection selection(trace, *span);
    CutSummary summary;
    summary.window = *span;
    summary.windowInOutput = {span->start - selection.firstStart(),
                              span->end - selection.firstStart()};
    if (options.progress != nullptr) {
        options.progress->start(trace.info().fileBytes);
    }
    text::Output output(std::move(*file), options.output.ends_with(".gz"),
                        limitOf(trace, options.output));
    output.text = beginning(trace, options, summary);
    auto done = copyEvents(trace, options, selection, output, summary);
    if (done && !selection.hasSeenAll()) {
        done = fail(
            fmt::format("'{}': not all of its events were found again: it has changed since it was "
                        "opened, or is damaged",
                        input));
    }
    if (!done) {
        return tl::unexpected(done.error());
    }
    output.text += "\n  ]\n}\n";
    return output.finish().map([&](std::uint64_t bytes) {
        summary.outputBytes = bytes;
        return summary;
    });
}

}  // namespace

Result<CutSummary> cutTrace(const trace::Trace& trace, const CutOptions& options) {
    return guarded([&] { return writePart(trace, options); });
}

}  // namespace kinetoscope::cut
