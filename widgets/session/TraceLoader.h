// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QStringList>
#include <QTimer>
#include <functional>
#include <memory>
#include <mutex>
#include <utility>

#include "core/import/load/LoadTrace.h"
#include "widgets/session/LatestTask.h"
#include "widgets/session/TraceLayout.h"

namespace kinetoscope::session {

/// Reads files and lays their traces out on a worker, one after the other, in the order in which
/// they were asked for. All signals are emitted in the thread the loader lives in.
class TraceLoader final : public QObject {
    Q_OBJECT

public:
    using Trace = std::shared_ptr<const kinetoscope::trace::Trace>;
    using Load = std::function<Result<Trace>(const std::string&, const import::LoadOptions&)>;

    explicit TraceLoader(Load load = import::loadTrace, QObject* parent = nullptr);

    /// Queues the files that are not waiting already.
    void open(const QStringList& paths);
    /// Forgets the file being read and all that wait; takes effect before it returns.
    void cancel();

    [[nodiscard]] bool isLoading() const { return !m_current.isEmpty(); }
    [[nodiscard]] QString currentPath() const { return m_current; }
    [[nodiscard]] int waiting() const { return static_cast<int>(m_queue.size()); }
    [[nodiscard]] const Progress& progress() const { return *m_progress; }

signals:
    void started(const QString& path);
    /// Bytes of the file on disk; total is 0 while unknown.
    void progressed(quint64 done, quint64 total);
    /// The part read so far, a few times in loads that take long; see LoadOptions::snapshot.
    void grown(const QString& path, const std::shared_ptr<const kinetoscope::trace::Trace>& trace,
               const std::shared_ptr<kinetoscope::session::TraceLayout>& layout);
    void loaded(const QString& path, const std::shared_ptr<const kinetoscope::trace::Trace>& trace,
                const std::shared_ptr<kinetoscope::session::TraceLayout>& layout);
    void failed(const QString& path, const QString& message, kinetoscope::ErrorKind kind);
    void cancelled(const QString& path);
    /// Nothing is read and nothing waits.
    void idle();

private:
    /// The result of a worker.
    struct Read {
        Trace trace;
        std::shared_ptr<TraceLayout> layout;
    };

    /// The newest snapshot of one load that has not been taken yet.
    class SnapshotBox {
    public:
        void put(Trace trace) {
            const std::scoped_lock lock(m_mutex);
            m_trace = std::move(trace);
        }
        [[nodiscard]] Trace take() {
            const std::scoped_lock lock(m_mutex);
            return std::exchange(m_trace, nullptr);
        }

    private:
        std::mutex m_mutex;
        Trace m_trace;
    };

    void startNext();
    void tick();
    void deliver(Result<Read> result);

    Load m_load;
    QStringList m_queue;
    QString m_current;
    QTimer m_tick;
    std::shared_ptr<Progress> m_progress;     ///< shared with the worker
    std::shared_ptr<SnapshotBox> m_snapshot;  ///< the same
    LatestTask<Read> m_task;
    LatestTask<Read> m_growing;  ///< lays snapshots out, so that the load continues
};

}  // namespace kinetoscope::session
