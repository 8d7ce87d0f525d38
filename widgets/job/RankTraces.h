// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <list>
#include <memory>

#include "core/trace/Trace.h"
#include "widgets/session/LatestTask.h"
#include "widgets/session/TraceLayout.h"

namespace kinetoscope::job {

/// The whole traces of the ranks that are shown in detail, read on demand on a worker, one after
/// the other. The least recently used are dropped if there are many or they are large.
class RankTraces final : public QObject {
    Q_OBJECT

public:
    static constexpr std::size_t kMaxTraces = 6;
    static constexpr std::size_t kMaxSlices = 30'000'000;  ///< of all together, but for the newest

    struct Loaded {
        std::size_t record = 0;
        std::shared_ptr<const trace::Trace> trace;
        std::shared_ptr<session::TraceLayout> layout;
    };

    explicit RankTraces(QObject* parent = nullptr);

    /// Reads it, unless it is loaded; loaded() or failed() comes in any case, immediately for one
    /// that is loaded.
    void want(std::size_t record, const QString& path);
    /// Null while it is not there. Makes it the one looked at most recently.
    [[nodiscard]] const Loaded* find(std::size_t record);
    [[nodiscard]] bool busy() const { return m_task.busy() || !m_queue.isEmpty(); }

signals:
    void loaded(std::size_t record);
    void failed(std::size_t record, const QString& why);
    void dropped(std::size_t record);

private:
    struct Wanted {
        std::size_t record;
        QString path;
    };

    void startNext();
    void deliver(Result<Loaded> result);
    void dropOld();

    QList<Wanted> m_queue;
    std::size_t m_reading = 0;
    std::list<Loaded> m_loaded;  ///< most recently used first
    session::LatestTask<Loaded> m_task;
};

}  // namespace kinetoscope::job
