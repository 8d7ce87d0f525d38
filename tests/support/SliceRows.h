// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "core/trace/Trace.h"

namespace kinetoscope::test {

/// All that is kept of slices in every format, one text each, sorted; with the rows that they are
/// on, too, where `places` is set. Rows of texts count as one.
[[nodiscard]] inline std::vector<std::string> sliceRows(const trace::Trace& trace,
                                                        bool places = false) {
    std::vector<std::string> rows(trace.sliceCount());
    for (trace::SliceId slice = 0; slice < rows.size(); ++slice) {
        rows[slice] = fmt::format("{} {} '{}' {} {} {}", trace.start(slice), trace.duration(slice),
                                  trace.name(slice), trace.categoryText(trace.categoryId(slice)),
                                  trace.correlation(slice), trace.externalId(slice));
        if (places) {
            const trace::Track& track = trace.tracks()[trace.trackOf(slice)];
            const trace::RowId pid = trace.processes()[track.process].pid;
            const bool numbered = !pid.isText && !track.tid.isText;
            rows[slice] +=
                fmt::format(" pid {} tid {}", trace.rowIdText(pid), numbered ? track.tid.value : 0);
        }
    }
    for (const trace::GpuOperation& operation : trace.gpuOperations()) {
        rows[operation.slice] += fmt::format(
            " gpu {} stream {} grid {} {} {} block {} {} {} regs {} shared {} graph {} occ {} "
            "collective {} bytes {}",
            operation.gpu, operation.stream, operation.grid[0], operation.grid[1],
            operation.grid[2], operation.block[0], operation.block[1], operation.block[2],
            operation.registers, operation.sharedBytes, operation.graph, operation.occupancyPercent,
            operation.collective, operation.bytes);
    }
    std::ranges::sort(rows);
    return rows;
}

}  // namespace kinetoscope::test
