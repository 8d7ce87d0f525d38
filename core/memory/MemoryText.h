// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/memory/CompareMemory.h"
#include "core/memory/MemoryReport.h"
#include "core/text/TextTable.h"

namespace kinetoscope::memory {

/// Of each table at most `most` rows.
[[nodiscard]] std::string memoryText(const MemoryReport& report, const text::TextStyle& style,
                                     std::size_t most);
[[nodiscard]] std::string memoryMarkdown(const MemoryReport& report, std::size_t most);
/// A row for each block that was alive at the peak or never freed.
[[nodiscard]] std::string memoryCsv(const MemoryReport& report);
/// Schema kinetoscope.memory/1.
[[nodiscard]] std::string memoryJson(const MemoryReport& report);

[[nodiscard]] std::string comparisonText(const MemoryComparison& comparison,
                                         const text::TextStyle& style, std::size_t most);
[[nodiscard]] std::string comparisonMarkdown(const MemoryComparison& comparison, std::size_t most);
/// A row for each place that changed.
[[nodiscard]] std::string comparisonCsv(const MemoryComparison& comparison);
/// Schema kinetoscope.memory-comparison/1.
[[nodiscard]] std::string comparisonJson(const MemoryComparison& comparison);

}  // namespace kinetoscope::memory
