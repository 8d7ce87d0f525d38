// SPDX-License-Identifier: Apache-2.0
#include "core/import/chrome/WordedTrace.h"

#include <fmt/format.h>

#include "core/base/Threads.h"
#include "core/import/chrome/GrowingTrace.h"
#include "core/import/chrome/RunInfoReader.h"
#include "core/import/chrome/StoredEvents.h"
#include "core/import/chrome/TraceDocument.h"
#include "core/import/event/EventAssembler.h"
#include "core/import/source/SharedText.h"
#include "core/import/wire/WholeText.h"
#include "core/trace/ImportIssues.h"
#include "core/trace/TraceBuilder.h"

namespace kinetoscope::import::chrome {

namespace {

Result<std::shared_ptr<const trace::Trace>> readWorded(const ImportInput& input,
                                                       std::uint64_t textBytes,
                                                       WordedTrace worded) {
    source::SharedText text(std::make_shared<const std::string>(std::move(worded.json)));
    source::TextWindow window(text, source::kTextChunk, input.options.stop);
    trace::TraceBuilder builder;
    trace::IssueCounter issues;
    event::EventAssembler assembler(builder, issues);
    builder.setEventText(storedEvents(text));  // for snapshots
    GrowingTrace growing(builder, input.options, text.fileBytes());
    ImportInput inner{input.path, text.fileBytes(), window, input.options, input.tuning};
    TraceDocument document(inner, {builder, issues, assembler}, growing);
    if (const auto result = document.read(); !result) {
        return fail(fmt::format("'{}': {}", input.path, result.error().message),
                    result.error().kind);
    }
    assembler.finish();

    const source::TextSource& file = input.text.source();
    trace::RunInfo& info = builder.info();
    info.path = input.path;
    info.fileBytes = input.fileBytes;
    info.textBytes = textBytes;
    info.fields = document.takeFields();
    info.format = file.compression().empty()
                      ? worded.format
                      : fmt::format("{}, {}", worded.format, file.compression());
    readKnownFields(info);
    if (file.issue()) {
        issues.add(file.issue()->issue, textBytes, [&] { return file.issue()->example; });
    }
    if (file.changed()) {
        issues.add(trace::Issue::FileChanged, textBytes, [&] {
            return fmt::format("'{}': was written to while it was read", input.path);
        });
    }
    worded.log.skipped += document.skipped() + assembler.skipped();
    builder.log() = std::move(worded.log);
    issues.addTo(builder.log());
    return builder.finish();
}

}  // namespace

Result<std::shared_ptr<const trace::Trace>> readReworded(
    ImportInput& input, const std::function<Result<WordedTrace>(std::string_view)>& reword) {
    return guarded(
        [&]() -> Result<std::shared_ptr<const trace::Trace>> {
            wire::WholeText whole;
            const auto text = whole.load(input.text, input.options.stop, input.options.progress);
            if (!text) {
                return fail(fmt::format("'{}': {}", input.path, text.error().message));
            }
            auto worded = reword(*text);
            if (!worded) {
                return fail(fmt::format("'{}': {}", input.path, worded.error().message));
            }
            return readWorded(input, text->size(), std::move(*worded));
        },
        input.path);
}

}  // namespace kinetoscope::import::chrome
