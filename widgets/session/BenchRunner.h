// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QObject>
#include <QProcess>
#include <QString>
#include <QStringList>

#include "core/bench/BenchResult.h"

namespace kinetoscope {

/// What a run of the bench is asked for.
struct BenchRequest {
    QString folder;
    QString method;    ///< "event-cold"
    QStringList keys;  ///< of the kernels; empty: all
};

/// Runs `kscope bench kernels --stream`, so that whatever a kernel or the driver breaks is not this
/// process, and hands on its results as they come. One run at a time. GUI thread.
class BenchRunner final : public QObject {
    Q_OBJECT

public:
    explicit BenchRunner(QObject* parent = nullptr);
    ~BenchRunner() override;

    /// Fails at finished() when the program can't be started.
    void start(const BenchRequest& request);
    /// Ends the run; finished() follows.
    void cancel();
    [[nodiscard]] bool running() const { return m_process.state() != QProcess::NotRunning; }

    /// $KINETOSCOPE_KSCOPE, else the one beside this program, else the one in PATH.
    [[nodiscard]] static QString program();

signals:
    void gpuKnown(const GpuDescription& gpu);
    void kernelStarted(const QString& key, const QString& name);
    void kernelFinished(const KernelResult& result);
    /// `error` is empty after a good run and after cancel().
    void finished(const QString& error);

private:
    void readLines();
    void readLine(const QByteArray& line);
    void end(const QString& error);

    QProcess m_process;
    bool m_cancelled = false;
    bool m_ended = true;
};

}  // namespace kinetoscope
