// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <set>

#include "app/kscope/Command.h"
#include "app/kscope/MetricsArguments.h"
#include "app/kscope/Terminal.h"
#include "core/bench/workers/MetricsRecord.h"
#include "core/metrics/CompileTables.h"
#include "core/metrics/TableText.h"
#include "core/text/Printable.h"

namespace kinetoscope::app {

namespace {

constexpr const char* kMetricsRecordFooter = R"(Tables
  slow_fusion                             fusions that are slower than their parts
  graph_stats                             nodes of each graph before and after fusion
  persistent_red_perf                     persistent reductions against looped ones
  fusion_failure_due_to_indexing_mismatch why nodes were not fused
  kernel_metadata                         what each Triton kernel consists of
  counters                                Inductor's ten counters before and after each region
  nodes                                   elements and estimated time of each node

Fills all tables unless --metric-tables names some. Inductor fills slow_fusion and
persistent_red_perf only if it benchmarks while compiling, so that is switched on
(TORCHINDUCTOR_BENCHMARK_FUSION, _MULTI_KERNEL, _BENCHMARK_KERNEL) and compiling takes longer.
Cached graphs are recompiled (see --use-caches). Variables already set in the environment are left
alone. The exit code is the program's.

Examples
  kscope metrics record -o tables -- python train.py
  kscope metrics record --metric-tables counters,graph_stats -- torchrun --nproc-per-node 8 train.py
  kscope metrics show tables/metric_table_counters.csv)";

struct MetricsRecordArguments : TableArguments {
    bool useCaches = false;
    std::vector<std::string> program;
};

// The number of compilations and processes, and what went wrong there.
void printLog(const metrics::CompileLog& log, const std::vector<std::string>& problems) {
    std::set<std::int64_t> processes;
    std::size_t regions = 0;
    for (const metrics::CompileEvent& event : log.events) {
        if (const auto* region = std::get_if<metrics::CompiledRegion>(&event.what)) {
            regions += region->kind == "rest" ? 0U : 1U;
            processes.insert(event.process);
        }
    }
    for (const auto* list : {&log.problems, &problems}) {
        for (const std::string& problem : *list) {
            printWarning(problem);
        }
    }
    if (log.torch.empty()) {
        printWarning(
            "nothing was recorded: no process of the program compiled anything with Inductor, or "
            "its Python ignores PYTHONPATH (-E, -I, -S)");
    } else {
        printNote(fmt::format("PyTorch {}, compiled regions: {}, processes: {}", log.torch.front(),
                              regions, processes.size()));
    }
}

Result<void> fill(const MetricsRecordArguments& written, metrics::MetricTables tables,
                  const metrics::CompileLog& log) {
    metrics::registerCompileTables(tables);
    for (const std::string& name : metrics::tableNames(written.tables)) {
        if (tables.table(name) != nullptr) {  // others are Inductor's to know
            if (auto done = tables.enable(name); !done) {
                return done;
            }
        }
    }
    const auto problems = metrics::addToTables(log, tables, {written.name, written.purge});
    if (!problems) {
        return tl::unexpected(problems.error());
    }
    printLog(log, *problems);
    for (std::string& line : metrics::rowsAdded(tables)) {
        printNote(std::move(line));
    }
    return {};
}

// Both kinds; the environment is for the tables of a cache.
std::string allTables() {
    metrics::MetricTables tables("");
    metrics::registerCompileTables(tables);
    std::string names;
    for (const metrics::MetricTable& table : tables.tables()) {
        names += table.name + ",";
    }
    return names;
}

int recordTables(MetricsRecordArguments& written) {
    if (written.program.empty()) {
        printError(
            "no program given; usage: kscope metrics record [OPTIONS] -- PROGRAM [ARGUMENTS]");
        return kExitInput;
    }
    if (written.tables.empty()) {
        written.tables = allTables();
    }
    bench::workers::MetricsRecord run;
    run.command = written.program;
    run.useCaches = written.useCaches;
    run.onNote = [](const std::string& text) { printWarning(text); };
    for (std::string& name : metrics::tableNames(written.tables)) {
        if (name != metrics::kCountersTable && name != metrics::kNodesTable) {
            run.tables.push_back(std::move(name));
        }
    }
    auto tables = makeTables(written);
    if (!tables) {
        return reportError(tables.error());
    }
    const auto recorded = bench::workers::recordMetrics(run);
    if (!recorded) {
        return reportError(recorded.error());
    }
    if (const auto done = fill(written, std::move(*tables), recorded->log); !done) {
        const int failed = reportError(done.error());
        return recorded->exitCode != 0 ? recorded->exitCode : failed;
    }
    return recorded->exitCode;
}

}  // namespace

std::function<int(const std::vector<std::string>&)> declareMetricsRecord(CLI::App& app) {
    auto written = std::make_shared<MetricsRecordArguments>();
    app.footer(kMetricsRecordFooter);
    declareTables(app, *written);
    app.add_flag("--use-caches", written->useCaches,
                 "Keep Inductor's graph caches; cached graphs fill only the counters");
    return [written](const std::vector<std::string>& program) {
        written->program = program;
        return recordTables(*written);
    };
}

}  // namespace kinetoscope::app
