// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/session/BenchRunner.h"

#include <QJsonDocument>
#include <QJsonObject>

#include "core/bench/results/BenchJson.h"

namespace kinetoscope::session {

namespace {

std::string jsonOf(const QJsonObject& event, const char* key) {
    return QJsonDocument(event.value(QLatin1String(key)).toObject())
        .toJson(QJsonDocument::Compact)
        .toStdString();
}

}  // namespace

BenchRunner::BenchRunner(QObject* parent) : QObject(parent) {
    connect(&m_process, &KscopeProcess::lineRead, this, &BenchRunner::readLine);
    connect(&m_process, &KscopeProcess::finished, this, &BenchRunner::finished);
}

void BenchRunner::start(const BenchRequest& request) {
    QStringList arguments{QStringLiteral("bench"), QStringLiteral("kernels"),
                          QStringLiteral("--stream"), QStringLiteral("--method"), request.method};
    for (const QString& key : request.keys) {
        arguments << QStringLiteral("--key") << key;
    }
    arguments << QStringLiteral("--") << request.folder;
    m_process.start(arguments);
}

void BenchRunner::readLine(const QByteArray& line) {
    const QJsonObject event = QJsonDocument::fromJson(line).object();
    const QString what = event.value(QLatin1String("event")).toString();
    if (what == QLatin1String("gpu")) {
        if (const auto gpu = bench::results::parseGpu(jsonOf(event, "gpu"))) {
            emit gpuKnown(*gpu);
        }
    } else if (what == QLatin1String("start")) {
        emit kernelStarted(event.value(QLatin1String("key")).toString(),
                           event.value(QLatin1String("name")).toString());
    } else if (what == QLatin1String("result")) {
        if (const auto kernel = bench::results::parseKernelResult(jsonOf(event, "kernel"))) {
            emit kernelFinished(*kernel);
        }
    }
}

}  // namespace kinetoscope::session
