// SPDX-License-Identifier: Apache-2.0
#include "app/kscope/Warnings.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/kscope/Terminal.h"
#include "core/text/Format.h"

namespace kinetoscope::app {

void warnOfSkipped(const trace::Trace& trace) {
    const trace::ImportLog& log = trace.log();
    auto issues = log.sorted();
    // Files of their own: each is named, and no byte offset applies to them.
    std::erase_if(issues, [&](const trace::ImportIssue& issue) {
        const bool file = issue.name == "capture_unreadable";
        if (file) {
            printWarning(fmt::format("'{}': {} captures could not be read: {}", trace.info().path,
                                     issue.count, issue.example));
        }
        return file;
    });
    const auto first =
        std::ranges::find(issues, trace::Severity::DataLoss, &trace::ImportIssue::severity);
    const auto where = [&] {
        return first == issues.end()
                   ? std::string()
                   : fmt::format(", first at byte {}: {}", first->firstOffset, first->example);
    };
    const auto count = [](std::uint64_t number) {
        return text::formatCount(static_cast<std::int64_t>(number));
    };
    if (log.skipped > 0) {
        printWarning(fmt::format("'{}': {} of {} events skipped{}", trace.info().path,
                                 count(log.skipped), count(log.events), where()));
    } else if (first != issues.end()) {
        printWarning(
            fmt::format("'{}': the file could be read only in part{}", trace.info().path, where()));
    }
}

}  // namespace kinetoscope::app
