// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <QTimer>
#include <memory>

#include "core/base/Progress.h"
#include "core/cut/Cut.h"
#include "widgets/session/LatestTask.h"

namespace kinetoscope::session {

/// Writes the part of a trace in a window as a trace of its own, on a worker, one at a time. GUI
/// thread.
class TraceCutter final : public QObject {
    Q_OBJECT

public:
    explicit TraceCutter(QObject* parent = nullptr);

    /// A cut that is still being written ends and leaves no file.
    void start(std::shared_ptr<const trace::Trace> trace, const analysis::WindowChoice& window,
               const QString& path);
    /// Does not block; no partial file is left, and no older one is changed.
    void cancel();
    [[nodiscard]] bool busy() const { return m_task.busy(); }
    /// Of the trace's bytes that have been read, 0 to 1.
    [[nodiscard]] double fraction() const { return m_progress ? m_progress->fraction() : 0.0; }
    [[nodiscard]] const QString& path() const { return m_path; }

signals:
    void started();
    void progressed();
    /// `problems`: what was repaired or left out, one line each.
    void written(const QString& path, const QString& summary, const QStringList& problems);
    void failed(const QString& why);
    void ended();  ///< after written() or failed(), and when it was cancelled

private:
    void deliver(const Result<cut::CutSummary>& summary);

    QString m_path;
    std::shared_ptr<Progress> m_progress;
    QTimer m_ticks;
    LatestTask<cut::CutSummary> m_task;
};

/// Events of the cut that differ from the file, one line each; `name` says which file.
[[nodiscard]] QStringList problemsOf(const cut::CutSummary& summary, const QString& name);

}  // namespace kinetoscope::session
