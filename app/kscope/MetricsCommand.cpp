// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <memory>

#include "app/kscope/Command.h"
#include "app/kscope/MetricsArguments.h"
#include "app/kscope/Terminal.h"
#include "core/metrics/KernelMetadata.h"
#include "core/metrics/MetricTables.h"
#include "core/metrics/SourceFolder.h"
#include "core/metrics/TableText.h"

namespace kinetoscope::app {

namespace {

constexpr std::size_t kMaxTableBytes = 1U << 30U;

struct MetricsArguments : TableArguments {
    std::vector<std::string> sources;
    std::string file;
};

// --metric-tables, else the environment, else the one table that sources can fill.
Result<void> chooseTables(metrics::MetricTables& tables, const std::string& option) {
    const char* variable = std::getenv("KINETOSCOPE_METRIC_TABLES");
    const std::string_view names = !option.empty()       ? std::string_view(option)
                                   : variable != nullptr ? variable
                                                         : metrics::kKernelTable;
    return tables.enable(names);
}

int fillTables(const MetricsArguments& arguments) {
    auto tables = makeTables(arguments);
    if (!tables) {
        return reportError(tables.error());
    }
    tables->setModelName(arguments.name);
    auto done = chooseTables(*tables, arguments.tables);
    if (done && arguments.purge) {
        done = tables->purge();
    }
    if (!done) {
        return reportError(done.error());
    }
    std::vector<metrics::KernelSource> kernels;
    for (const std::string& folder : arguments.sources) {
        auto sources = metrics::addKernels(*tables, folder);
        if (!sources) {
            return reportError(sources.error());
        }
        for (const std::string& problem : sources->problems) {
            printWarning(problem);
        }
        std::ranges::move(sources->kernels, std::back_inserter(kernels));
    }
    const auto rows = metrics::rowsAdded(*tables);
    done = printOut(fmt::format("{}\n{}{}", metrics::kernelsSummary(kernels), fmt::join(rows, "\n"),
                                rows.empty() ? "" : "\n"));
    return done ? kExitGood : reportError(done.error());
}

int showTable(const MetricsArguments& arguments) {
    const auto text = metrics::readSmallFile(arguments.file, kMaxTableBytes);
    if (!text) {
        return reportError(text.error());
    }
    const auto table = metrics::metricTableText(*text, textStyle(false, false));
    if (!table) {
        return reportError(
            {"'" + arguments.file + "': " + table.error().message, ErrorKind::BadInput});
    }
    const auto done = printOut(table->text);
    if (table->columnsShown < table->columns) {
        printNote(fmt::format("{} of {} columns fit; set COLUMNS=250 to see more",
                              table->columnsShown, table->columns));
    }
    return done ? kExitGood : reportError(done.error());
}

}  // namespace

void declareTables(CLI::App& app, TableArguments& arguments) {
    app.add_option("--metric-tables", arguments.tables, "Tables to write, separated by commas")
        ->type_name("NAMES");
    app.add_option("--name", arguments.name, "Value of the column model_name");
    app.add_option("-o,--folder", arguments.folder, "Where the CSV files are (default: .)")
        ->type_name("DIR");
    app.add_flag("--purge", arguments.purge, "Truncate the chosen tables first");
    app.add_flag("--original", arguments.original,
                 "Columns and values as in PyTorch 2.4 and earlier");
}

Result<metrics::MetricTables> makeTables(const TableArguments& arguments) {
    std::error_code error;
    std::filesystem::create_directories(arguments.folder, error);
    if (error) {
        return fail(
            fmt::format("'{}': cannot create this folder: {}", arguments.folder, error.message()),
            ErrorKind::Output);
    }
    return metrics::MetricTables(arguments.folder, arguments.original
                                                       ? metrics::MetricFormat::Original
                                                       : metrics::MetricFormat::Current);
}

std::function<int()> declareMetrics(CLI::App& app) {
    auto arguments = std::make_shared<MetricsArguments>();
    CLI::App* kernels =
        app.add_subcommand("kernels", "Fill the kernel_metadata table from generated kernels");
    kernels->add_option("DIR", arguments->sources, "Inductor caches")->required();
    declareTables(*kernels, *arguments);
    kernels->footer("Without --metric-tables: $KINETOSCOPE_METRIC_TABLES, else kernel_metadata.");
    // Parsed by itself, for the sake of the program's words; here for the list.
    app.add_subcommand("record", "Fill all tables while a program compiles");
    CLI::App* show = app.add_subcommand("show", "Print a metric table");
    show->add_option("FILE", arguments->file, "A metric_table_….csv")->required();
    return [kernels, show, arguments] {
        if (kernels->parsed()) {
            return fillTables(*arguments);
        }
        if (show->parsed()) {
            return showTable(*arguments);
        }
        printError("no subcommand; the subcommands are kernels, record and show");
        return static_cast<int>(kExitInput);
    };
}

}  // namespace kinetoscope::app
