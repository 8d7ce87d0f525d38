// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <filesystem>
#include <memory>

#include "app/kscope/Command.h"
#include "app/kscope/MetricsArguments.h"
#include "app/kscope/Terminal.h"
#include "core/metrics/Csv.h"
#include "core/metrics/KernelMetadata.h"
#include "core/metrics/MetricTables.h"
#include "core/metrics/SourceFolder.h"
#include "core/text/Printable.h"

namespace kinetoscope::app {

namespace {

constexpr const char* kTable = "kernel_metadata";
constexpr std::size_t kMaxTableBytes = 1U << 30U;

struct MetricsArguments : TableArguments {
    std::vector<std::string> sources;
    std::string file;
};

// --metric-tables, else the environment, else the one table that sources can fill.
Result<void> chooseTables(metrics::MetricTables& tables, const std::string& option) {
    const char* variable = std::getenv("KINETOSCOPE_METRIC_TABLES");
    const std::string names = !option.empty() ? option : variable != nullptr ? variable : kTable;
    return tables.enable(names);
}

Result<void> addFolder(metrics::MetricTables& tables, const std::string& folder,
                       std::vector<metrics::KernelSource>& kernels) {
    auto sources = metrics::readSources(folder);
    if (!sources) {
        return tl::unexpected(sources.error());
    }
    for (const std::string& problem : sources->problems) {
        printWarning(problem);
    }
    for (metrics::KernelSource& source : sources->kernels) {
        auto added = tables.addRow(kTable, [&] {
            return metrics::kernelMetadataRow(source, source.path, tables.format());
        });
        if (!added) {
            return added;
        }
        kernels.push_back(std::move(source));
    }
    return {};
}

Result<void> printSummary(const metrics::MetricTables& tables,
                          const std::vector<metrics::KernelSource>& kernels) {
    std::string text = fmt::format("{} generated kernels", kernels.size());
    std::string separator = ": ";
    for (const auto& [category, count] : metrics::kernelsByCategory(kernels)) {
        text += fmt::format("{}{} {}", separator, count, category);
        separator = ", ";
    }
    text += fmt::format("; {} bytes accessed\n", metrics::bytesAccessed(kernels));
    for (const std::string& line : rowsAdded(tables)) {
        text += line + "\n";
    }
    return printOut(text);
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
    std::vector<metrics::KernelSource> kernels;
    for (const std::string& folder : arguments.sources) {
        if (done) {
            done = addFolder(*tables, folder, kernels);
        }
    }
    if (done) {
        done = printSummary(*tables, kernels);
    }
    return done ? kExitGood : reportError(done.error());
}

bool isNumber(const std::string& text) {
    char* end = nullptr;
    std::strtod(text.c_str(), &end);
    return !text.empty() && *end == '\0';
}

int showTable(const MetricsArguments& arguments) {
    const auto text = metrics::readSmallFile(arguments.file, kMaxTableBytes);
    if (!text) {
        return reportError(text.error());
    }
    const auto parsed = metrics::parseCsv(*text);
    if (!parsed) {
        return reportError({arguments.file + ": " + parsed.error().message, ErrorKind::BadInput});
    }
    std::vector<text::TextTable::Column> columns;
    columns.reserve(parsed->columns.size());
    for (std::size_t i = 0; i < parsed->columns.size(); ++i) {
        const bool numbers = !parsed->rows.empty() && isNumber(parsed->rows.front()[i]);
        columns.push_back({text::printable(parsed->columns[i]), numbers, static_cast<int>(i), 16});
    }
    text::TextTable table(std::move(columns));
    for (const auto& row : parsed->rows) {
        std::vector<std::string> cells;
        cells.reserve(row.size());
        for (const std::string& field : row) {
            cells.push_back(text::printable(field));
        }
        table.addRow(std::move(cells));
    }
    const text::TextStyle style = textStyle(false, false);
    const auto done = printOut(table.text(style, 0));
    if (const std::size_t shown = table.columnsShown(style, 0); shown < parsed->columns.size()) {
        printNote(fmt::format("{} of {} columns have room; COLUMNS=250 makes more", shown,
                              parsed->columns.size()));
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
    app.add_flag("--purge", arguments.purge, "Truncate the files of the chosen tables first");
    app.add_flag("--original", arguments.original,
                 "Columns and values as PyTorch 2.4 and before has them");
}

Result<metrics::MetricTables> makeTables(const TableArguments& arguments) {
    std::error_code error;
    std::filesystem::create_directories(arguments.folder, error);
    if (error) {
        return fail(
            fmt::format("cannot make the folder '{}': {}", arguments.folder, error.message()),
            ErrorKind::Output);
    }
    return metrics::MetricTables(arguments.folder, arguments.original
                                                       ? metrics::MetricFormat::Original
                                                       : metrics::MetricFormat::Current);
}

std::vector<std::string> rowsAdded(const metrics::MetricTables& tables) {
    std::vector<std::string> lines;
    for (const metrics::MetricTable& table : tables.tables()) {
        if (table.rowsAdded > 0) {
            lines.push_back(fmt::format("{}: {} rows added", text::printable(tables.path(table)),
                                        table.rowsAdded));
        }
    }
    return lines;
}

std::function<int()> declareMetrics(CLI::App& app) {
    auto arguments = std::make_shared<MetricsArguments>();
    CLI::App* kernels =
        app.add_subcommand("kernels", "Fill table kernel_metadata from generated kernels");
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
        printError("metrics needs to know what: kernels, record or show");
        return static_cast<int>(kExitInput);
    };
}

}  // namespace kinetoscope::app
