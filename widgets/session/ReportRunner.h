// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <functional>
#include <memory>

#include "core/report/Report.h"
#include "widgets/session/GrowthPace.h"
#include "widgets/session/LatestTask.h"
#include "widgets/session/ViewState.h"

namespace kinetoscope::session {

/// Keeps the report of the shown trace, its window and the chosen grouping up to date, computed on
/// a worker. The newest wish wins. GUI thread.
class ReportRunner final : public QObject {
    Q_OBJECT

public:
    using Make =
        std::function<Result<report::Report>(const trace::Trace&, const report::ReportOptions&)>;

    explicit ReportRunner(ViewState& view, Make make = report::makeReport,
                          QObject* parent = nullptr);

    void setGroup(analysis::GroupBy group);
    [[nodiscard]] analysis::GroupBy group() const { return m_group; }

    /// Of the trace in traceOf(); null before the first one is ready and when it failed.
    [[nodiscard]] const std::shared_ptr<const report::Report>& report() const { return m_report; }
    /// The trace that report() describes.
    [[nodiscard]] const std::shared_ptr<const trace::Trace>& traceOf() const { return m_trace; }
    /// Why there is no report; empty if there is one.
    [[nodiscard]] const QString& error() const { return m_error; }
    [[nodiscard]] bool busy() const { return m_task.busy(); }

signals:
    void reportChanged();
    void busyChanged();
    /// There is none for lack of memory or threads, not because of the trace or the window.
    void failed(const QString& why);

private:
    void restart();
    void forget();
    void deliver(Result<report::Report> report);

    ViewState& m_view;
    Make m_make;
    analysis::GroupBy m_group = analysis::GroupBy::Inductor;
    std::shared_ptr<const trace::Trace> m_requested;  ///< whose report is being made
    std::shared_ptr<const trace::Trace> m_trace;
    std::shared_ptr<const report::Report> m_report;
    QString m_error;
    GrowthPace m_pace;
    LatestTask<report::Report> m_task;
};

}  // namespace kinetoscope::session
