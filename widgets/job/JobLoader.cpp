// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/job/JobLoader.h"

#include <QFile>
#include <filesystem>
#include <system_error>
#include <utility>

#include "core/flight/LoadFlight.h"
#include "core/import/load/LoadTrace.h"
#include "core/ranks/JobFiles.h"

namespace kinetoscope::job {

JobLoader::JobLoader(QObject* parent)
    : QObject(parent), m_task([this](const Result<Read>& result) { deliver(result); }) {}

void JobLoader::open(const QStringList& paths) {
    if (!paths.isEmpty() && paths != m_current && !m_queue.contains(paths)) {
        m_queue.append(paths);
    }
    if (!isLoading()) {
        startNext();
    }
}

void JobLoader::cancel() {
    m_queue.clear();
    m_task.cancel();
    if (!std::exchange(m_current, {}).isEmpty()) {
        emit idle();
    }
}

void JobLoader::startNext() {
    if (m_queue.isEmpty()) {
        emit idle();
        return;
    }
    m_current = m_queue.takeFirst();
    std::vector<std::string> paths;
    for (const QString& path : m_current) {
        paths.push_back(QFile::encodeName(path).toStdString());
    }
    m_task.start([this, paths](const std::stop_token& stop) { return read(paths, stop); });
    emit started(m_current);
}

// On a worker.
Result<JobLoader::Read> JobLoader::read(const std::vector<std::string>& paths,
                                        const std::stop_token& stop) {
    if (const auto dumps = flight::dumpsOfJob(paths); !dumps.empty()) {
        auto job = flight::loadFlight(dumps, 0, stop);
        if (!job) {
            return tl::unexpected(job.error());
        }
        return Read{nullptr, std::make_shared<const flight::FlightJob>(std::move(*job))};
    }
    const auto files = ranks::listJobFiles(paths);
    if (!files) {
        return tl::unexpected(files.error());
    }
    ranks::JobOptions options;
    options.stop = stop;
    options.progress = [this, stop](std::size_t done, std::size_t all) {
        QMetaObject::invokeMethod(
            this,
            [this, stop, done, all] {
                if (!stop.stop_requested()) {
                    emit progressed(static_cast<qint64>(done), static_cast<qint64>(all));
                }
            },
            Qt::QueuedConnection);
    };
    auto job = ranks::loadJob(*files, loadRankTrace, options);
    if (!job) {
        return tl::unexpected(job.error());
    }
    for (ranks::RankRecord& record : job->records) {
        record.file = ranks::findTrace(record.file, *files);
    }
    return Read{ranks::view::showJob(std::move(*job), stop), nullptr};
}

void JobLoader::deliver(const Result<Read>& result) {
    const QStringList paths = std::exchange(m_current, {});
    if (result && result->dumps) {
        emit dumpsLoaded(paths, result->dumps);
    } else if (result) {
        emit loaded(paths, result->job);
    } else {
        emit failed(paths, QString::fromStdString(result.error().message), result.error().kind);
    }
    if (!isLoading()) {
        startNext();
    }
}

Result<std::shared_ptr<const trace::Trace>> loadRankTrace(const std::string& path, unsigned threads,
                                                          const std::stop_token& stop) {
    std::error_code error;
    if (!std::filesystem::exists(path, error)) {
        return fail("'" + path + "': " + kNoTrace);
    }
    import::LoadOptions options;
    options.stop = stop;
    options.threads = threads;
    return import::loadTrace(path, options);
}

}  // namespace kinetoscope::job
