// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/session/programs/Recorder.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QStandardPaths>
#include <csignal>

#include "core/base/TemporaryFiles.h"
#include "core/capture/RecordRun.h"
#include "core/stream/CaptureFolder.h"
#include "widgets/session/paths/FilePath.h"
#include "widgets/session/programs/KscopeProcess.h"

namespace kinetoscope::session {

namespace {

constexpr int kEndPatienceMs = 3000;
constexpr int kNotStarted = 2;  // as kscope record ends

// Other windows may record the same program from the same second on.
QString makeFreshFolder(const QString& place, const QString& program) {
    const QString stamp = QDateTime::currentDateTime().toString(QStringLiteral("yyyyMMdd-HHmmss"));
    const QString folder = QStringLiteral("%1/%2-%3").arg(place, program, stamp);
    return QDir().mkpath(place) ? decodedPath(makeNumberedFolder(encodedPath(folder))) : QString();
}

QString copyFiles(const QString& from, const QString& to) {
    for (const QFileInfo& file : QDir(from).entryInfoList(QDir::Files)) {
        QFile source(file.filePath());
        if (!source.copy(to + QLatin1Char('/') + file.fileName())) {
            return QCoreApplication::translate("Recorder", "cannot copy %1 to %2: %3")
                .arg(file.filePath(), to, source.errorString());
        }
    }
    return {};
}

}  // namespace

QString whyNoProgram(const QString& program, const QString& folder) {
    if (!program.contains(QLatin1Char('/'))) {
        return QStandardPaths::findExecutable(program).isEmpty()
                   ? Recorder::tr("'%1': is not in PATH").arg(program)
                   : QString();
    }
    const QFileInfo file(QDir(folder.isEmpty() ? QDir::currentPath() : folder), program);
    return !file.exists()
               ? Recorder::tr("'%1': cannot be started; there is no such file").arg(program)
           : !file.isFile() || !file.isExecutable()
               ? Recorder::tr("'%1': cannot be started; it is not a program").arg(program)
               : QString();
}

Recorder::Recorder(const QString& place, QObject* parent)
    : QObject(parent),
      m_place(place),
      m_saving([this](const Result<convert::KinetoSummary>& summary) {
          m_saved = m_saved || summary.has_value();
          emit saved(m_savePath,
                     summary ? QString() : QString::fromStdString(summary.error().message));
          emit stateChanged();
      }) {
    m_process.setProcessChannelMode(QProcess::MergedChannels);
    connect(&m_process, &QProcess::readyReadStandardOutput, this, &Recorder::readOutput);
    connect(&m_process, &QProcess::finished, this, &Recorder::programEnded);
    connect(&m_feed, &LiveFeed::grown, this, &Recorder::take);
    connect(&m_feed, &LiveFeed::finished, this, [this](const auto& trace, const auto& layout) {
        take(trace, layout);
        setState(State::Done);
    });
    connect(&m_feed, &LiveFeed::failed, this, [this](const QString& why) {
        emit lostSight(why);
        if (!isRunning()) {
            endUnseen();
        }
    });
}

Recorder::~Recorder() {
    disconnect(&m_process, nullptr, this, nullptr);
    m_feed.cancel();
    if (m_process.state() != QProcess::NotRunning) {
        ::kill(static_cast<pid_t>(m_process.processId()), SIGINT);
        if (!m_process.waitForFinished(kEndPatienceMs)) {
            m_process.terminate();
            m_process.waitForFinished(kEndPatienceMs);
        }
        QDir(m_folder).removeRecursively();
    }
}

QString Recorder::start(const RecordRequest& request) {
    const QString kscope = KscopeProcess::program();
    if (kscope.isEmpty()) {
        return tr("cannot find kscope, which does the recording, next to this program or in PATH");
    }
    const QFileInfo place(request.folder);
    if (!request.folder.isEmpty() && !place.isDir()) {
        return tr("'%1': does not exist").arg(request.folder);
    }
    if (QString why = whyNoProgram(request.program, request.folder); !why.isEmpty()) {
        m_exitCode = kNotStarted;
        return why;
    }
    discard();
    m_program = QFileInfo(request.program).fileName();
    m_folder = makeFreshFolder(m_place, m_program);
    if (m_folder.isEmpty()) {
        return tr("'%1': cannot create a folder in it").arg(m_place);
    }
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    // Python holds back what it prints into a pipe until it has kilobytes of it.
    environment.insert(QStringLiteral("PYTHONUNBUFFERED"), QStringLiteral("1"));
    for (const QString& line : request.environment) {
        environment.insert(line.section(QLatin1Char('='), 0, 0), line.section(QLatin1Char('='), 1));
    }
    m_process.setProcessEnvironment(environment);
    m_process.setWorkingDirectory(request.folder);
    m_process.start(kscope, QStringList{QStringLiteral("record"), QStringLiteral("-o"), m_folder,
                                        QStringLiteral("--level"), QString::number(request.level),
                                        QStringLiteral("--"), request.program} +
                                request.arguments);
    if (!m_process.waitForStarted()) {
        QDir().rmdir(m_folder);
        return tr("'%1': cannot be run: %2").arg(kscope, m_process.errorString());
    }
    m_process.closeWriteChannel();  // a program that reads input gets an end, not an endless wait
    m_captured = m_kept = m_saved = m_stopRequested = false;
    m_clock.start();
    m_feed.start(m_folder);
    emit started();
    setState(State::Recording);
    return {};
}

void Recorder::setState(State state) {
    m_state = state;
    emit stateChanged();
}

void Recorder::send(const char* word) {
    if (!isRunning()) {
        return;
    }
    if (const auto sent = capture::sendControl(encodedPath(m_folder), word); !sent) {
        emit output(QString::fromStdString(sent.error().message) + QLatin1Char('\n'));
        return;
    }
    setState(qstrcmp(word, "stop") == 0 ? State::Stopped : State::Recording);
}

void Recorder::endProgram() {
    if (isRunning()) {
        ::kill(static_cast<pid_t>(m_process.processId()), m_stopRequested ? SIGTERM : SIGINT);
        m_stopRequested = true;
    }
}

void Recorder::readOutput() {
    emit output(m_decoder(m_process.readAllStandardOutput()));
}

void Recorder::programEnded(int exitCode, QProcess::ExitStatus status) {
    readOutput();
    m_lasted = m_clock.elapsed();
    m_exitCode = status == QProcess::NormalExit ? exitCode : 128 + exitCode;
    if (!m_feed.isRunning()) {
        endUnseen();
        return;
    }
    m_feed.finish();
    setState(State::Reading);
}

// Captures that were not read can still be kept and saved.
void Recorder::endUnseen() {
    m_captured = !stream::capturesIn(encodedPath(m_folder)).empty();
    setState(State::Done);
}

void Recorder::take(const std::shared_ptr<const trace::Trace>& trace,
                    const std::shared_ptr<TraceLayout>& layout) {
    if (trace->sliceCount() > 0) {
        m_captured = true;
        emit grown(m_folder, trace, layout);
    }
}

QString Recorder::keep(const QString& folder) {
    const QString to = folder + QLatin1Char('/') + QFileInfo(m_folder).fileName();
    if (QFileInfo::exists(to)) {
        return tr("'%1': exists already").arg(to);
    }
    if (!QDir().rename(m_folder, to)) {  // another file system
        QString error = QDir().mkpath(to) ? copyFiles(m_folder, to)
                                          : tr("'%1': cannot create this folder").arg(to);
        if (!error.isEmpty()) {
            QDir(to).removeRecursively();
            return error;
        }
        QDir(m_folder).removeRecursively();
    }
    m_kept = true;
    emit moved(std::exchange(m_folder, to), to);
    emit stateChanged();
    return {};
}

void Recorder::save(const QString& path) {
    m_savePath = path;
    m_saving.start([captures = stream::capturesIn(encodedPath(m_folder)),
                    output = encodedPath(path)](const std::stop_token& stop) {
        convert::KinetoOptions options;
        options.captures = captures;
        options.output = output;
        options.stop = stop;
        return convert::writeKinetoTrace(options);
    });
    emit stateChanged();
}

void Recorder::discard() {
    m_saving.cancel();
    if (m_state == State::Done && !m_kept) {
        QDir(m_folder).removeRecursively();
    }
    if (m_state == State::Done) {
        setState(State::Idle);
    }
}

qint64 Recorder::elapsedMs() const {
    return isRunning() ? m_clock.elapsed() : m_lasted;
}

quint64 Recorder::captureBytes() const {
    quint64 bytes = 0;
    for (const QFileInfo& file : QDir(m_folder).entryInfoList({QStringLiteral("*.kscope")})) {
        bytes += static_cast<quint64>(file.size());
    }
    return bytes;
}

}  // namespace kinetoscope::session
