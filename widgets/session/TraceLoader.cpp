// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/session/TraceLoader.h"
#include "widgets/session/paths/FilePath.h"

namespace kinetoscope::session {

namespace {

constexpr int kProgressTickMs = 40;  // often enough for a smooth progress bar

}  // namespace

TraceLoader::TraceLoader(Load load, QObject* parent)
    : QObject(parent),
      m_load(std::move(load)),
      m_progress(std::make_shared<Progress>()),
      m_task([this](Result<Read> result) { deliver(std::move(result)); }),
      m_growing([this](const Result<Read>& read) {
          if (read) {  // else the load continues unseen
              emit grown(m_current, read->trace, read->layout);
          }
      }) {
    m_tick.setInterval(kProgressTickMs);
    connect(&m_tick, &QTimer::timeout, this, &TraceLoader::tick);
}

void TraceLoader::tick() {
    emit progressed(m_progress->done(), m_progress->total());
    if (!isLoading() || m_growing.busy()) {
        return;
    }
    if (const Trace trace = m_snapshot->take()) {
        // One thread, because the load needs the others.
        m_growing.start([trace](const std::stop_token&) -> Result<Read> {
            return Read{trace, layOutTrace(trace, 1)};
        });
    }
}

void TraceLoader::open(const QStringList& paths) {
    for (const QString& path : paths) {
        if (path != m_current && !m_queue.contains(path)) {
            m_queue.append(path);
        }
    }
    if (!isLoading()) {
        startNext();
    }
}

void TraceLoader::cancel() {
    if (!isLoading()) {
        return;
    }
    m_task.cancel();
    m_growing.cancel();
    m_queue.clear();
    m_tick.stop();
    const QString path = std::exchange(m_current, QString());
    emit cancelled(path);
    emit idle();
}

void TraceLoader::startNext() {
    if (m_queue.isEmpty()) {
        m_tick.stop();
        emit idle();
        return;
    }
    m_current = m_queue.takeFirst();
    m_progress = std::make_shared<Progress>();
    m_snapshot = std::make_shared<SnapshotBox>();
    m_task.start([this, load = m_load, progress = m_progress, snapshot = m_snapshot,
                  path = encodedPath(m_current)](const std::stop_token& stop) -> Result<Read> {
        import::LoadOptions options;
        options.stop = stop;
        options.progress = progress.get();
        options.snapshot = [this, &snapshot](Trace trace) {
            snapshot->put(std::move(trace));
            QMetaObject::invokeMethod(this, &TraceLoader::tick, Qt::QueuedConnection);
        };
        auto trace = load(path, options);
        if (!trace) {
            return tl::unexpected(trace.error());
        }
        auto layout = layOutTrace(*trace);
        return Read{std::move(*trace), std::move(layout)};
    });
    m_tick.start();
    emit started(m_current);
}

void TraceLoader::deliver(Result<Read> result) {
    m_growing.cancel();
    const QString path = std::exchange(m_current, QString());
    if (result) {
        emit loaded(path, result->trace, result->layout);
    } else {
        // What ended the reading from outside does not know the file.
        const QString why = QString::fromStdString(result.error().message);
        const bool named = why.contains(path) || result.error().kind != ErrorKind::Output;
        emit failed(path, named ? why : QStringLiteral("%1: %2").arg(path, why),
                    result.error().kind);
    }
    if (!isLoading()) {
        startNext();
    }
}

}  // namespace kinetoscope::session
