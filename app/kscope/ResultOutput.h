// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "app/kscope/Command.h"
#include "core/bench/results/ResultDocument.h"
#include "core/bench/results/ResultSheet.h"

namespace kinetoscope::app {

/// The result of any bench as it is printed. `allConfigs` is of kernels: each of their
/// configurations instead of the fastest.
[[nodiscard]] inline std::string resultOutput(const bench::results::ResultDocument& document,
                                              OutputFormat format, const text::TextStyle& style,
                                              bool allConfigs = false) {
    switch (format) {
        case OutputFormat::Json:
            return bench::results::resultJson(document);
        case OutputFormat::Csv:
            return bench::results::resultCsv(document);
        case OutputFormat::Markdown:
            return bench::results::sheetMarkdown(bench::results::resultSheet(document, allConfigs));
        case OutputFormat::Text:
            break;
    }
    return bench::results::sheetText(bench::results::resultSheet(document, allConfigs), style);
}

}  // namespace kinetoscope::app
