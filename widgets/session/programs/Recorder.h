// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QProcess>
#include <QStringDecoder>
#include <QStringList>

#include "core/convert/KinetoWriter.h"
#include "widgets/session/LatestTask.h"
#include "widgets/session/programs/LiveFeed.h"

namespace kinetoscope::session {

/// A program to record.
struct RecordRequest {
    QString program;
    QStringList arguments;
    QString folder;           ///< that it runs in; empty: this process's own
    QStringList environment;  ///< "NAME=value", added to this process's own
    int level = 3;
};

/// Why this program of a request cannot be started, in one line; empty: nothing is known against
/// it.
[[nodiscard]] QString whyNoProgram(const QString& program, const QString& folder);

/// Runs one program under `kscope record` and follows what it records. GUI thread.
class Recorder final : public QObject {
    Q_OBJECT

public:
    enum class State {
        Idle,       ///< nothing was recorded, or it was kept or thrown away
        Recording,  ///< the program runs and is recorded
        Stopped,    ///< the program runs on, unrecorded
        Reading,    ///< the program has ended, the rest of its captures is being read
        Done,       ///< all is read; what was recorded waits to be kept, saved or thrown away
    };

    /// Recordings go to folders in `place`, which need not exist.
    explicit Recorder(const QString& place, QObject* parent = nullptr);
    ~Recorder() override;

    /// See LiveFeed.
    void setMemoryLimit(std::uint64_t bytes) { m_feed.setMemoryLimit(bytes); }
    /// Returns why it cannot start, in one line; empty when it runs. Not while one is running.
    [[nodiscard]] QString start(const RecordRequest& request);
    /// Recording, not the program.
    void stopRecording() { send("stop"); }
    void resume() { send("start"); }
    /// Asks the program to end: as Ctrl+C does, the second time more firmly.
    void endProgram();

    /// Moves what was recorded into `folder`. Returns why that failed; empty when it is there.
    [[nodiscard]] QString keep(const QString& folder);
    /// Writes it as one trace in Kineto's format; saved() follows.
    void save(const QString& path);
    /// Removes what was recorded and not kept.
    void discard();

    [[nodiscard]] State state() const { return m_state; }
    [[nodiscard]] bool isRunning() const {
        return m_state == State::Recording || m_state == State::Stopped;
    }
    [[nodiscard]] bool isKept() const { return m_kept; }
    [[nodiscard]] bool hasCaptures() const { return m_captured; }
    /// Something was recorded that exists nowhere else.
    [[nodiscard]] bool hasUnkept() const {
        return m_state == State::Done && m_captured && !m_kept && !m_saved;
    }
    [[nodiscard]] bool isSaving() const { return m_saving.busy(); }
    [[nodiscard]] const QString& program() const { return m_program; }  ///< its file's name
    [[nodiscard]] const QString& path() const { return m_folder; }      ///< folder of the captures
    /// As a shell has it; of the last program that ended.
    [[nodiscard]] int exitCode() const { return m_exitCode; }
    [[nodiscard]] qint64 elapsedMs() const;
    [[nodiscard]] quint64 captureBytes() const;

signals:
    void started();
    void stateChanged();
    /// Output of the program and of kscope, as it arrives.
    void output(const QString& text);
    void grown(const QString& path, const std::shared_ptr<const kinetoscope::trace::Trace>& trace,
               const std::shared_ptr<kinetoscope::session::TraceLayout>& layout);
    /// The recording continues, but new data is not shown.
    void lostSight(const QString& why);
    /// The path is another one from now on.
    void moved(const QString& from, const QString& to);
    /// `error` is one line; empty: the trace is there.
    void saved(const QString& path, const QString& error);

private:
    void send(const char* word);
    void setState(State state);
    void readOutput();
    void endUnseen();
    void programEnded(int exitCode, QProcess::ExitStatus status);
    void take(const std::shared_ptr<const trace::Trace>& trace,
              const std::shared_ptr<TraceLayout>& layout);

    QString m_place;
    QString m_folder;
    QString m_program;
    QProcess m_process;
    QStringDecoder m_decoder{QStringDecoder::Utf8};
    LiveFeed m_feed;
    LatestTask<convert::KinetoSummary> m_saving;
    QString m_savePath;
    QElapsedTimer m_clock;
    qint64 m_lasted = 0;
    State m_state = State::Idle;
    bool m_captured = false;
    bool m_kept = false;
    bool m_saved = false;
    bool m_stopRequested = false;  ///< the program was asked to end
    int m_exitCode = 0;
};

}  // namespace kinetoscope::session
