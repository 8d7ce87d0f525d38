// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "core/base/Result.h"
#include "core/metrics/MetricTables.h"

namespace kinetoscope::metrics {

/// A row that Inductor adds to one of its tables, in its order of columns.
struct TableRow {
    std::string table;
    MetricRow row;
};

/// A kernel that Inductor generates for Triton.
struct GeneratedKernel {
    std::string name;
    std::string path;
    std::string text;
};

/// One graph that Inductor compiles. Counters are as PyTorch has them; of one that is a list, the
/// sum of its entries.
struct CompiledRegion {
    struct Counter {
        std::string name;
        MetricValue before;
        MetricValue after;
        MetricValue entries;  ///< after the region; empty for what is not a list
    };
    struct Node {
        std::string name;
        MetricValue elements;   ///< read and written
        MetricValue runtimeMs;  ///< estimated
    };
    std::string kind;  ///< forward, backward, inference; rest: what was counted after the last
    MetricValue graphId;
    std::string compileId;
    std::vector<Counter> counters;
    std::vector<Node> nodes;
};

struct CompileEvent {
    std::int64_t timeNs = 0;  ///< of the machine's monotonic clock
    std::int64_t process = 0;
    std::string rank;   ///< of a job's process, else empty
    std::string model;  ///< the benchmark's name, where PyTorch knows one
    std::variant<TableRow, GeneratedKernel, CompiledRegion> what;
};

/// What Inductor did in all processes of a program.
struct CompileLog {
    std::vector<CompileEvent> events;   ///< by time
    std::vector<std::string> torch;     ///< version in each process that has imported Inductor
    std::vector<std::string> problems;  ///< one line each
};

/// Reads what resources/metrics_hook.py wrote: every *.jsonl in `folder`, each line an object with
/// "kind" (start, row, kernel, region, problem), "time" and "process". A line that is cut or not
/// understood is a problem. Fails when the folder cannot be read.
[[nodiscard]] Result<CompileLog> readCompileLog(const std::string& folder);

}  // namespace kinetoscope::metrics
