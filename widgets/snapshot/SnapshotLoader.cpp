// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/snapshot/SnapshotLoader.h"

#include <QFileInfo>
#include <utility>

#include "core/base/Threads.h"
#include "core/memory/ReadSnapshot.h"
#include "widgets/session/paths/FilePath.h"

namespace kinetoscope::snapshot {

namespace {

constexpr int kTellMs = 100;

}  // namespace

bool isSnapshot(const QString& path) {
    // Of a pipe, what is looked at is gone.
    return QFileInfo(path).isFile() && memory::namesSnapshot(session::encodedPath(path));
}

SnapshotLoader::SnapshotLoader(QObject* parent)
    : QObject(parent), m_task([this](const Result<Memory>& result) { deliver(result); }) {
    m_clock.setInterval(kTellMs);
    connect(&m_clock, &QTimer::timeout, this, [this] { emit progressed(m_progress->fraction()); });
}

void SnapshotLoader::open(const QString& path) {
    if (path != m_current && !m_queue.contains(path)) {
        m_queue.append(path);
    }
    if (!isLoading()) {
        startNext();
    }
}

void SnapshotLoader::cancel() {
    m_queue.clear();
    m_task.cancel();
    m_clock.stop();
    if (!std::exchange(m_current, {}).isEmpty()) {
        emit idle();
    }
}

void SnapshotLoader::startNext() {
    if (m_queue.isEmpty()) {
        m_clock.stop();
        emit idle();
        return;
    }
    m_current = m_queue.takeFirst();
    m_progress = std::make_shared<Progress>();
    m_clock.start();
    m_task.start([path = session::encodedPath(m_current),
                  progress = m_progress](const std::stop_token& stop) -> Result<Memory> {
        auto history = memory::readSnapshot(path, stop, progress.get());
        if (!history) {
            return tl::unexpected(history.error());
        }
        return guarded([&]() -> Result<Memory> { return panels::showMemory(std::move(*history)); },
                       path);
    });
    emit started(m_current);
}

void SnapshotLoader::deliver(const Result<Memory>& result) {
    const QString path = std::exchange(m_current, {});
    if (result) {
        emit loaded(path, *result);
    } else {
        emit failed(path, QString::fromStdString(result.error().message), result.error().kind);
    }
    if (!isLoading()) {
        startNext();
    }
}

}  // namespace kinetoscope::snapshot
