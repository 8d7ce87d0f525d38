// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <cstdint>
#include <memory>

#include "core/trace/Trace.h"
#include "widgets/session/LatestTask.h"
#include "widgets/session/TraceLayout.h"

namespace kinetoscope::session {

/// Follows a recording while it is written: a worker reads, copies and lays out, and hands over one
/// grown trace at a time. The larger the trace, the longer the pause between two, so that most of
/// the machine stays with the recorded program and the window. Where this process has half of the
/// machine's memory, the older half of the events is dropped; it fails where that is too little.
/// GUI thread.
class LiveFeed final : public QObject {
    Q_OBJECT

public:
    explicit LiveFeed(QObject* parent = nullptr);
    ~LiveFeed() override;

    /// Of the folder that the captures are written to. Forgets the one before.
    void start(const QString& folder);
    /// Bytes that this process may have, in place of half of the machine's.
    void setMemoryLimit(std::uint64_t bytes) { m_memoryLimit = bytes; }
    /// Nobody writes any more: finished() comes once the rest is read.
    void finish();
    /// Nothing more is delivered.
    void cancel();
    [[nodiscard]] bool isRunning() const { return m_shared != nullptr; }

signals:
    void grown(const std::shared_ptr<const kinetoscope::trace::Trace>& trace,
               const std::shared_ptr<kinetoscope::session::TraceLayout>& layout);
    /// All of it, with its import log. It may be without slices.
    void finished(const std::shared_ptr<const kinetoscope::trace::Trace>& trace,
                  const std::shared_ptr<kinetoscope::session::TraceLayout>& layout);
    /// In place of finished(): it cannot be followed any further, for lack of memory or threads.
    /// Captures in the folder are not affected.
    void failed(const QString& why);

private:
    struct Shared;
    struct Delivery {
        std::shared_ptr<const trace::Trace> trace;
        std::shared_ptr<TraceLayout> layout;
        bool last = false;
    };

    [[nodiscard]] static Result<Delivery> work(Shared& shared, const std::stop_token& stop);
    void next();
    void deliver(const Result<Delivery>& delivery);

    std::shared_ptr<Shared> m_shared;  ///< with the worker
    std::uint64_t m_memoryLimit;
    LatestTask<Delivery> m_task;
};

}  // namespace kinetoscope::session
