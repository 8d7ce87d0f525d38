// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>
#include <memory>

#include "app/kscope/Command.h"
#include "app/kscope/Options.h"
#include "app/kscope/query/QueryArguments.h"

namespace kinetoscope::app {

namespace {

constexpr const char* kQueryFooter =
    R"(Queries run directly on the trace in memory; nothing is copied or written. Times are nanoseconds
since the first event. .tables lists the tables, .schema [TABLE] their columns with units and
meaning; docs/sql.md has recipes.

TRACE is anything kscope report reads. With several traces, or a folder, each row has the rank of
its file, and the ranks of a job share one clock. Bench results may be among the files.

Examples
  kscope query trace.json.gz 'SELECT name, count(*), sum(dur) FROM gpu_ops GROUP BY name'
  kscope query trace.json.gz "SELECT * FROM slices WHERE name REGEXP 'backward' LIMIT 20"
  kscope query t.json 'SELECT number, dur, busy(start, "end", 0) FROM steps'
  kscope query t.json "SELECT arg(id, 'Input Dims'), dur FROM slices WHERE name = 'aten::mm'"
  kscope query --csv traces/ 'SELECT rank, kind, sum(exposed_wait) FROM collectives GROUP BY 1, 2'
  kscope query --window step:3 t.json 'SELECT short_name, sum FROM kernels ORDER BY sum DESC'
  kscope query trace.json -f questions.sql
  kscope query .schema gpu_ops

Exit code: 0 success, 1 the output could not be written, 2 wrong options, SQL or files.)";

}  // namespace

std::function<int()> declareQuery(CLI::App& app) {
    auto arguments = std::make_shared<QueryArguments>();
    app.add_option("WORDS", arguments->words, "Traces or folders of them, then the SQL");
    app.footer(kQueryFooter);
    app.add_option("-f,--file", arguments->file, "Read the SQL from FILE; - is standard input")
        ->type_name("FILE");
    CLI::Option* window = declareWindow(
        app, arguments->window, "Only rows in gpu, trace, step:N or START..END, see kscope report");
    addFormats(app, arguments->format, "Print an array of objects; one SELECT",
               "Print CSV with a header", "Print a Markdown table");
    app.add_option("-o,--output", arguments->output,
                   "Write to FILE instead of standard output (atomically)")
        ->type_name("FILE");
    app.add_flag("--full-names", arguments->fullNames, "Print texts in full, whatever the width");
    constexpr double kLongest = 1e6;
    app.add_option("--time-limit", arguments->timeLimitS,
                   "Stop the SQL after so many seconds; 0: no limit (default: 0)")
        ->type_name("S")
        ->check(plainNumber(0.0, kLongest));
    app.add_option("--memory-limit", arguments->memoryLimitMib,
                   "Memory limit in MiB, without the trace; 0: none (default: 1024)")
        ->type_name("MIB")
        ->check(plainNumber(0.0, kLongest));
    declareThreads(app, arguments->threads);
    return [arguments, window] {
        arguments->hasWindow = window->count() > 0;
        return runQuery(*arguments);
    };
}

std::function<int()> declareExport(CLI::App& app) {
    auto arguments = std::make_shared<ExportArguments>();
    app.add_option("FILES", arguments->paths, "Traces, folders of them, results of benches");
    app.footer(
        R"(Writes the tables of kscope query to a SQLite database, for pandas, DuckDB and others. Its table
"columns" has the unit and meaning of every column. Times are nanoseconds since the first event.

Examples
  kscope export trace.json.gz -o trace.sqlite
  python3 -c 'import pandas, sqlite3; \
    print(pandas.read_sql("SELECT * FROM kernels", sqlite3.connect("trace.sqlite")))')");
    app.add_option("-o,--output", arguments->output, "The database; written atomically")
        ->type_name("OUT.sqlite");
    declareThreads(app, arguments->threads);
    return [arguments] { return runExport(*arguments); };
}

}  // namespace kinetoscope::app
