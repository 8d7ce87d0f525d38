// SPDX-License-Identifier: Apache-2.0
// The tool that answers what no other tool does: SQL over open traces.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/mcp/Tool.h"
#include "core/query/sql/QueryDatabase.h"

namespace kinetoscope::mcp {

namespace {

namespace sql = query::sql;

constexpr std::chrono::seconds kLongest(20);
constexpr std::size_t kMaxBytes = std::size_t{512} << 20U;

Json jsonOf(const sql::Cell& cell) {
    switch (cell.kind) {
        case sql::Cell::Kind::Integer:
            return cell.integer;
        case sql::Cell::Kind::Real:
            return cell.real;
        case sql::Cell::Kind::Text:
            return shown(cell.text);
        default:
            return nullptr;
    }
}

// Keeps the rows of a page and counts all.
class PageOfRows final : public sql::RowTaker {
public:
    explicit PageOfRows(const Page& page)
        : m_first(page.first), m_most(bytesOf(page.tokens) / kMinRowBytes + 1) {}

    Result<void> begin(std::vector<std::string> columns) override {
        if (std::exchange(m_begun, true)) {
            return fail("sql: more than one SELECT; ask for them one by one");
        }
        m_columns = std::move(columns);
        return {};
    }
    Result<void> row(std::span<const sql::Cell> cells) override {
        if (m_count >= m_first && m_rows.size() < m_most) {
            Json row = Json::array();
            std::ranges::transform(cells, std::back_inserter(row), jsonOf);
            m_rows.push_back(std::move(row));
        }
        ++m_count;
        return {};
    }

    void addTo(Json& answer, const Page& page) const {
        answer["columns"] = Json::array();
        for (const std::string& name : m_columns) {
            answer["columns"].push_back(shown(name, kNameColumns));
        }
        addRows(answer, "rows", page, m_count,
                [&](std::size_t row) { return m_rows[row - m_first]; });
    }

private:
    static constexpr std::size_t kMinRowBytes = 4;  // "[1],"
    static constexpr std::size_t kNameColumns = 60;

    std::size_t m_first;
    std::size_t m_most;
    bool m_begun = false;
    std::vector<std::string> m_columns;
    std::vector<Json> m_rows;
    std::size_t m_count = 0;
};

// What can be asked: a row for each table.
Json schemaAnswer(const Page& page) {
    Json answer{{"times", "nanoseconds since the first event"}};
    const std::vector<sql::TableInfo>& tables = sql::allTables();
    addRows(answer, "tables", page, tables.size(), [&](std::size_t i) {
        Json columns = Json::object();
        for (const sql::Column& column : tables[i].columns) {
            columns[std::string(column.name)] =
                column.unit.empty() ? std::string(column.about)
                                    : fmt::format("{}: {}", column.unit, column.about);
        }
        return Json{{"name", tables[i].name}, {"about", tables[i].about}, {"columns", columns}};
    });
    return answer;
}

Result<Json> answerSql(Workspace& workspace, const Call& call) {
    const std::string text = call.text("sql");
    if (text.empty()) {
        return schemaAnswer(call.page);
    }
    std::vector<std::shared_ptr<const trace::Trace>> traces;
    OpenTrace* first = nullptr;
    for (const Json& id : call.arguments.value("traces", Json::array())) {
        const auto open = workspace.trace(id.get_ref<const std::string&>());
        if (!open) {
            return tl::unexpected(open.error());
        }
        first = first == nullptr ? *open : first;
        traces.push_back((*open)->shared());
    }
    if (first == nullptr) {
        return fail("sql: 'traces' names the open traces that it is about, as in [\"t1\"]");
    }
    std::unique_ptr<sql::QueryDatabase> several;
    if (traces.size() > 1) {
        auto made = sql::QueryDatabase::open(traces, {}, call.stop);
        if (!made) {
            return tl::unexpected(made.error());
        }
        several = std::move(*made);
    }
    const auto database =
        several ? Result<sql::QueryDatabase*>(several.get()) : first->database(call.stop);
    if (!database) {
        return tl::unexpected(database.error());
    }
    PageOfRows rows(call.page);
    sql::QueryOptions options;
    options.limits = {.time = kLongest, .bytes = kMaxBytes};
    options.stop = call.stop;
    if (auto done = (*database)->run(text, rows, options); !done) {
        return tl::unexpected(done.error());
    }
    Json answer = Json::object();
    rows.addTo(answer, call.page);
    return answer;
}

}  // namespace

std::vector<Tool> sqlTools() {
    return {
        {"sql",
         "Ask anything in SQL",
         "Runs a SELECT of SQLite over open traces, read-only, for what no other tool answers. "
         "Tables: slices, gpu_ops, kernels, launches, steps, operators, threads, counters, memory, "
         "flows, collectives, ranks, bench_results, import_log; without sql it lists their "
         "columns. "
         "Times are nanoseconds since the first event. Functions: arg(id, 'External id') reads an "
         "event's argument, overlaps(start, \"end\", a, b), percentile(value, p), "
         "busy(start, \"end\", gpu), name REGEXP 'gemm|conv'. Sum and LIMIT in SQL rather than "
         "paging through rows.",
         {{"sql", ParameterType::Text, "One SELECT; leave empty to list tables and columns"},
          {"traces", ParameterType::Texts,
           "Ids of open traces, like [\"t1\"]; ranks of one job are put on one clock"}},
         true,
         answerSql}};
}

}  // namespace kinetoscope::mcp
