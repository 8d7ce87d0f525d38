// SPDX-License-Identifier: Apache-2.0
#include "core/import/load/LoadTrace.h"

#include <fmt/format.h>

#include <algorithm>
#include <new>
#include <string_view>

#include "core/base/Threads.h"
#include "core/import/capture/LiveCapture.h"
#include "core/import/load/ImporterRegistry.h"
#include "core/import/nsys/ReportExport.h"
#include "core/import/scan/JsonScan.h"
#include "core/import/source/OpenTextSource.h"
#include "core/import/source/ReadAhead.h"
#include "core/import/source/StandardInput.h"
#include "core/import/source/TextWindow.h"
#include "core/pickle/ReadPickle.h"
#include "core/stream/CaptureFolder.h"

namespace kinetoscope::import {

namespace {

// "7f 45 4c 46" for what is not a text, the text itself otherwise.
std::string beginning(std::string_view head) {
    constexpr std::size_t kShown = 16;
    std::string hex;
    bool printable = true;
    for (const char c : head.substr(0, kShown)) {
        hex += fmt::format("{}{:02x}", hex.empty() ? "" : " ", static_cast<unsigned char>(c));
        printable &= c >= ' ' && c < 0x7f;
    }
    return printable ? fmt::format("'{}'", head.substr(0, kShown)) : "bytes " + hex;
}

std::string unknownContent(const std::string& path, std::string_view head) {
    if (head.starts_with("\xFF\xFE") || head.starts_with("\xFE\xFF")) {
        return fmt::format("'{}': is UTF-16 text; convert it to UTF-8", path);
    }
    if (head.find_first_not_of(" \t\r\n") == std::string_view::npos) {
        return fmt::format("'{}': contains only white space", path);
    }
    if (pickle::looksLikePickle(head)) {
        return fmt::format(
            "'{}': is a pickle, not a trace; memory snapshots are opened by kscope "
            "memory, dumps of NCCL's flight recorder by kscope ranks",
            path);
    }
    return fmt::format(
        "'{}': is not a trace: it starts with {}, where JSON text was expected "
        "(plain, gzip or zstd)",
        path, beginning(head));
}

// The start of the text after white space, long enough to recognise its format.
std::string_view beginningOf(source::TextWindow& window) {
    constexpr std::ptrdiff_t kTelling = 64;
    const char* at = window.end();
    while (window.more(at)) {
        at = scan::skipSpace(at);
        if (window.end() - at >= kTelling) {
            break;
        }
    }
    return {window.begin(), static_cast<std::size_t>(window.end() - window.begin())};
}

// Chooses the importer and runs it.
Result<std::shared_ptr<const trace::Trace>> importText(source::TextSource& source,
                                                       const std::string& path,
                                                       const LoadOptions& options,
                                                       const ReadTuning& tuning) {
    source::TextWindow window(source, tuning.chunk, options.stop);
    if (options.progress != nullptr) {
        window.whenAdvanced([&](std::uint64_t position) { options.progress->set(position); });
    }
    const std::string_view head = beginningOf(window);
    if (window.stopped()) {
        return fail("loading was cancelled", ErrorKind::Cancelled);
    }
    if (head.empty()) {
        const auto& issue = source.issue();
        return fail(fmt::format("'{}': contains no text{}", path,
                                issue ? ": " + issue->example : std::string()));
    }
    const Importer* importer = importerFor(head);
    if (importer == nullptr) {
        return fail(unknownContent(path, head));
    }
    ImportInput input{path, source.fileBytes(), window, options, tuning};
    return importer->read(input);
}

}  // namespace

Result<std::shared_ptr<const trace::Trace>> importSource(source::TextSource& source,
                                                         const std::string& path,
                                                         const LoadOptions& options,
                                                         const ReadTuning& tuning) {
    if (options.progress != nullptr) {
        options.progress->start(source.fileBytes());
    }
    // A text that can only be read from its start, compressed ones above all, is prepared by a
    // thread of its own ahead of those that read it.
    const bool anywhere = source.again() != nullptr;
    if (anywhere || threadsOf(options) < 2 || source.fileBytes() < tuning.readAheadFrom) {
        return importText(source, path, options, tuning);
    }
    source::ReadAhead ahead(source, readersAhead(options), tuning.aheadBlock, options.stop);
    source::TextSource& text = ahead.isReading() ? static_cast<source::TextSource&>(ahead) : source;
    return importText(text, path, options, tuning);
}

namespace {

Result<std::shared_ptr<const trace::Trace>> loadAny(const std::string& path,
                                                    const LoadOptions& options) {
    if (const stream::CaptureList list = stream::listCaptures(path);
        !list.captures.empty() || !list.problem.empty()) {
        return capture::loadRecording(path, options.stop, options.progress);
    }
    if (path == source::kStandardInput) {
        if (auto read = source::standardInput(options.stop); !read) {
            return tl::unexpected(read.error());
        }
    }
    const auto file = nsys::isReport(path) ? nsys::exportedReport(path, options) : path;
    auto source = file ? source::openTextSource(*file) : tl::unexpected(file.error());
    if (!source) {
        return tl::unexpected(source.error());
    }
    return importSource(**source, path, options);
}

}  // namespace

Result<std::shared_ptr<const trace::Trace>> loadTrace(const std::string& path,
                                                      const LoadOptions& options) {
    return guarded([&] { return loadAny(path, options); }, path);
}

}  // namespace kinetoscope::import
