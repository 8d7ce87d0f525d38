// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/session/programs/BenchRunner.h"

namespace kinetoscope::session {

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
    arguments << QStringLiteral("--") << request.folders;
    m_process.start(arguments);
}

void BenchRunner::readLine(const QByteArray& line) {
    using Change = bench::results::ResultStream::Change;
    const Change change = m_stream.take({line.constData(), static_cast<std::size_t>(line.size())});
    if (change == Change::Device) {
        emit gpuKnown(m_stream.document().gpu);
    } else if (change == Change::Item) {
        const bench::results::BenchItem& kernel = m_stream.document().items[m_stream.item()];
        if (m_stream.running()) {
            emit kernelStarted(QString::fromStdString(kernel.key),
                               QString::fromStdString(kernel.name));
        } else {
            emit kernelFinished(kernel);
        }
    }
}

}  // namespace kinetoscope::session
