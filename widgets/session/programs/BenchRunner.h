// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/bench/results/ResultStream.h"
#include "widgets/session/programs/KscopeProcess.h"

namespace kinetoscope::session {

/// What a run of the bench is asked for.
struct BenchRequest {
    QStringList folders;
    QString method;    ///< "event-cold"
    QStringList keys;  ///< of the kernels; empty: all
};

/// Runs `kscope bench kernels --stream` and hands on its results as they come. One run at a time.
/// GUI thread.
class BenchRunner final : public QObject {
    Q_OBJECT

public:
    explicit BenchRunner(QObject* parent = nullptr);

    /// Fails at finished() when the program cannot be started.
    void start(const BenchRequest& request);
    /// Ends the run; finished() follows.
    void cancel() { m_process.cancel(); }
    [[nodiscard]] bool running() const { return m_process.running(); }

signals:
    void gpuKnown(const bench::results::GpuDescription& gpu);
    void kernelStarted(const QString& key, const QString& name);
    void kernelFinished(const bench::results::BenchItem& result);
    /// `error` is empty after a good run and after cancel().
    void finished(const QString& error);

private:
    void readLine(const QByteArray& line);

    KscopeProcess m_process;
    bench::results::ResultStream m_stream{bench::results::ResultKind::Kernels};
};

}  // namespace kinetoscope::session
