// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/kinetoscope/TraceFolder.h"

#include <QDir>
#include <QFile>

namespace kinetoscope::app {

namespace {

constexpr qint64 kHead = 64 * 1024;  // what a profiler says of itself stands before the events

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

}  // namespace

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

}  // namespace kinetoscope::app
