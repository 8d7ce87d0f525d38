// SPDX-License-Identifier: Apache-2.0
#include "core/sqlite/FindLayout.h"

#include <sqlite3.h>

#include <algorithm>
#include <array>
#include <functional>
#include <utility>

#include "core/base/Ascii.h"

namespace kinetoscope::sqlite {

namespace {

using Words = std::vector<std::string>;

bool isOfWord(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '$' || static_cast<unsigned char>(c) >= 0x80;
}

// Where a comment or something quoted that begins at `at` ends; `at` where nothing does.
std::size_t behindQuoted(std::string_view sql, std::size_t at) {
    const std::string_view rest = sql.substr(at);
    std::size_t end = 0;
    if (rest.starts_with("--")) {
        end = rest.find('\n');
    } else if (rest.starts_with("/*")) {
        end = rest.find("*/", 2);
        end = end == std::string_view::npos ? end : end + 1;
    } else if (std::string_view("'\"`[").find(rest.front()) != std::string_view::npos) {
        end = rest.find(rest.front() == '[' ? ']' : rest.front(), 1);
    } else {
        return at;
    }
    return end == std::string_view::npos ? sql.size() : at + end + 1;
}

// The bare words of a statement, in lower case, and each sign between them; what is quoted is left
// out.
Words wordsOf(std::string_view sql) {
    constexpr std::string_view kBlank = " \t\n\f\r";
    Words words;
    std::string word;
    const auto endWord = [&] {
        if (!word.empty()) {
            words.push_back(std::exchange(word, {}));
        }
    };
    for (std::size_t at = 0; at < sql.size();) {
        if (isOfWord(sql[at])) {
            word += asciiLower(sql[at++]);
            continue;
        }
        endWord();
        const std::size_t behind = behindQuoted(sql, at);
        if (behind == at && kBlank.find(sql[at]) == std::string_view::npos) {
            words.emplace_back(1, sql[at]);
        }
        at = std::max(behind, at + 1);
    }
    endWord();
    return words;
}

bool contains(const Words& words, std::string_view word) {
    return std::ranges::find(words, word) != words.end();
}

// PRIMARY KEY(a, …): no number of a row, even where all of its columns are the same.
bool hasKeyOfSeveral(const Words& words) {
    static constexpr std::array<std::string_view, 3> kKey{"primary", "key", "("};
    const auto key = std::ranges::search(words, kKey);
    int depth = 1;
    for (auto word = key.end(); word != words.end() && depth > 0; ++word) {
        if (*word == "," && depth == 1) {
            return true;
        }
        depth += *word == "(" ? 1 : 0;
        depth -= *word == ")" ? 1 : 0;
    }
    return false;
}

// SQLite's rule for the types whose whole numbers are stored as integers. "FLOATING POINT" contains
// "INT" although it is not one of them, which costs only time.
bool isRealType(std::string type) {
    std::ranges::transform(type, type.begin(), asciiLower);
    return std::ranges::any_of(std::array{"real", "floa", "doub"}, [&](const char* part) {
        return type.find(part) != std::string::npos;
    });
}

}  // namespace

std::optional<TableLayout> treeOf(const Database& database, const std::string& table) {
    auto layout = database.bytes() == nullptr ? std::nullopt : fileLayout(*database.bytes());
    auto root =
        database.prepare("SELECT rootpage FROM sqlite_schema WHERE type = 'table' AND name = ?1");
    if (!root || !layout) {
        return std::nullopt;
    }
    root->bind(1, table);
    const auto found = root->step();
    layout->root = found && *found ? static_cast<std::uint32_t>(root->integer(0)) : 0;
    return layout->root > 0 ? layout : std::nullopt;
}

std::optional<TableLayout> layoutOf(const Database& database, const std::string& table,
                                    std::span<const std::string> columns) {
    auto layout = database.bytes() == nullptr ? std::nullopt : fileLayout(*database.bytes());
    auto schema = database.prepare(
        "SELECT rootpage, sql FROM sqlite_schema WHERE type = 'table' AND name = ?1");
    if (!schema || !layout || !layout->isUtf8) {
        return std::nullopt;
    }
    schema->bind(1, table);
    const auto found = schema->step();
    const Words words = found && *found ? wordsOf(schema->text(1)) : Words();
    // DESC: INTEGER PRIMARY KEY DESC is a column like any other.
    if (words.empty() || contains(words, "as") || contains(words, "without") ||
        contains(words, "desc")) {
        return std::nullopt;
    }
    layout->root = static_cast<std::uint32_t>(schema->integer(0));
    layout->hasDefaults = contains(words, "default");
    int keys = 0;
    for (const std::string& name : columns) {
        const char* type = nullptr;
        int isKey = 0;
        if (sqlite3_table_column_metadata(database.handle(), "main", table.c_str(), name.c_str(),
                                          &type, nullptr, nullptr, &isKey, nullptr) != SQLITE_OK ||
            sqlite3_stricmp(name.c_str(), "rowid") == 0) {
            return std::nullopt;
        }
        keys += isKey;
        layout->columns.push_back(
            {isKey != 0 && type != nullptr && sqlite3_stricmp(type, "INTEGER") == 0,
             type != nullptr && isRealType(type)});
    }
    const bool isOfOne = keys == 1 && !hasKeyOfSeveral(words);
    for (TableLayout::Column& column : layout->columns) {
        column.isRowid = column.isRowid && isOfOne;
    }
    return layout;
}

}  // namespace kinetoscope::sqlite
