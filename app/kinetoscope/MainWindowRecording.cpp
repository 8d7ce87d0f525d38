// SPDX-License-Identifier: GPL-3.0-or-later
// The parts of the window that record a program, and what a folder stands for.
#include <QDir>
#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <QMessageBox>
#include <QPushButton>
#include <QStandardPaths>
#include <QStatusBar>

#include "app/kinetoscope/MainWindow.h"
#include "app/kinetoscope/RecordDialog.h"
#include "core/stream/CaptureFolder.h"
#include "widgets/session/paths/FilePath.h"

namespace kinetoscope::app {

QString recordingsPlace() {
    return QStandardPaths::writableLocation(QStandardPaths::CacheLocation) +
           QStringLiteral("/recordings");
}

namespace {

constexpr qsizetype kMaxTracesOfFolder = 64;  // all of them are in memory together
constexpr qint64 kHead = 64 * 1024;           // a profiler's metadata comes before the events

bool isTrace(const QFileInfo& info) {
    const QString name = info.fileName();
    if (name.endsWith(QLatin1String(".json.gz")) || name.endsWith(QLatin1String(".json.zst")) ||
        name.endsWith(QLatin1String(".kscope"))) {
        return true;
    }
    QFile file(info.absoluteFilePath());
    if (!name.endsWith(QLatin1String(".json")) || !file.open(QIODevice::ReadOnly)) {
        return false;
    }
    const QByteArray head = file.read(kHead);
    return head.trimmed().startsWith('[') || head.contains("\"traceEvents\"") ||
           head.contains("\"deviceProperties\"");
}

/// The traces that lie in a folder itself, by name; empty when it looks like a compiler's cache,
/// whose folders hold JSON files too.
QStringList tracesIn(const QString& folder) {
    const QDir dir(folder);
    const QStringList compiled{QStringLiteral("*.py"),    QStringLiteral("*.cubin"),
                               QStringLiteral("*.hsaco"), QStringLiteral("*.ptx"),
                               QStringLiteral("*.ttir"),  QStringLiteral("*.best_config")};
    QStringList traces;
    if (!dir.entryList(compiled, QDir::Files).isEmpty()) {
        return traces;
    }
    for (const QFileInfo& info : dir.entryInfoList(QDir::Files | QDir::Readable, QDir::Name)) {
        if (isTrace(info)) {
            traces.append(info.absoluteFilePath());
        }
    }
    return traces;
}

}  // namespace

bool isRecording(const QString& folder) {
    return !stream::capturesIn(session::encodedPath(folder)).empty();
}

QStringList MainWindow::withTracesOfFolders(const QStringList& paths) {
    QStringList files;
    for (const QString& path : paths) {
        const bool isFolder = QFileInfo(path).isDir() && !isRecording(path);
        const QStringList traces = isFolder ? tracesIn(path) : QStringList();
        if (traces.size() > kMaxTracesOfFolder) {
            m_errors->addMessage(
                tr("'%1': contains %2 traces; only the first %3 are opened. Open the "
                   "others individually.")
                    .arg(path, QString::number(traces.size()),
                         QString::number(kMaxTracesOfFolder)));
        }
        files += traces.isEmpty() ? QStringList{path} : traces.mid(0, kMaxTracesOfFolder);
    }
    return files;
}

void MainWindow::connectRecorder() {
    connect(&m_recorder, &session::Recorder::grown, &m_session, &session::Session::grow);
    connect(&m_view, &session::ViewState::traceShortened, this, &MainWindow::tellLosses);
    connect(&m_recorder, &session::Recorder::lostSight, this, [this](const QString& why) {
        m_errors->addMessage(
            tr("The program is still being recorded but cannot be shown: %1").arg(why));
    });
    connect(&m_recorder, &session::Recorder::moved, this,
            [this](const QString& from, const QString& to) {
                if (const int index = m_session.indexOf(from); index >= 0) {
                    m_session.setPath(index, to);
                }
                session::addRecentFile(m_settings, to);
                refreshCurrent();
            });
    connect(&m_recorder, &session::Recorder::saved, this,
            [this](const QString& path, const QString& error) {
                if (!error.isEmpty()) {
                    m_errors->addMessage(error);
                    return;
                }
                session::addRecentFile(m_settings, path);
                statusBar()->showMessage(tr("Saved %1").arg(path));
            });
    connect(&m_recorder, &session::Recorder::stateChanged, this, [this] {
        action(ActionId::Record)->setEnabled(!m_recorder.isRunning());
        if (m_recorder.state() == session::Recorder::State::Done) {
            tellLosses();
        }
    });
    connect(m_recordBar, &RecordBar::saveCapturesRequested, this, &MainWindow::saveCaptures);
    connect(m_recordBar, &RecordBar::saveRequested, this, &MainWindow::saveRecording);
    connect(m_recordBar, &RecordBar::closeRequested, this, [this] {
        if (m_recorder.hasUnkept()) {
            m_session.close(m_session.indexOf(m_recorder.path()));
        }
        m_recorder.discard();
    });
}

void MainWindow::recordDialog() {
    auto* dialog = new RecordDialog(m_settings, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &RecordDialog::recordRequested, this, &MainWindow::record);
    dialog->open();
}

void MainWindow::record(const session::RecordRequest& request) {
    if (m_recorder.isRunning() || !mayForgetRecording()) {
        return;
    }
    const QString error = m_recorder.start(request);
    if (!error.isEmpty()) {
        m_errors->addMessage(error);
        return;
    }
    m_docks->showPanel(QStringLiteral("output"));
}

void MainWindow::saveCaptures() {
    const QString folder = QFileDialog::getExistingDirectory(
        this, tr("Save the captures in this folder"), m_settings.lastFolder.value());
    if (folder.isEmpty()) {
        return;
    }
    m_settings.lastFolder.set(folder);
    const QString error = m_recorder.keep(folder);
    if (!error.isEmpty()) {
        m_errors->addMessage(error);
    }
}

void MainWindow::saveRecording() {
    const QString path = QFileDialog::getSaveFileName(
        this, tr("Save the recording as a trace"),
        m_settings.lastFolder.value() + QLatin1Char('/') + QFileInfo(m_recorder.path()).fileName() +
            QStringLiteral(".json.gz"),
        tr("Traces (*.json.gz *.json)"));
    if (path.isEmpty()) {
        return;
    }
    m_settings.lastFolder.set(QFileInfo(path).absolutePath());
    // The window could not close while a writer waits for a pipe's reader.
    if (QFileInfo::exists(path) && !QFileInfo(path).isFile()) {
        m_errors->addMessage(tr("'%1': is not a file; choose a file name").arg(path));
        return;
    }
    m_recorder.save(path);
}

// A running program is ended with the window; the user decides about the recording.
bool MainWindow::mayForgetRecording() {
    if (!m_recorder.isRunning() && !m_recorder.hasUnkept()) {
        return true;
    }
    QMessageBox box(this);
    box.setObjectName(QStringLiteral("unkeptBox"));
    box.setIcon(QMessageBox::Question);
    box.setTextFormat(Qt::PlainText);
    box.setText(m_recorder.isRunning()
                    ? tr("%1 is still being recorded.").arg(m_recorder.program())
                    : tr("The recording of %1 has not been saved.").arg(m_recorder.program()));
    box.setInformativeText(m_recorder.isRunning() ? tr("End it and discard its recording?")
                                                  : tr("Discard it?"));
    auto* discard = box.addButton(m_recorder.isRunning() ? tr("End program") : tr("Discard"),
                                  QMessageBox::DestructiveRole);
    discard->setObjectName(QStringLiteral("discard"));
    box.addButton(QMessageBox::Cancel);
    box.exec();
    return box.clickedButton() == discard;
}

}  // namespace kinetoscope::app
