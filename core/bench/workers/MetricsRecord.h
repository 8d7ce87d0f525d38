// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/base/Result.h"
#include "core/metrics/CompileLog.h"

namespace kinetoscope::bench::workers {

/// A program whose compilations by Inductor are recorded.
struct MetricsRecord {
    std::vector<std::string> command;
    /// Inductor's own tables. Whatever one of them needs is switched on, unless the environment
    /// says otherwise.
    std::vector<std::string> tables;
    /// Graphs that a cache holds are not compiled again: they only count.
    bool useCaches = false;
    std::function<void(const std::string& text)> onNote;  ///< one line for the user
};

struct RecordedMetrics {
    int exitCode = 0;  ///< as a shell has it
    metrics::CompileLog log;
};

/// Runs the program with a sitecustomize of ours before its own, in each of its Pythons, and reads
/// their reports. Signals are passed on to it. Fails if it cannot be started. Sets environment
/// variables: make no thread before.
[[nodiscard]] Result<RecordedMetrics> recordMetrics(const MetricsRecord& run);

}  // namespace kinetoscope::bench::workers
