// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/session/BenchRunner.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QJsonDocument>
#include <QJsonObject>
#include <QStandardPaths>
#include <QTimer>

#include "core/bench/BenchJson.h"

namespace kinetoscope {

namespace {

constexpr int kPatienceMs = 3000;  // from asking the program to end to ending it

std::string jsonOf(const QJsonObject& event, const char* key) {
    return QJsonDocument(event.value(QLatin1String(key)).toObject())
        .toJson(QJsonDocument::Compact)
        .toStdString();
}

QString lastLine(const QByteArray& text) {
    const QStringList lines = QString::fromUtf8(text).split(QLatin1Char('\n'), Qt::SkipEmptyParts);
    QString line = lines.isEmpty() ? QString() : lines.last();
    return line.remove(QLatin1String("kscope: "));
}

}  // namespace

BenchRunner::BenchRunner(QObject* parent) : QObject(parent) {
    connect(&m_process, &QProcess::readyReadStandardOutput, this, &BenchRunner::readLines);
    connect(&m_process, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart) {
            end(tr("%1 can't be started: %2").arg(m_process.program(), m_process.errorString()));
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

BenchRunner::~BenchRunner() {
    disconnect(&m_process, nullptr, this, nullptr);
    if (running()) {
        m_process.kill();
        m_process.waitForFinished(kPatienceMs);
    }
}

QString BenchRunner::program() {
    const QString chosen = qEnvironmentVariable("KINETOSCOPE_KSCOPE");
    if (!chosen.isEmpty()) {
        return chosen;
    }
    const QString beside = QCoreApplication::applicationDirPath() + QLatin1String("/kscope");
    return QFileInfo(beside).isExecutable()
               ? beside
               : QStandardPaths::findExecutable(QStringLiteral("kscope"));
}

void BenchRunner::start(const BenchRequest& request) {
    m_cancelled = false;
    m_ended = false;
    QStringList arguments{QStringLiteral("bench"), QStringLiteral("kernels"),
                          QStringLiteral("--stream"), QStringLiteral("--method"), request.method};
    for (const QString& key : request.keys) {
        arguments << QStringLiteral("--key") << key;
    }
    arguments << QStringLiteral("--") << request.folder;
    const QString name = program();
    m_process.start(name.isEmpty() ? QStringLiteral("kscope") : name, arguments);
}

void BenchRunner::cancel() {
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

void BenchRunner::readLines() {
    while (m_process.canReadLine()) {
        readLine(m_process.readLine());
    }
}

void BenchRunner::readLine(const QByteArray& line) {
    const QJsonObject event = QJsonDocument::fromJson(line).object();
    const QString what = event.value(QLatin1String("event")).toString();
    if (what == QLatin1String("gpu")) {
        if (const auto gpu = parseGpu(jsonOf(event, "gpu"))) {
            emit gpuKnown(*gpu);
        }
    } else if (what == QLatin1String("start")) {
        emit kernelStarted(event.value(QLatin1String("key")).toString(),
                           event.value(QLatin1String("name")).toString());
    } else if (what == QLatin1String("result")) {
        if (const auto kernel = parseKernelResult(jsonOf(event, "kernel"))) {
            emit kernelFinished(*kernel);
        }
    }
}

void BenchRunner::end(const QString& error) {
    if (!m_ended) {
        m_ended = true;
        emit finished(error);
    }
}

}  // namespace kinetoscope
