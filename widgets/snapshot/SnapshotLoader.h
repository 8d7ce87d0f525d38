// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QStringList>
#include <QTimer>
#include <memory>

#include "core/base/Progress.h"
#include "widgets/panels/memory/ShownMemory.h"
#include "widgets/session/LatestTask.h"

namespace kinetoscope::snapshot {

using panels::Memory;

/// Whether the file begins like a snapshot of PyTorch's allocator. Reads its first bytes only.
[[nodiscard]] bool isSnapshot(const QString& path);

/// Reads snapshots on a worker, one after the other. GUI thread.
class SnapshotLoader final : public QObject {
    Q_OBJECT

public:
    explicit SnapshotLoader(QObject* parent = nullptr);

    /// Waits until the one before is there.
    void open(const QString& path);
    /// Forgets the one being read and those that wait.
    void cancel();
    [[nodiscard]] bool isLoading() const { return !m_current.isEmpty(); }

signals:
    void started(const QString& path);
    /// 0 to 1.
    void progressed(double fraction);
    void loaded(const QString& path, const kinetoscope::panels::Memory& memory);
    void failed(const QString& path, const QString& why, kinetoscope::ErrorKind kind);
    void idle();

private:
    void startNext();
    void deliver(const Result<Memory>& result);

    QStringList m_queue;
    QString m_current;
    std::shared_ptr<Progress> m_progress;  ///< of m_current
    QTimer m_clock;
    session::LatestTask<Memory> m_task;
};

}  // namespace kinetoscope::snapshot
