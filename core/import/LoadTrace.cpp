// SPDX-License-Identifier: Apache-2.0
#include "core/import/LoadTrace.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "core/import/ImporterRegistry.h"
#include "core/import/TextSource.h"
#include "core/import/TextWindow.h"

namespace kinetoscope {

namespace {

// "7f 45 4c 46" for what is no text, the text itself otherwise.
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
        return fmt::format("'{}' is UTF-16 text; convert it to UTF-8", path);
    }
    return fmt::format(
        "'{}' is no trace: it begins with {}, where JSON text was expected "
        "(plain, gzip or zstd)",
        path, beginning(head));
}

}  // namespace

Result<std::shared_ptr<const Trace>> loadTrace(const std::string& path,
                                               const LoadOptions& options) {
    auto source = openTextSource(path);
    if (!source) {
        return tl::unexpected(source.error());
    }
    if (options.progress != nullptr) {
        options.progress->start((*source)->fileBytes());
    }
    TextWindow window(**source, kTextChunk, options.stop, options.progress);
    const char* at = window.end();
    if (!window.more(at)) {
        if (window.stopped()) {
            return fail("loading was cancelled", ErrorKind::Cancelled);
        }
        const auto& issue = (*source)->issue();
        return fail(fmt::format("'{}' holds no text{}", path,
                                issue ? ": " + issue->example : std::string()));
    }
    const std::string_view head(window.begin(),
                                static_cast<std::size_t>(window.end() - window.begin()));
    const Importer* importer = importerFor(head);
    if (importer == nullptr) {
        return fail(unknownContent(path, head));
    }
    ImportInput input{path, (*source)->fileBytes(), window};
    return importer->read(input);
}

}  // namespace kinetoscope
