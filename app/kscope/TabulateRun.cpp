// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "app/kscope/Command.h"
#include "app/kscope/CommandWatch.h"
#include "app/kscope/ReportArguments.h"
#include "app/kscope/Sink.h"
#include "app/kscope/Terminal.h"
#include "app/kscope/Warnings.h"
#include "core/import/source/OpenTextSource.h"
#include "core/import/source/TextSource.h"
#include "core/report/TabulateText.h"

namespace kinetoscope::app {

namespace {

// A text file begins with anything but what a trace begins with: an object, or a compressed stream.
bool looksLikeTrace(std::string_view begin) {
    const auto first = begin.find_first_not_of(" \t\r\n\xef\xbb\xbf");
    return import::source::compressionOf(begin) != import::source::Compression::None ||
           (first != std::string_view::npos && begin[first] == '{');
}

std::string benchmarkName(const std::string& path) {
    std::string name = std::filesystem::path(path).filename().string();
    return name.substr(0, name.find('.'));
}

Result<std::vector<report::TabulateRow>> rowsOfTrace(CommandWatch& watch, const std::string& path,
                                                     const ReportArguments& arguments) {
    const auto trace = loadWatched(watch, path, arguments.threads);
    if (!trace) {
        return tl::unexpected(trace.error());
    }
    warnOfSkipped(**trace);
    ReportArguments own = arguments;
    own.compatOptions.name = arguments.named ? arguments.compatOptions.name : benchmarkName(path);
    auto row = report::parseTabulateLine(
        analysis::makeCompatReport(**trace, withEnteredRun(path, own)).tabulateLine);
    if (!row) {
        return fail(path + ": the trace has no time, so there are no shares of it");
    }
    row->file = path;
    return std::vector{*row};
}

// Calls visit(line) for every line of a file, however large it is.
template <class Visit>
void forEachLine(const import::source::InputFile& file, Visit visit) {
    constexpr std::size_t kMaxLineLength = 64 * 1024;  // a longer one is none of ours
    std::array<char, 64 * 1024> piece{};
    std::string line;
    std::uint64_t offset = 0;
    for (;;) {
        const std::int64_t count = file.read(piece.data(), piece.size(), offset);
        if (count <= 0) {
            return line.empty() ? void() : visit(line);
        }
        offset += static_cast<std::uint64_t>(count);
        std::string_view rest(piece.data(), static_cast<std::size_t>(count));
        for (auto end = rest.find('\n'); end != std::string_view::npos; end = rest.find('\n')) {
            visit(line.append(rest.substr(0, end)));
            line.clear();
            rest.remove_prefix(end + 1);
        }
        if (line.size() < kMaxLineLength) {
            line += rest;
        }
    }
}

Result<std::vector<report::TabulateRow>> rowsOf(CommandWatch& watch, const std::string& path,
                                                const ReportArguments& arguments) {
    const auto file = import::source::InputFile::open(path);
    std::string begin(4096, '\0');
    const std::int64_t count = file ? (*file)->read(begin.data(), begin.size(), 0) : 0;
    begin.resize(static_cast<std::size_t>(std::max<std::int64_t>(count, 0)));
    if (begin.empty() || looksLikeTrace(begin)) {
        return rowsOfTrace(watch, path, arguments);
    }
    std::vector<report::TabulateRow> rows;
    forEachLine(**file, [&](const std::string& line) {
        if (auto row = report::parseTabulateLine(line)) {
            row->file = path;
            rows.push_back(std::move(*row));
        }
    });
    if (!rows.empty()) {
        return rows;
    }
    if (!begin.starts_with('[')) {
        return fail(path + ": neither a trace nor a text with a line \"Output for tabulate: …\"");
    }
    return rowsOfTrace(watch, path, arguments);
}

std::string formatted(const std::vector<report::TabulateRow>& rows,
                      const ReportArguments& arguments) {
    switch (arguments.format) {
        case OutputFormat::Json:
            return report::tabulateJson(rows);
        case OutputFormat::Csv:
            return report::tabulateCsv(rows);
        case OutputFormat::Text:
        case OutputFormat::Markdown:
            break;
    }
    return report::tabulateText(rows, textStyle(!arguments.output.empty(), arguments.fullNames));
}

}  // namespace

int runTabulate(const ReportArguments& arguments) {
    CommandWatch watch;
    std::vector<report::TabulateRow> rows;
    int code = kExitGood;
    for (const std::string& path : arguments.files) {
        const auto found = rowsOf(watch, path, arguments);
        if (found) {
            rows.insert(rows.end(), found->begin(), found->end());
            continue;
        }
        code = reportError(found.error());
        if (found.error().kind == ErrorKind::Cancelled) {
            return code;
        }
    }
    if (rows.empty()) {
        return code;
    }
    const int written = writeOutput(arguments.output, formatted(rows, arguments));
    return written == kExitGood ? code : written;
}

}  // namespace kinetoscope::app
