// SPDX-License-Identifier: Apache-2.0
#include "core/export/Cut.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>

#include "core/analysis/WindowScope.h"
#include "core/export/CutSelection.h"
#include "core/export/EventWalk.h"
#include "core/export/GzipWriter.h"
#include "core/export/JsonRepair.h"
#include "core/export/OutputFile.h"
#include "core/json/Json.h"

namespace kinetoscope {

namespace {

constexpr std::size_t kFlushAt = 1024 * 1024;

// Collects small pieces and hands large ones on, compressed or not.
class Writer {
public:
    Writer(OutputFile& file, bool gzip)
        : m_file(file), m_gzip(gzip ? std::make_unique<GzipWriter>(file) : nullptr) {}

    [[nodiscard]] Result<void> write(std::string_view text) {
        m_pending += text;
        return m_pending.size() < kFlushAt ? Result<void>{} : flush();
    }
    [[nodiscard]] Result<void> finish() {
        auto done = flush();
        if (done && m_gzip) {
            done = m_gzip->finish();
        }
        return done ? m_file.commit() : done;
    }

private:
    [[nodiscard]] Result<void> flush() {
        auto done = m_gzip ? m_gzip->write(m_pending) : m_file.write(m_pending);
        m_pending.clear();
        return done;
    }

    OutputFile& m_file;
    std::unique_ptr<GzipWriter> m_gzip;
    std::string m_pending;
};

std::string beginning(const Trace& trace, const CutOptions& options, TimeSpan window) {
    std::string text = "{\n";
    for (const RunField& field : trace.info().fields) {
        if (field.key == "kinetoscopeCut") {
            continue;  // of an earlier cut; the new one tells the origin
        }
        const std::string json = repairedJson(field.json);
        text += fmt::format("  {}: {},\n", quotedJson(field.key),
                            json.empty() ? quotedJson(field.json) : json);
    }
    text += fmt::format(
        "  \"kinetoscopeCut\": {{\"file\": {}, \"window\": {}, \"start_ns\": {}, \"end_ns\": "
        "{}}},\n",
        quotedJson(trace.info().path), quotedJson(describeWindow(options.window)), window.start,
        window.end);
    return text + "  \"traceEvents\": [\n";
}

// The event's text as strict JSON; empty when it can't be.
std::string strictText(const RawEvent& event, bool odd, CutSummary& summary) {
    const std::string_view raw(event.begin, static_cast<std::size_t>(event.end - event.begin));
    // Only escapes and bytes beyond ASCII can be wrong in what the strict reader accepts.
    const bool suspicious = odd || std::ranges::any_of(raw, [](char c) {
                                return c == '\\' || static_cast<unsigned char>(c) >= 0x80;
                            });
    if (!suspicious) {
        return std::string(raw);
    }
    std::string text = repairedJson(raw);
    summary.unrepairable += text.empty() ? 1U : 0U;
    summary.repaired += !text.empty() && text != raw ? 1U : 0U;
    return text;
}

Result<void> copyEvents(TextWindow& window, CutSelection& selection, Writer& writer,
                        CutSummary& summary) {
    EventWalk walk(window);
    if (!walk.enter() && !window.stopped()) {
        return fail("the file changed since it was read; try again");
    }
    RawEvent event;
    while (walk.next(event)) {
        ++summary.events;
        if (!selection.keeps(event)) {
            continue;
        }
        const std::string text = strictText(event, walk.isOdd(), summary);
        if (text.empty()) {
            continue;
        }
        if (auto written = writer.write((summary.kept++ == 0 ? "" : ",\n") + text); !written) {
            return written;
        }
    }
    return window.stopped() ? fail("cancelled", ErrorKind::Cancelled) : Result<void>{};
}

Result<void> refuseOwnInput(const std::string& input, const std::string& output) {
    std::error_code error;
    if (std::filesystem::equivalent(input, output, error)) {
        return fail(fmt::format("{} is the file that is read; give another name to -o", output));
    }
    return {};
}

}  // namespace

Result<CutSummary> cutTrace(const Trace& trace, const CutOptions& options) {
    const std::string& input = trace.info().path;
    if (auto allowed = refuseOwnInput(input, options.output); !allowed) {
        return tl::unexpected(allowed.error());
    }
    const auto span = windowSpan(trace, options.window);
    auto source = openTextSource(input);
    if (!span || !source) {
        return tl::unexpected(!span ? span.error() : source.error());
    }
    auto file = OutputFile::create(options.output);
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
    TextWindow window(**source, kTextChunk, options.stop);
    if (options.progress != nullptr) {
        window.whenAdvanced([&](std::uint64_t position) { options.progress->set(position); });
    }
    Writer writer(*file, options.output.ends_with(".gz"));
    auto done = writer.write(beginning(trace, options, *span));
    if (done) {
        done = copyEvents(window, selection, writer, summary);
    }
    if (done) {
        done = writer.write("\n  ]\n}\n");
    }
    if (done) {
        done = writer.finish();
    }
    if (!done) {
        return tl::unexpected(done.error());
    }
    summary.outputBytes = file->written();
    return summary;
}

}  // namespace kinetoscope
