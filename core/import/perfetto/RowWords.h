// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/trace/TraceBuilder.h"

namespace kinetoscope::import::perfetto {

/// A process of the trace, as events in JSON say it.
struct ProcessWords {
    std::string pid;   ///< JSON
    std::string name;  ///< empty without one, as all names
    std::string labels;
};

/// A row of the trace in the same way.
struct RowWords {
    std::shared_ptr<const ProcessWords> process;  ///< which many rows may have
    std::string tid;                              ///< JSON
    std::string name;                             ///< of a thread, stream or counter
    bool isCounter = false;
    std::int64_t gpu = 0;  ///< of a GPU's row, as `stream`
    std::int64_t stream = 0;
};

/// The first `count` tracks of a trace, by their id.
[[nodiscard]] std::vector<RowWords> rowsInWords(trace::TraceBuilder& builder, std::size_t count);

}  // namespace kinetoscope::import::perfetto
