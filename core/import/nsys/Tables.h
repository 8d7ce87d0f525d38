// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "core/import/database/EventTable.h"
#include "core/import/nsys/Report.h"

namespace kinetoscope::import::nsys {

/// The tables of a report that become events. They refer to `schema` and `report`. The order is
/// that of the events: GPU work, calls, ranges, the rest.
void addGpuTables(const database::Schema& schema, const Report& report,
                  std::vector<database::EventTable>& tables);
void addCallTables(const database::Schema& schema, const Report& report,
                   std::vector<database::EventTable>& tables);
void addNvtxTable(const database::Schema& schema, const Report& report,
                  std::vector<database::EventTable>& tables);
void addSampleTables(const database::Schema& schema, const Report& report,
                     std::vector<database::EventTable>& tables);

/// "cudaLaunchKernel" of "cudaLaunchKernel_v7000".
[[nodiscard]] std::string_view callName(std::string_view text);

}  // namespace kinetoscope::import::nsys
