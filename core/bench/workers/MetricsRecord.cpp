// SPDX-License-Identifier: Apache-2.0
#include "core/bench/workers/MetricsRecord.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string_view>

#include "core/base/TemporaryFiles.h"
#include "core/capture/RecordRun.h"
#include "core/text/OutputFile.h"

namespace kinetoscope {

extern const std::string_view kMetricsHook;

}  // namespace kinetoscope

namespace kinetoscope::bench::workers {

namespace {

// Without these settings Inductor never comes to where it fills the table.
struct Need {
    std::string_view table;
    const char* variable;
};
constexpr std::array<Need, 3> kNeeds{{
    {"slow_fusion", "TORCHINDUCTOR_BENCHMARK_FUSION"},
    {"persistent_red_perf", "TORCHINDUCTOR_MULTI_KERNEL"},
    {"kernel_metadata", "TORCHINDUCTOR_BENCHMARK_KERNEL"},  // for kernel_args_num_gb
}};

void setUnlessSet(const char* name, const char* value) {
    ::setenv(name, value, 0);
}

void prepareEnvironment(const MetricsRecord& run, const std::string& hooks,
                        const std::string& lines) {
    const std::string tables = fmt::format("{}", fmt::join(run.tables, ","));
    ::setenv("KINETOSCOPE_METRICS", lines.c_str(), 1);
    ::setenv("KINETOSCOPE_METRIC_TABLES", tables.c_str(), 1);
    const char* paths = std::getenv("PYTHONPATH");
    const bool some = paths != nullptr && *paths != '\0';
    ::setenv("PYTHONPATH", some ? (hooks + ":" + paths).c_str() : hooks.c_str(), 1);
    for (const Need& need : kNeeds) {
        if (std::ranges::find(run.tables, need.table) != run.tables.end()) {
            setUnlessSet(need.variable, "1");
        }
    }
    if (!run.useCaches) {
        setUnlessSet("TORCHINDUCTOR_FX_GRAPH_CACHE", "0");
        setUnlessSet("TORCHINDUCTOR_AUTOGRAD_CACHE", "0");
    }
}

}  // namespace

Result<RecordedMetrics> recordMetrics(const MetricsRecord& run) {
    const TemporaryFolder work;
    if (work.path().empty()) {
        return fail(fmt::format("cannot make a temporary folder: {}", std::strerror(errno)),
                    ErrorKind::Output);
    }
    const std::string hooks = work.file("python");
    const std::string lines = work.file("lines");
    std::error_code error;
    std::filesystem::create_directory(hooks, error);
    std::filesystem::create_directory(lines, error);
    if (auto written = text::writeFile(hooks + "/sitecustomize.py", kMetricsHook); !written) {
        return tl::unexpected(written.error());
    }
    prepareEnvironment(run, hooks, lines);
    capture::RecordRun program;
    program.command = run.command;
    program.options.folder = work.path();
    program.options.control = work.file(capture::kControlName);
    program.onNote = run.onNote;
    const auto outcome = capture::runRecorded(program);
    if (!outcome) {
        return tl::unexpected(outcome.error());
    }
    return metrics::readCompileLog(lines).map([&](metrics::CompileLog log) {
        return RecordedMetrics{outcome->exitCode, std::move(log)};
    });
}

}  // namespace kinetoscope::bench::workers
