// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <memory>

#include "core/analysis/Operators.h"
#include "widgets/session/GrowthPace.h"
#include "widgets/session/LatestTask.h"
#include "widgets/session/ViewState.h"

namespace kinetoscope::session {

/// Keeps the operator table of the shown trace and its window up to date while somebody looks at
/// it, computed on a worker: by shape it reads the whole file once more. GUI thread.
class OperatorRunner final : public QObject {
    Q_OBJECT

public:
    explicit OperatorRunner(ViewState& view, QObject* parent = nullptr);

    /// Whether somebody looks. What is computed for nobody ends.
    void setWanted(bool wanted);
    void setByShape(bool byShape);
    [[nodiscard]] bool byShape() const { return m_byShape; }

    /// Of the trace in traceOf(); null before the first one is ready and when it failed.
    [[nodiscard]] const std::shared_ptr<const analysis::OperatorTable>& table() const {
        return m_table;
    }
    /// The trace that table() describes.
    [[nodiscard]] const std::shared_ptr<const trace::Trace>& traceOf() const { return m_trace; }
    /// Why there is no table; empty when there is one.
    [[nodiscard]] const QString& error() const { return m_error; }
    [[nodiscard]] bool busy() const { return m_task.busy(); }

signals:
    void tableChanged();
    void busyChanged();

private:
    void forget();
    void restart();
    void deliver(Result<analysis::OperatorTable> table);

    ViewState& m_view;
    bool m_wanted = false;
    bool m_stale = true;  ///< the table is not what it would be now
    bool m_byShape = false;
    std::shared_ptr<const trace::Trace> m_asked;  ///< whose table is being made
    std::shared_ptr<const trace::Trace> m_trace;
    std::shared_ptr<const analysis::OperatorTable> m_table;
    QString m_error;
    GrowthPace m_pace;
    LatestTask<analysis::OperatorTable> m_task;
};

}  // namespace kinetoscope::session
