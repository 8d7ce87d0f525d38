// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <memory>
#include <optional>

#include "core/base/Time.h"
#include "core/metrics/Csv.h"
#include "core/trace/Trace.h"
#include "widgets/session/LatestTask.h"

namespace kinetoscope::panels {

/// The rows of the last SELECT of a query.
struct QueryAnswer {
    metrics::CsvTable table;
    std::uint64_t rows = 0;  ///< all of them; the table has the first ones
    double seconds = 0.0;
};

/// Runs queries about one trace on a worker, one at a time. Lives in the GUI thread.
class QueryRunner final : public QObject {
    Q_OBJECT

public:
    explicit QueryRunner(QObject* parent = nullptr);

    /// Sets the subject of the following queries and ends the running one. Null: nothing.
    void setTrace(std::shared_ptr<const trace::Trace> trace);
    /// `selected`: of the trace's own time; only what runs in it.
    void run(const QString& sql, std::optional<TimeSpan> selected);
    /// Ends the running query; answered() reports that it was cancelled.
    void cancel();
    [[nodiscard]] bool busy() const { return m_task.busy(); }

signals:
    void answered(std::shared_ptr<const kinetoscope::panels::QueryAnswer> answer);
    void failed(const QString& message);
    void busyChanged();

private:
    struct Queried;  ///< the worker's

    void take(Result<std::shared_ptr<const QueryAnswer>> answer);

    std::shared_ptr<Queried> m_queried;
    session::LatestTask<std::shared_ptr<const QueryAnswer>> m_task;
};

}  // namespace kinetoscope::panels
