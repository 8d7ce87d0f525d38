// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/session/TraceCutter.h"

#include <QFileInfo>

#include "core/text/Format.h"
#include "widgets/session/paths/FilePath.h"

namespace kinetoscope::session {

namespace {

constexpr int kTickMs = 100;

QString count(std::uint64_t number) {
    return QString::fromStdString(text::formatCount(static_cast<std::int64_t>(number)));
}

}  // namespace

QStringList problemsOf(const cut::CutSummary& summary, const QString& name) {
    QStringList lines;
    if (summary.repaired.events > 0) {
        lines +=
            TraceCutter::tr(
                "%1: %2 of the events were not strict JSON and were repaired, the first at byte %3 "
                "of the trace")
                .arg(name, count(summary.repaired.events), count(summary.repaired.firstOffset));
    }
    if (summary.unrepairable.events > 0) {
        lines +=
            TraceCutter::tr(
                "%1: %2 events were not JSON and were dropped, the first at byte %3 of the trace")
                .arg(name, count(summary.unrepairable.events),
                     count(summary.unrepairable.firstOffset));
    }
    if (summary.repairedKeys > 0) {
        lines += TraceCutter::tr(
                     "%1: %2 values outside the events were not strict JSON and were repaired")
                     .arg(name, count(summary.repairedKeys));
    }
    return lines;
}

TraceCutter::TraceCutter(QObject* parent)
    : QObject(parent),
      m_task([this](const Result<cut::CutSummary>& summary) { deliver(summary); }) {
    m_ticks.setInterval(kTickMs);
    connect(&m_ticks, &QTimer::timeout, this, &TraceCutter::progressed);
}

void TraceCutter::start(std::shared_ptr<const trace::Trace> trace,
                        const analysis::WindowChoice& window, const QString& path) {
    m_path = path;
    m_progress = std::make_shared<Progress>();
    m_ticks.start();
    m_task.start([trace = std::move(trace), window, progress = m_progress,
                  output = encodedPath(path)](const std::stop_token& stop) {
        return cut::cutTrace(
            *trace, {.window = window, .output = output, .stop = stop, .progress = progress.get()});
    });
    emit started();
}

void TraceCutter::cancel() {
    if (busy()) {
        m_task.cancel();
        m_ticks.stop();
        emit ended();
    }
}

void TraceCutter::deliver(const Result<cut::CutSummary>& summary) {
    m_ticks.stop();
    if (summary) {
        emit written(
            m_path,
            tr("%1: %2 of %3 events, %4")
                .arg(QFileInfo(m_path).fileName(), count(summary->kept), count(summary->events),
                     QString::fromStdString(text::formatBytes(summary->outputBytes))),
            problemsOf(*summary, QFileInfo(m_path).fileName()));
    } else {
        emit failed(QString::fromStdString(summary.error().message));
    }
    emit ended();
}

}  // namespace kinetoscope::session
