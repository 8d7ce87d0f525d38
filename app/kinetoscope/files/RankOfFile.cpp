// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/kinetoscope/files/RankOfFile.h"

#include <QByteArray>
#include <QFileInfo>
#include <QRegularExpression>
#include <set>

#include "core/base/Threads.h"
#include "core/flight/LoadFlight.h"
#include "core/import/source/OpenTextSource.h"
#include "core/ranks/JobFiles.h"
#include "core/ranks/Partial.h"
#include "core/ranks/ReadRank.h"
#include "widgets/session/paths/FilePath.h"

namespace kinetoscope::app {

namespace {

constexpr std::size_t kHead = 64 << 10;  // a profiler's metadata comes before the events
constexpr qsizetype kMaxLookedAt = 8;

QByteArray headOf(const QString& path) {
    if (!QFileInfo(path).isFile()) {
        return {};  // of a pipe, what is looked at is gone
    }
    const auto source = import::source::openTextSource(session::encodedPath(path));
    if (!source) {
        return {};
    }
    QByteArray head(kHead, '\0');
    std::size_t had = 0;
    while (had < kHead) {
        const std::size_t more = (*source)->read(head.data() + had, kHead - had);
        if (more == 0) {
            break;
        }
        had += more;
    }
    head.truncate(static_cast<qsizetype>(had));
    return head;
}

}  // namespace

qint64 rankOfFile(const QString& path) {
    static const QRegularExpression told(
        QStringLiteral("\"distributedInfo\"\\s*:\\s*\\{[^{}]*\"rank\"\\s*:\\s*(\\d{1,9})\\b"));
    const auto match = told.match(QString::fromLatin1(headOf(path)));
    return match.hasMatch() ? match.captured(1).toLongLong()
                            : ranks::rankInName(session::encodedPath(path));
}

bool isPartOfJob(const QString& path) {
    const auto found = guarded([&]() -> Result<bool> {
        const std::string name = session::encodedPath(path);
        if (QFileInfo(path).isDir()) {
            const auto files = ranks::listJobFiles({name});
            return files ? ranks::isPartial(files->front()) || !flight::dumpsOfJob({name}).empty()
                         : !flight::dumpFiles({name}).empty();
        }
        return QFileInfo(path).isFile() &&  // of a pipe, what is looked at is gone
               (ranks::isPartial(name) || !flight::dumpFiles({name}).empty());
    });
    return found && *found;
}

QStringList wholeJobOf(const QString& path) {
    if (!isPartOfJob(path)) {
        return {QFileInfo(path).absolutePath()};
    }
    QStringList files;
    for (const std::string& file : ranks::numberedAlike(session::encodedPath(path))) {
        files.append(session::decodedPath(file));
    }
    return files;
}

bool holdsSeveralRanks(const QStringList& paths) {
    std::vector<std::string> names;
    for (const QString& path : paths) {
        names.push_back(session::encodedPath(path));
    }
    const auto files = ranks::listJobFiles(names);
    std::set<qint64> ranks;
    qsizetype looked = 0;
    for (const std::string& file : files ? *files : std::vector<std::string>()) {
        if (ranks.size() > 1 || looked++ >= kMaxLookedAt) {
            break;
        }
        if (const qint64 rank = rankOfFile(session::decodedPath(file)); rank >= 0) {
            ranks.insert(rank);
        }
    }
    return ranks.size() > 1;
}

}  // namespace kinetoscope::app
