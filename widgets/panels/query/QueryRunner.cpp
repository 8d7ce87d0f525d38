// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/query/QueryRunner.h"

#include <chrono>

#include "core/query/sql/QueryDatabase.h"
#include "widgets/models/Text.h"

namespace kinetoscope::panels {

namespace {

namespace sql = query::sql;

constexpr std::size_t kMaxRows = 100'000;  // more than is readable
constexpr std::size_t kMaxBytes = std::size_t{2} << 30U;

std::string textOf(const sql::Cell& cell) {
    switch (cell.kind) {
        case sql::Cell::Kind::Integer:
            return std::to_string(cell.integer);
        case sql::Cell::Kind::Real:
            return QByteArray::number(cell.real, 'g', 9).toStdString();
        case sql::Cell::Kind::Text:
            return std::string(cell.text);
        default:
            return {};
    }
}

class FirstRows final : public sql::RowTaker {
public:
    explicit FirstRows(QueryAnswer& answer) : m_answer(answer) {}

    Result<void> begin(std::vector<std::string> columns) override {
        m_answer.table = {std::move(columns), {}};
        m_answer.rows = 0;
        return {};
    }
    Result<void> row(std::span<const sql::Cell> cells) override {
        if (m_answer.rows++ < kMaxRows) {
            std::vector<std::string> fields;
            std::ranges::transform(cells, std::back_inserter(fields), textOf);
            m_answer.table.rows.push_back(std::move(fields));
        }
        return {};
    }

private:
    QueryAnswer& m_answer;
};

}  // namespace

struct QueryRunner::Queried {
    std::shared_ptr<const trace::Trace> trace;
    std::unique_ptr<sql::QueryDatabase> database;  // made by the first query

    Result<std::shared_ptr<const QueryAnswer>> answer(const std::string& text,
                                                      std::optional<TimeSpan> selected,
                                                      const std::stop_token& stop) {
        const auto begin = std::chrono::steady_clock::now();
        if (!database) {
            auto made = sql::QueryDatabase::open({&trace, 1}, {}, stop);
            if (!made) {
                return tl::unexpected(made.error());
            }
            database = std::move(*made);
        }
        sql::QueryOptions options;
        options.limits.bytes = kMaxBytes;
        options.stop = stop;
        if (selected) {
            const TimeNs origin = database->origin(*trace);
            options.window = TimeSpan{selected->start - origin, selected->end - origin};
        }
        auto made = std::make_shared<QueryAnswer>();
        FirstRows rows(*made);
        if (auto done = database->run(text, rows, options); !done) {
            return tl::unexpected(done.error());
        }
        made->seconds =
            std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
        return std::shared_ptr<const QueryAnswer>(std::move(made));
    }
};

QueryRunner::QueryRunner(QObject* parent)
    : QObject(parent), m_task([this](auto answer) { take(std::move(answer)); }) {}

void QueryRunner::setTrace(std::shared_ptr<const trace::Trace> trace) {
    if (m_task.busy()) {
        cancel();
    }
    m_queried = trace ? std::make_shared<Queried>(Queried{std::move(trace), nullptr}) : nullptr;
}

void QueryRunner::run(const QString& text, std::optional<TimeSpan> selected) {
    if (!m_queried) {
        return;
    }
    m_task.start(
        [queried = m_queried, text = text.toStdString(), selected](const std::stop_token& stop) {
            return queried->answer(text, selected, stop);
        });
    emit busyChanged();
}

void QueryRunner::cancel() {
    m_task.cancel();
    emit busyChanged();
    emit failed(tr("cancelled"));
}

void QueryRunner::take(Result<std::shared_ptr<const QueryAnswer>> answer) {
    emit busyChanged();
    if (answer) {
        emit answered(*answer);
    } else {
        emit failed(models::toText(answer.error().message));
    }
}

}  // namespace kinetoscope::panels
