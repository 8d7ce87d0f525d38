// SPDX-License-Identifier: Apache-2.0
#include "core/report/ReportOutput.h"

#include "core/report/OperatorText.h"
#include "core/report/ReportCsv.h"
#include "core/report/ReportJson.h"
#include "core/report/ReportMarkdown.h"
#include "core/report/ReportText.h"
#include "core/report/RooflineOutput.h"
#include "core/text/Printable.h"

namespace kinetoscope::report {

using text::OutputFormat;

namespace {

std::string ncuPart(const ReportDocument& document) {
    return document.ncu ? ncu::tableMarkdown(*document.trace, *document.ncu, document.top)
                        : std::string();
}

}  // namespace

std::string ReportOutput::add(const ReportDocument& document) {
    std::string text = between() + textOf(document);
    ++m_count;
    return text;
}

std::string ReportOutput::end() const {
    return m_choice.several && m_count > 0 && m_choice.format == OutputFormat::Json ? "]\n" : "";
}

std::string ReportOutput::between() const {
    switch (m_choice.format) {
        case OutputFormat::Json:
            return !m_choice.several ? "" : m_count == 0 ? "[\n" : ",\n";
        case OutputFormat::Csv:
            return m_count > 0          ? ""
                   : m_choice.roofline  ? rooflineCsvHeader(m_choice.several)
                   : m_choice.figures   ? figuresCsvHeader(m_choice.several)
                   : m_choice.operators ? operatorCsvHeader(m_choice.several, m_choice.achieved)
                                        : kernelCsvHeader(m_choice.several, m_choice.achieved);
        case OutputFormat::Text:
        case OutputFormat::Markdown:
            return m_count == 0 ? "" : "\n";
    }
    return {};
}

std::string ReportOutput::textOf(const ReportDocument& document) const {
    const std::string& path = document.trace->info().path;
    switch (m_choice.format) {
        case OutputFormat::Json:
            return (m_choice.compat ? compatJson(*document.compat, path) : reportJson(document)) +
                   "\n";
        case OutputFormat::Csv:
            return m_choice.roofline    ? rooflineCsv(document, m_choice.several)
                   : m_choice.figures   ? figuresCsv(document, m_choice.several)
                   : m_choice.operators ? operatorCsv(document, m_choice.several)
                                        : kernelCsv(document, m_choice.several);
        case OutputFormat::Markdown:
            return m_choice.roofline ? rooflineMarkdown(document)
                   : m_choice.operators
                       ? operatorMarkdown(document)
                       : reportMarkdown(document, m_choice.fullNames) + ncuPart(document);
        case OutputFormat::Text:
            break;
    }
    if (m_choice.roofline) {
        return rooflineText(document, m_style);
    }
    if (!m_choice.compat && !m_choice.operators) {
        return reportText(document, m_style) +
               (document.ncu
                    ? "\n" + ncu::tableText(*document.trace, *document.ncu, document.top, m_style)
                    : std::string());
    }
    return (m_choice.several ? text::printable(path) + ":\n" : "") +
           text::printableLines(m_choice.compat ? compatText(*document.compat)
                                                : operatorText(document));
}

}  // namespace kinetoscope::report
