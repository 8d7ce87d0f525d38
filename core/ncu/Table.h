// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "core/analysis/KernelTable.h"
#include "core/ncu/Profile.h"
#include "core/text/TextTable.h"
#include "core/trace/Trace.h"

namespace kinetoscope::ncu {

/// A metric over the launches that Nsight Compute measured of one kernel.
struct Value {
    std::uint64_t count = 0;  ///< launches that have it
    double mean = 0.0;
    double min = 0.0;
    double max = 0.0;
};

/// A kernel of the trace, on all of its GPUs, and what Nsight Compute measured of it.
struct Kernel {
    NameId name = kEmptyName;
    std::uint64_t launches = 0;  ///< in the trace's window
    TimeNs totalNs = 0;
    std::uint64_t measured = 0;  ///< launches that Nsight Compute measured
    std::vector<Value> values;   ///< of each metric
};

/// A kernel of Nsight Compute that is not in the trace, or cannot be told from others.
struct Other {
    std::string name;
    std::uint64_t measured = 0;
    bool isAmbiguous = false;
};

struct Table {
    std::string file;
    std::vector<Metric> metrics;
    std::vector<Kernel> kernels;  ///< largest total in the trace first
    std::vector<Other> others;
};

/// Whether the output of `ncu --csv` is near the start of a file.
[[nodiscard]] bool isProfile(const std::string& path);

/// Reads what `ncu --csv` has printed into a file. Fails in a line that names the file.
[[nodiscard]] Result<Profile> readProfile(const std::string& path);

/// Joins launches to kernels by their whole names, else by what kernelLabel() leaves of them, else
/// by their short names. Of several kernels with one such name, the one with the launch's grid and
/// block.
[[nodiscard]] Table joinProfile(const trace::Trace& trace,
                                const std::vector<analysis::KernelRow>& kernels,
                                const Profile& profile, std::string file);

/// A metric that tables show.
struct ShownColumn {
    std::string title;
    std::size_t metric = 0;
    double factor = 1.0;  ///< from the metric's unit to the title's
};
/// The best known of the metrics, else the first ones.
[[nodiscard]] std::vector<ShownColumn> shownColumns(const Table& table);

/// The kernels of Nsight Compute that are not in the trace; empty: all are.
[[nodiscard]] std::string othersText(const Table& table);

/// A table of the `top` (0: all) kernels with the best known of the metrics.
[[nodiscard]] std::string tableText(const trace::Trace& trace, const Table& table, std::size_t top,
                                    const text::TextStyle& style);
[[nodiscard]] std::string tableMarkdown(const trace::Trace& trace, const Table& table,
                                        std::size_t top);
/// With every metric.
[[nodiscard]] nlohmann::ordered_json tableJson(const trace::Trace& trace, const Table& table);

}  // namespace kinetoscope::ncu
