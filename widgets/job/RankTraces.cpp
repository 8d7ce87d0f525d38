// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/job/RankTraces.h"

#include <algorithm>

#include "widgets/job/JobLoader.h"
#include "widgets/session/paths/FilePath.h"

namespace kinetoscope::job {

RankTraces::RankTraces(QObject* parent)
    : QObject(parent), m_task([this](Result<Loaded> result) { deliver(std::move(result)); }) {}

void RankTraces::want(std::size_t record, const QString& path) {
    if (find(record) != nullptr) {
        emit loaded(record);
        return;
    }
    const bool waits =
        std::ranges::any_of(m_queue, [&](const Wanted& wanted) { return wanted.record == record; });
    if (!waits && (!m_task.busy() || m_reading != record)) {
        m_queue.append({record, path});
        startNext();
    }
}

const RankTraces::Loaded* RankTraces::find(std::size_t record) {
    const auto found = std::ranges::find(m_loaded, record, &Loaded::record);
    if (found == m_loaded.end()) {
        return nullptr;
    }
    m_loaded.splice(m_loaded.begin(), m_loaded, found);
    return &m_loaded.front();
}

void RankTraces::startNext() {
    if (m_task.busy() || m_queue.isEmpty()) {
        return;
    }
    const Wanted next = m_queue.takeFirst();
    m_reading = next.record;
    m_task.start([record = next.record, path = session::encodedPath(next.path)](
                     const std::stop_token& stop) -> Result<Loaded> {
        auto trace = loadRankTrace(path, 0, stop);
        if (!trace) {
            return tl::unexpected(trace.error());
        }
        auto layout = session::layOutTrace(*trace);
        return Loaded{record, std::move(*trace), std::move(layout)};
    });
}

void RankTraces::deliver(Result<Loaded> result) {
    if (result) {
        m_loaded.push_front(std::move(*result));
        dropOld();
        emit loaded(m_loaded.front().record);
    } else {
        emit failed(m_reading, QString::fromStdString(result.error().message));
    }
    startNext();
}

void RankTraces::dropOld() {
    std::size_t slices = 0;
    std::size_t kept = 0;
    for (auto at = m_loaded.begin(); at != m_loaded.end();) {
        slices += at->trace->sliceCount();
        const bool stays = kept == 0 || (kept < kMaxTraces && slices <= kMaxSlices);
        if (stays) {
            ++kept;
            ++at;
        } else {
            const std::size_t record = at->record;
            at = m_loaded.erase(at);
            emit dropped(record);
        }
    }
}

}  // namespace kinetoscope::job
