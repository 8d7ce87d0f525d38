// SPDX-License-Identifier: Apache-2.0
#include "core/compare/CompareOutput.h"

#include "core/compare/CompareJson.h"
#include "core/report/ReportJson.h"

namespace kinetoscope::compare {

using text::OutputFormat;

std::string compareOutput(const std::vector<Comparison>& comparisons, OutputFormat format,
                          const CompareTextOptions& options, const text::TextStyle& style) {
    if (format == OutputFormat::Csv) {
        return compareCsv(comparisons);
    }
    if (format == OutputFormat::Json) {
        std::vector<std::string> objects;
        objects.reserve(comparisons.size());
        for (const Comparison& comparison : comparisons) {
            objects.push_back(compareJson(comparison));
        }
        return objects.size() == 1 ? objects.front() + "\n" : report::jsonArray(objects);
    }
    std::string text;
    for (const Comparison& comparison : comparisons) {
        text += text.empty() ? "" : "\n";
        text += format == OutputFormat::Markdown ? compareMarkdown(comparison, options)
                                                 : compareText(comparison, options, style);
    }
    return text;
}

std::string selfOutput(const std::vector<SelfCheck>& checks, double tolerance, OutputFormat format,
                       const text::TextStyle& style) {
    return format == OutputFormat::Json ? selfJson(checks, tolerance) + "\n"
                                        : selfText(checks, tolerance, style);
}

}  // namespace kinetoscope::compare
