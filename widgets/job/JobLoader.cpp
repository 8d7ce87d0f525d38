// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/job/JobLoader.h"

#include <chrono>
#include <filesystem>
#include <system_error>
#include <utility>

#include "core/flight/LoadFlight.h"
#include "core/import/load/LoadTrace.h"
#include "core/ranks/JobFiles.h"
#include "core/ranks/view/Preview.h"
#include "widgets/session/paths/FilePath.h"

namespace kinetoscope::job {

namespace {

// From the beginning; each further one when twice as long has gone by.
constexpr std::chrono::milliseconds kFirstPreview(300);

}  // namespace

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
        paths.push_back(session::encodedPath(path));
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
    auto job = readJob(*files, stop);
    if (!job) {
        return tl::unexpected(job.error());
    }
    for (ranks::RankRecord& record : job->records) {
        record.file = ranks::findTrace(record.file, *files);
    }
    return Read{ranks::view::showJob(std::move(*job), stop), nullptr};
}

Result<ranks::Job> JobLoader::readJob(const std::vector<std::string>& files,
                                      const std::stop_token& stop) {
    ranks::JobOptions options;
    options.stop = stop;
    ranks::view::Preview preview;
    options.seen = [&preview](const ranks::RankRecord& rank) { preview.add(rank); };
    const auto begin = std::chrono::steady_clock::now();
    auto next = kFirstPreview;
    options.progress = [&](std::size_t done, std::size_t all) {
        post(stop, [this, done, all] {
            emit progressed(static_cast<qint64>(done), static_cast<qint64>(all));
        });
        const auto elapsed = std::chrono::duration_cast<std::chrono::milliseconds>(
            std::chrono::steady_clock::now() - begin);
        const bool isDue = elapsed >= next || (done == all && elapsed >= kFirstPreview / 2);
        if (isDue && preview.ranks() > 0) {
            next = 2 * elapsed;
            post(stop, [this, shown = preview.show(), all] {
                emit previewed(m_current, shown, static_cast<qint64>(all));
            });
        }
    };
    return ranks::loadJob(files, loadRankTrace, options);
}

void JobLoader::post(const std::stop_token& stop, std::function<void()> tell) {
    QMetaObject::invokeMethod(
        this,
        [stop, tell = std::move(tell)] {
            if (!stop.stop_requested()) {
                tell();
            }
        },
        Qt::QueuedConnection);
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
