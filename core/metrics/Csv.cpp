// SPDX-License-Identifier: Apache-2.0
#include "core/metrics/Csv.h"

#include <fmt/format.h>

namespace kinetoscope::metrics {

namespace {

class Reader {
public:
    explicit Reader(std::string_view text)
        : m_text(text), m_lineEnds(text.find_last_not_of("\r\n") + 1) {}

    [[nodiscard]] bool atEnd() const { return m_at >= m_text.size(); }
    [[nodiscard]] bool onlyBlank() const { return m_at >= m_lineEnds; }
    /// Of a quote in the rows so far; empty: none.
    [[nodiscard]] std::string_view problem() const { return m_problem; }

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

    [[nodiscard]] bool atFieldEnd() const {
        return atEnd() || std::string_view(",\r\n").find(m_text[m_at]) != std::string::npos;
    }

    [[nodiscard]] std::string field() {
        std::string out;
        if (take('"')) {
            return quoted();
        }
        while (!atFieldEnd()) {
            out += m_text[m_at++];
        }
        return out;
    }

    [[nodiscard]] std::string quoted() {
        std::string out;
        while (!atEnd()) {
            const char c = m_text[m_at++];
            if (c != '"') {
                out += c;
            } else if (take('"')) {
                out += '"';
            } else {
                m_problem = atFieldEnd() ? m_problem : "text behind the closing quote of a field";
                return out;
            }
        }
        m_problem = "a quote without an end";
        return out;
    }

    std::string_view m_text;
    std::size_t m_at = 0;
    std::size_t m_lineEnds;  ///< where nothing else follows
    std::string_view m_problem;
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
    if (!reader.problem().empty()) {
        return fail(fmt::format("the row with the names of the columns has {}", reader.problem()));
    }
    while (!reader.onlyBlank()) {
        auto row = reader.row();
        if (!reader.problem().empty()) {
            return fail(fmt::format("row {} has {}", table.rows.size() + 1, reader.problem()));
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
