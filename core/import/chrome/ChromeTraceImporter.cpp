// SPDX-License-Identifier: Apache-2.0
#include "core/import/chrome/ChromeTraceImporter.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/import/chrome/GrowingTrace.h"
#include "core/import/chrome/RunInfoReader.h"
#include "core/import/chrome/StoredEvents.h"
#include "core/import/chrome/TraceDocument.h"
#include "core/import/event/EventAssembler.h"
#include "core/trace/ImportIssues.h"
#include "core/trace/TraceBuilder.h"

namespace kinetoscope::import::chrome {

namespace {

std::string formatName(const trace::RunInfo& info, std::string_view compression) {
    static constexpr std::array<std::string_view, 4> kKinetoKeys{
        "schemaVersion", "deviceProperties", "baseTimeNanoseconds", "traceName"};
    const bool kineto = std::ranges::any_of(info.fields, [](const trace::RunField& field) {
        return std::ranges::find(kKinetoKeys, field.key) != kKinetoKeys.end();
    });
    const std::string_view name = kineto ? "Kineto JSON" : "Chrome JSON";
    return compression.empty() ? std::string(name) : fmt::format("{}, {}", name, compression);
}

}  // namespace

bool ChromeTraceImporter::recognises(std::string_view head) const {
    if (head.starts_with("\xEF\xBB\xBF")) {
        head.remove_prefix(3);
    }
    const std::size_t first = head.find_first_not_of(" \t\r\n");
    return first != std::string_view::npos && (head[first] == '{' || head[first] == '[');
}

Result<std::shared_ptr<const trace::Trace>> ChromeTraceImporter::read(ImportInput& input) const {
    trace::TraceBuilder builder;
    trace::IssueCounter issues;
    event::EventAssembler assembler(builder, issues);
    const source::TextSource& source = input.text.source();
    trace::RunInfo& info = builder.info();
    info.path = input.path;
    info.fileBytes = input.fileBytes;
    if (source.again() != nullptr) {
        builder.setEventText(
            storedEvents(source));  // for snapshots; others have it at the end only
    }
    GrowingTrace growing(builder, input.options, input.fileBytes);
    input.text.whenAdvanced([&growing](std::uint64_t position) { growing.advance(position); });
    TraceDocument document(input, {builder, issues, assembler}, growing);
    if (const auto result = document.read(); !result) {
        return fail(fmt::format("'{}': {}", input.path, result.error().message),
                    result.error().kind);
    }
    assembler.finish();

    info.textBytes = input.text.offsetOf(input.text.end());
    info.fields = document.takeFields();
    info.format = formatName(info, source.compression());
    readKnownFields(info);
    if (source.issue()) {
        issues.add(source.issue()->issue, info.textBytes, [&] { return source.issue()->example; });
    }
    if (source.changed()) {
        issues.add(trace::Issue::FileChanged, info.textBytes, [&] {
            return fmt::format("'{}': was written to while it was read", input.path);
        });
    }
    builder.log().events = document.elements();
    builder.log().skipped = document.skipped() + assembler.skipped();
    auto text = storedEvents(source);
    if (auto completed = complete(input, builder, text.get()); !completed) {
        return tl::unexpected(completed.error());
    }
    issues.addTo(builder.log());
    builder.setEventText(std::move(text));
    return builder.finish();
}

}  // namespace kinetoscope::import::chrome
