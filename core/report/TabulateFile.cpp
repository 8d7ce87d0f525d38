// SPDX-License-Identifier: Apache-2.0
#include "core/report/TabulateFile.h"

#include <algorithm>
#include <array>
#include <filesystem>

#include "core/import/source/OpenTextSource.h"
#include "core/import/source/TextSource.h"

namespace kinetoscope::report {

namespace {

// A text file begins with anything but what a trace begins with: an object, or a compressed stream.
bool looksLikeTrace(std::string_view begin) {
    const auto first = begin.find_first_not_of(" \t\r\n\xef\xbb\xbf");
    return import::source::compressionOf(begin) != import::source::Compression::None ||
           (first != std::string_view::npos && begin[first] == '{');
}

// Calls visit(line) for every line of a file.
template <class Visit>
void forEachLine(const import::source::InputFile& file, Visit visit) {
    constexpr std::size_t kMaxLineLength = 64 * 1024;  // a longer one is not ours
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

}  // namespace

Result<std::optional<std::vector<TabulateRow>>> readTabulateFile(const std::string& path) {
    const auto file = import::source::InputFile::open(path);
    std::string begin(4096, '\0');
    const std::int64_t count = file ? (*file)->read(begin.data(), begin.size(), 0) : 0;
    begin.resize(static_cast<std::size_t>(std::max<std::int64_t>(count, 0)));
    if (begin.empty() || looksLikeTrace(begin)) {
        return std::nullopt;
    }
    std::vector<TabulateRow> rows;
    forEachLine(**file, [&](const std::string& line) {
        if (auto row = parseTabulateLine(line)) {
            row->file = path;
            rows.push_back(std::move(*row));
        }
    });
    if (rows.empty() && begin.starts_with('[')) {  // a trace may be an array
        return std::nullopt;
    }
    if (rows.empty()) {
        return fail(path + ": neither a trace nor a text with a line \"Output for tabulate: …\"");
    }
    return rows;
}

Result<TabulateRow> tabulateRow(const analysis::CompatReport& compat, const std::string& path) {
    auto row = parseTabulateLine(compat.tabulateLine);
    if (!row) {
        return fail(path + ": the trace has no time, so there are no shares of it");
    }
    row->file = path;
    return *row;
}

std::string tabulateName(const std::string& path) {
    const std::string name = std::filesystem::path(path).filename().string();
    return name.substr(0, name.find('.'));
}

}  // namespace kinetoscope::report
