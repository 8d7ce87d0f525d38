// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QStringList>
#include <memory>

#include "core/flight/FlightJob.h"
#include "core/ranks/Job.h"
#include "core/ranks/view/ShownJob.h"
#include "widgets/session/LatestTask.h"

namespace kinetoscope::job {

/// Reads jobs on a worker and all cores, one after the other. Signals come in the thread that the
/// loader lives in.
class JobLoader final : public QObject {
    Q_OBJECT

public:
    using Shown = std::shared_ptr<const ranks::view::ShownJob>;
    using Dumps = std::shared_ptr<const flight::FlightJob>;

    explicit JobLoader(QObject* parent = nullptr);

    /// Files, or folders of them: traces and partials, or dumps of the flight recorder. Waits until
    /// the one before is there.
    void open(const QStringList& paths);
    /// Forgets the job being read and those that wait.
    void cancel();
    [[nodiscard]] bool isLoading() const { return !m_current.isEmpty(); }

signals:
    void started(const QStringList& paths);
    void progressed(qint64 done, qint64 all);
    /// The ranks read so far of a job that takes long; loaded(), failed() or idle() follow.
    void previewed(const QStringList& paths,
                   const std::shared_ptr<const kinetoscope::ranks::view::ShownJob>& job,
                   qint64 files);
    void loaded(const QStringList& paths,
                const std::shared_ptr<const kinetoscope::ranks::view::ShownJob>& job);
    void dumpsLoaded(const QStringList& paths,
                     const std::shared_ptr<const kinetoscope::flight::FlightJob>& dumps);
    void failed(const QStringList& paths, const QString& why, kinetoscope::ErrorKind kind);
    void idle();

private:
    /// One of the two.
    struct Read {
        Shown job;
        Dumps dumps;
    };

    void startNext();
    void deliver(const Result<Read>& result);
    [[nodiscard]] Result<Read> read(const std::vector<std::string>& paths,
                                    const std::stop_token& stop);
    [[nodiscard]] Result<ranks::Job> readJob(const std::vector<std::string>& files,
                                             const std::stop_token& stop);
    /// In the thread of the loader, unless that job has been given up.
    void post(const std::stop_token& stop, std::function<void()> tell);

    QList<QStringList> m_queue;
    QStringList m_current;
    session::LatestTask<Read> m_task;
};

/// The message for a rank whose trace does not exist; it follows a name.
inline constexpr const char* kNoTrace =
    "does not exist; the job is shown from a partial: put the trace next to the partial to open it";

/// A whole trace, for a rank that is looked at closely.
[[nodiscard]] Result<std::shared_ptr<const trace::Trace>> loadRankTrace(
    const std::string& path, unsigned threads, const std::stop_token& stop);

}  // namespace kinetoscope::job
