// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/report/ReportDocument.h"
#include "core/text/TextTable.h"

namespace kinetoscope::report {

/// The whole report as it is read on a terminal; ends with a newline.
[[nodiscard]] std::string reportText(const ReportDocument& document, const text::TextStyle& style);

/// "nccl, rank 3 of 8", without what is not told.
[[nodiscard]] std::string distributedText(const trace::DistributedInfo& distributed);

/// Its parts, each a block of lines; empty if there is nothing to report. "none skipped"; with
/// everything else missing from the input.
[[nodiscard]] std::string skippedText(const trace::ImportLog& log);

[[nodiscard]] std::string runText(const trace::Trace& trace, const text::TextStyle& style);
[[nodiscard]] std::string importText(const trace::ImportLog& log, const text::TextStyle& style);
[[nodiscard]] std::string gpuText(const ReportDocument& document, const GpuReport& gpu,
                                  const text::TextStyle& style);
[[nodiscard]] std::string categoryText(const Report& report, const text::TextStyle& style);
/// The longest idle gaps of each GPU, if requested.
[[nodiscard]] std::string counterText(const ReportDocument& document, const text::TextStyle& style);
[[nodiscard]] std::string gapText(const ReportDocument& document, const text::TextStyle& style);
[[nodiscard]] std::string kernelText(const ReportDocument& document, const text::TextStyle& style);
[[nodiscard]] std::string stepText(const ReportDocument& document, const text::TextStyle& style);

/// PyTorch's own figures: what its tools print, then both utilisations in a line.
[[nodiscard]] std::string compatText(const analysis::CompatReport& compat);

/// Phases, bytes a second and peak memory, one line each.
[[nodiscard]] std::string timingText(const Timing& timing);

/// "Inductor category", "family", "operator" or "stream": what a group's rows are.
[[nodiscard]] const char* groupTitle(analysis::GroupBy group);

}  // namespace kinetoscope::report
