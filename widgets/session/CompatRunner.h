// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "core/analysis/Compat.h"
#include "core/sidecar/Sidecar.h"
#include "widgets/session/LatestTask.h"
#include "widgets/session/ReportRunner.h"

namespace kinetoscope::session {

/// PyTorch's own figures of a trace over the wall time that was entered for it.
struct CompatFigures {
    sidecar::EnteredRun entered;
    analysis::CompatReport report;
    std::string text;     ///< as `kscope report --compat` prints it
    std::string problem;  ///< why what is kept beside the trace was not read; else empty
};

/// Keeps PyTorch's own figures of the shown trace up to date while somebody looks at them, and what
/// a person enters for them beside the trace. Works them out on a worker, after the report. GUI
/// thread.
class CompatRunner final : public QObject {
    Q_OBJECT

public:
    /// `path` gives the file or folder of the shown trace. `reports` must outlive this.
    CompatRunner(const ReportRunner& reports, std::function<QString()> path,
                 QObject* parent = nullptr);

    /// Nothing is read or worked out before.
    void setWanted(bool wanted);
    /// Null before they are ready.
    [[nodiscard]] const std::shared_ptr<const CompatFigures>& figures() const { return m_figures; }
    /// What could not be read, kept or worked out, in one line; else empty.
    [[nodiscard]] const QString& problem() const { return m_problem; }
    [[nodiscard]] bool busy() const { return m_task.busy(); }

    /// Keeps the values beside the trace; where that fails they hold as long as this lives. Not
    /// before the figures are there, because the file may have others.
    void enter(const sidecar::EnteredRun& run);

signals:
    void changed();

private:
    void follow();
    void restart();
    void deliver(Result<CompatFigures> figures);

    const ReportRunner& m_reports;
    std::function<QString()> m_path;
    bool m_wanted = false;
    std::shared_ptr<const trace::Trace> m_trace;  ///< whose figures are shown or being made
    std::shared_ptr<const CompatFigures> m_figures;
    std::optional<sidecar::EnteredRun> m_entered;  ///< for m_trace, since it is shown
    QString m_problem;
    std::map<QString, sidecar::EnteredRun> m_unkept;  ///< by path: what no file could be written of
    LatestTask<CompatFigures> m_task;
};

}  // namespace kinetoscope::session
