// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/memory/CompareMemory.h"
#include "core/memory/MemoryReport.h"
#include "core/text/PrintedTable.h"

namespace kinetoscope::memory {

/// "aten::mm", "unknown".
[[nodiscard]] std::string operationWords(const History& history, PlaceId place);
/// "train.py:58 step": printable, empty if unknown.
[[nodiscard]] std::string lineWords(const History& history, PlaceId place);
/// "+1.250 ms" since the first event.
[[nodiscard]] std::string momentWords(TimeNs time);

/// Peak, what is in use and what was there before: some sentences.
[[nodiscard]] std::vector<std::string> deviceSummary(const MemoryReport& report,
                                                     const DeviceReport& device);

[[nodiscard]] text::PrintedTable peakTable(const MemoryReport& report, const DeviceReport& device);
[[nodiscard]] text::PrintedTable purposeTable(const MemoryReport& report,
                                              const DeviceReport& device);
[[nodiscard]] text::PrintedTable neverFreedTable(const MemoryReport& report,
                                                 const DeviceReport& device);
[[nodiscard]] text::PrintedTable olderTable(const MemoryReport& report, const DeviceReport& device);
[[nodiscard]] text::PrintedTable segmentTable(const MemoryReport& report,
                                              const DeviceReport& device);
[[nodiscard]] text::PrintedTable outOfMemoryTable(const MemoryReport& report,
                                                  const DeviceReport& device);

[[nodiscard]] text::PrintedTable totalsTable(const MemoryComparison& comparison);
[[nodiscard]] text::PrintedTable changesTable(const MemoryComparison& comparison);

}  // namespace kinetoscope::memory
