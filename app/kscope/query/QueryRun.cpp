// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <fstream>
#include <iostream>
#include <iterator>
#include <optional>

#include "app/kscope/Sink.h"
#include "app/kscope/Terminal.h"
#include "app/kscope/query/QueryArguments.h"
#include "app/kscope/query/RequestedFiles.h"
#include "core/analysis/WindowScope.h"
#include "core/query/sql/QueryOutput.h"
#include "core/text/Format.h"
#include "core/text/Printable.h"

namespace kinetoscope::app {

namespace {

namespace sql = query::sql;

constexpr std::size_t kMaxSqlBytes = std::size_t{1} << 20U;

Result<std::string> readSql(const std::string& path) {
    std::ifstream file;
    if (path != "-") {
        file.open(path, std::ios::binary);
        if (!file) {
            return fail("'" + text::printable(path) +
                        "': cannot be read; -f names a file with SQL");
        }
    }
    std::istream& input = path == "-" ? std::cin : file;
    std::string text(kMaxSqlBytes + 1, '\0');
    input.read(text.data(), static_cast<std::streamsize>(text.size()));
    text.resize(static_cast<std::size_t>(input.gcount()));
    return text.size() > kMaxSqlBytes
               ? fail("'" + text::printable(path) + "': is longer than 1 MiB")
               : Result<std::string>(std::move(text));
}

// ".tables" and ".schema [TABLE]" need no trace.
std::optional<int> runDotCommand(const QueryArguments& arguments) {
    const auto dot = std::ranges::find_if(arguments.words, [](const std::string& word) {
        return word == ".tables" || word == ".schema" || word.starts_with(".schema ");
    });
    if (dot == arguments.words.end()) {
        return std::nullopt;
    }
    const text::TextStyle style = textStyle(!arguments.output.empty(), arguments.fullNames);
    if (*dot == ".tables") {
        return writeOutput(arguments.output, sql::tablesText(style));
    }
    if (arguments.format == OutputFormat::Markdown) {
        return writeOutput(arguments.output, sql::schemaMarkdown());
    }
    const std::string table = *dot == ".schema" && std::next(dot) != arguments.words.end()
                                  ? *std::next(dot)
                                  : dot->substr(std::min<std::size_t>(dot->size(), 8));
    const auto text =
        sql::schemaText(table.substr(std::min(table.find_first_not_of(' '), table.size())), style);
    return text ? writeOutput(arguments.output, *text) : reportError(text.error());
}

Result<std::string> sqlOf(QueryArguments& arguments) {
    if (!arguments.file.empty()) {
        return readSql(arguments.file);
    }
    if (arguments.words.size() < 2) {
        return fail(
            "query needs traces and SQL: kscope query TRACE 'SELECT …'; kscope query .tables lists "
            "the tables");
    }
    std::string sql = std::move(arguments.words.back());
    arguments.words.pop_back();
    return sql;
}

Result<sql::QueryOptions> optionsOf(const QueryArguments& arguments, const RequestedFiles& files) {
    sql::QueryOptions options;
    options.limits.time =
        std::chrono::milliseconds(std::llround(std::ceil(arguments.timeLimitS * 1e3)));
    options.limits.bytes =
        static_cast<std::size_t>(arguments.memoryLimitMib * static_cast<double>(1U << 20U));
    if (arguments.hasWindow) {
        if (files.traces.empty()) {
            return fail("--window needs a trace; there is none among the files");
        }
        const auto span = analysis::windowSpan(*files.traces.front(), arguments.window);
        if (!span) {
            return tl::unexpected(span.error());
        }
        options.window = *span;
    }
    return options;
}

Result<void> answer(CommandWatch& watch, const QueryArguments& arguments, const std::string& sql) {
    auto files = loadRequested(watch, arguments.words, arguments.threads);
    if (!files) {
        return tl::unexpected(files.error());
    }
    auto options = optionsOf(arguments, *files);
    if (!options) {
        return tl::unexpected(options.error());
    }
    const auto first = files->traces.empty() ? nullptr : files->traces.front();
    auto database = openRequested(watch, std::move(*files));
    if (!database) {
        return tl::unexpected(database.error());
    }
    options->stop = watch.token();
    if (options->window) {
        const TimeNs origin = (*database)->origin(*first);
        options->window = TimeSpan{options->window->start - origin, options->window->end - origin};
    }
    Sink sink(arguments.output);
    const auto output = sql::makeOutput(
        arguments.format, textStyle(!arguments.output.empty(), arguments.fullNames),
        options->limits.bytes, [&](std::string_view text) { return sink.write(text); });
    return (*database)
        ->run(sql, *output, *options)
        .and_then([&] { return output->finish(); })
        .and_then([&] { return sink.finish(); });
}

}  // namespace

int runQuery(QueryArguments arguments) {
    if (const auto code = runDotCommand(arguments)) {
        return *code;
    }
    const auto sql = sqlOf(arguments);
    if (!sql) {
        return reportError(sql.error());
    }
    if (arguments.words.empty()) {
        printError("query needs a trace; usage: kscope query TRACE -f FILE");
        return kExitInput;
    }
    CommandWatch watch;
    const auto done = answer(watch, arguments, *sql);
    return done ? kExitGood : reportError(done.error());
}

int runExport(const ExportArguments& arguments) {
    if (arguments.paths.empty() || arguments.output.empty()) {
        printError("export needs a trace and an output; usage: kscope export TRACE -o OUT.sqlite");
        return kExitInput;
    }
    CommandWatch watch;
    const auto write = [&]() -> Result<std::uint64_t> {
        auto files = loadRequested(watch, arguments.paths, arguments.threads);
        auto database =
            files ? openRequested(watch, std::move(*files)) : tl::unexpected(files.error());
        if (!database) {
            return tl::unexpected(database.error());
        }
        watch.show("writing");
        return sql::writeDatabase(**database, arguments.output, watch.token());
    };
    const auto bytes = write();
    if (!bytes) {
        return reportError(bytes.error());
    }
    printNote(text::printable(arguments.output) + ": " + text::formatBytes(*bytes));
    return kExitGood;
}

}  // namespace kinetoscope::app
