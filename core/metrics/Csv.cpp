// SPDX-License-Identifier: Apache-2.0
#include "core/metrics/Csv.h"

#include <fmt/format.h>

namespace kinetoscope::metrics {

namespace {

class Reader {
public:
    explicit Reader(std::string_view text) : m_text(text) {}

    [[nodiscard]] bool atEnd() const { return m_at >= m_text.size(); }
    [[nodiscard]] bool onlyBlank() const {
        return m_text.find_first_not_of("\r\n", m_at) == std::string_view::npos;
    }
    [[nodiscard]] bool unfinished() const { return m_unfinished; }

    [[nodiscard]] std::vector<std::string> row() {
        std::vector<std::string> fields;
        do {
            fields.push_back(field());
        } while (take(','));
        (void)take('\r');
        (void)take('\n');
        return fields;
    }

private:
    [[nodiscard]] bool take(char c) {
        const bool is = !atEnd() && m_text[m_at] == c;
        m_at += is ? 1 : 0;
        return is;
    }

    [[nodiscard]] std::string field() {
        std::string out;
        if (!take('"')) {
            while (!atEnd() && std::string_view(",\r\n").find(m_text[m_at]) == std::string::npos) {
                out += m_text[m_at++];
            }
            return out;
        }
        while (!atEnd()) {
            const char c = m_text[m_at++];
            if (c != '"') {
                out += c;
            } else if (take('"')) {
                out += '"';
            } else {
                return out;
            }
        }
        m_unfinished = true;
        return out;
    }

    std::string_view m_text;
    std::size_t m_at = 0;
    bool m_unfinished = false;
};

}  // namespace

std::string_view withoutMark(std::string_view text) {
    constexpr std::string_view kMark = "\xef\xbb\xbf";
    return text.substr(text.starts_with(kMark) ? kMark.size() : 0);
}

Result<CsvTable> parseCsv(std::string_view text) {
    Reader reader(withoutMark(text));
    CsvTable table;
    if (reader.atEnd()) {
        return fail("the file is empty; a table starts with the names of its columns");
    }
    table.columns = reader.row();
    while (!reader.onlyBlank()) {
        auto row = reader.row();
        if (reader.unfinished()) {
            return fail(fmt::format("row {} has a quote without an end", table.rows.size() + 1));
        }
        if (row.size() != table.columns.size()) {
            return fail(fmt::format("row {} has {} fields, but there are {} columns",
                                    table.rows.size() + 1, row.size(), table.columns.size()));
        }
        table.rows.push_back(std::move(row));
    }
    return table;
}

}  // namespace kinetoscope::metrics
