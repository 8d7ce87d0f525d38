// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QObject>
#include <QProcess>
#include <QString>
#include <QStringList>

namespace kinetoscope::session {

/// A `kscope` as a process of its own, so that whatever a kernel, a driver or PyTorch breaks is not
/// this one; hands on the lines that it prints. One run at a time. GUI thread.
class KscopeProcess final : public QObject {
    Q_OBJECT

public:
    explicit KscopeProcess(QObject* parent = nullptr);
    ~KscopeProcess() override;

    /// Fails at finished() when the program cannot be started.
    void start(const QStringList& arguments);
    /// Ends the run; finished() follows.
    void cancel();
    [[nodiscard]] bool running() const { return m_process.state() != QProcess::NotRunning; }

    /// $KINETOSCOPE_KSCOPE, else the one beside this program, else the one in PATH.
    [[nodiscard]] static QString program();

signals:
    void lineRead(const QByteArray& line);
    /// `error` is empty after a good run and after cancel().
    void finished(const QString& error);

private:
    void readLines();
    void end(const QString& error);

    QProcess m_process;
    bool m_cancelled = false;
    bool m_ended = true;
};

}  // namespace kinetoscope::session
