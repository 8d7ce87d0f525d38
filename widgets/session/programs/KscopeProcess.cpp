// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/session/programs/KscopeProcess.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QStandardPaths>
#include <QTimer>

namespace kinetoscope::session {

namespace {

constexpr int kPatienceMs = 3000;  // from asking the program to end to ending it

QString lastLine(const QByteArray& text) {
    const QStringList lines = QString::fromUtf8(text).split(QLatin1Char('\n'), Qt::SkipEmptyParts);
    QString line = lines.isEmpty() ? QString() : lines.last();
    return line.remove(QLatin1String("kscope: "));
}

}  // namespace

KscopeProcess::KscopeProcess(QObject* parent) : QObject(parent) {
    connect(&m_process, &QProcess::readyReadStandardOutput, this, &KscopeProcess::readLines);
    connect(&m_process, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart) {
            end(tr("'%1': cannot be run: %2").arg(m_process.program(), m_process.errorString()));
        }
    });
    connect(&m_process, &QProcess::finished, this, [this](int code) {
        readLines();
        const QString said = lastLine(m_process.readAllStandardError());
        const bool good = m_process.exitStatus() == QProcess::NormalExit && code == 0;
        end(good || m_cancelled ? QString()
            : said.isEmpty()    ? tr("kscope ended unexpectedly")
                                : said);
    });
}

KscopeProcess::~KscopeProcess() {
    disconnect(&m_process, nullptr, this, nullptr);
    if (running()) {
        m_process.kill();
        m_process.waitForFinished(kPatienceMs);
    }
}

QString KscopeProcess::program() {
    QString chosen = qEnvironmentVariable("KINETOSCOPE_KSCOPE");
    if (!chosen.isEmpty()) {
        return chosen;
    }
    const QString beside = QCoreApplication::applicationDirPath() + QLatin1String("/kscope");
    return QFileInfo(beside).isExecutable()
               ? beside
               : QStandardPaths::findExecutable(QStringLiteral("kscope"));
}

void KscopeProcess::start(const QStringList& arguments) {
    m_cancelled = false;
    m_ended = false;
    const QString name = program();
    m_process.start(name.isEmpty() ? QStringLiteral("kscope") : name, arguments);
}

void KscopeProcess::cancel() {
    if (running()) {
        m_cancelled = true;
        m_process.terminate();
        QTimer::singleShot(kPatienceMs, &m_process, [this] {
            if (m_cancelled && running()) {
                m_process.kill();
            }
        });
    }
}

void KscopeProcess::readLines() {
    while (m_process.canReadLine()) {
        emit lineRead(m_process.readLine());
    }
}

void KscopeProcess::end(const QString& error) {
    if (!m_ended) {
        m_ended = true;
        emit finished(error);
    }
}

}  // namespace kinetoscope::session
