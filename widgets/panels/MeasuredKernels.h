// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <memory>

#include "core/ncu/Table.h"
#include "widgets/panels/parts/Panel.h"
#include "widgets/session/LatestTask.h"

namespace kinetoscope::panels {

/// A table of Nsight Compute that was opened, joined on a worker to the kernels of the report that
/// is shown, and again to those of the next one.
class MeasuredKernels final : public QObject {
    Q_OBJECT

public:
    explicit MeasuredKernels(const PanelContext& context, QObject* parent = nullptr);

    /// Asks for a file.
    void choose(QWidget* over);
    void open(const QString& path);
    void close();

    /// Null: none is open, or it is not joined yet. Its names are those of traceOf().
    [[nodiscard]] const std::shared_ptr<const ncu::Table>& table() const { return m_joined.table; }
    [[nodiscard]] const std::shared_ptr<const trace::Trace>& traceOf() const { return m_trace; }
    [[nodiscard]] const QString& path() const { return m_path; }
    /// Why the file cannot be read; empty: it can.
    [[nodiscard]] const QString& error() const { return m_error; }
    [[nodiscard]] bool busy() const { return m_task.busy(); }

signals:
    void changed();

private:
    struct Joined {
        std::shared_ptr<const ncu::Profile> profile;
        std::shared_ptr<const ncu::Table> table;
    };

    void join();
    void take(Result<Joined> joined);

    session::Session& m_session;
    session::Settings& m_settings;
    QString m_path;
    QString m_error;
    Joined m_joined;
    std::shared_ptr<const trace::Trace> m_trace;
    session::LatestTask<Joined> m_task;
};

}  // namespace kinetoscope::panels
