// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/session/advice/AdviceFinder.h"

#include <QFileInfo>
#include <utility>

#include "core/advise/Advise.h"
#include "core/advise/Stragglers.h"
#include "widgets/session/ViewState.h"
#include "widgets/session/path/PathFinder.h"
#include "widgets/session/paths/FilePath.h"

namespace kinetoscope::session {

namespace {

QString absolutePath(const std::string& path) {
    return QFileInfo(decodedPath(path)).absoluteFilePath();
}

}  // namespace

AdviceFinder& AdviceFinder::of(ViewState& view) {
    auto* known = view.findChild<AdviceFinder*>(QString(), Qt::FindDirectChildrenOnly);
    return known != nullptr ? *known : *new AdviceFinder(view);
}

AdviceFinder::AdviceFinder(ViewState& view)
    : QObject(&view),
      m_view(view),
      m_paths(PathFinder::of(view)),
      m_adviceTask([this](const Result<SharedAdvice>& advice) {
          m_shown = advice ? *advice : nullptr;
          m_error = advice ? QString() : QString::fromStdString(advice.error().message);
          emit changed();
      }),
      m_savingTask([this](const Result<advise::Saving>& saving) {
          m_saving = saving ? std::optional(*saving) : std::nullopt;
          emit savingChanged();
      }) {
    connect(&view, &ViewState::traceChanged, this, &AdviceFinder::restart);
    connect(&view, &ViewState::traceGrown, this, &AdviceFinder::restart);
}

AdviceFinder::~AdviceFinder() = default;

void AdviceFinder::setWanted(bool wanted) {
    if (m_wanted == wanted) {
        return;
    }
    m_wanted = wanted;
    if (wanted && m_trace != m_view.trace()) {
        restart();
    } else if (!wanted && m_adviceTask.busy()) {
        // It is found again when it is shown.
        m_adviceTask.cancel();
        m_trace.reset();
        emit changed();
    }
}

void AdviceFinder::setJobs(std::vector<Job> jobs) {
    m_jobs = std::move(jobs);
    if (m_trace && placeOf(*m_trace) != m_place) {
        restart();
    }
}

AdviceFinder::JobPlace AdviceFinder::placeOf(const trace::Trace& trace) const {
    const QString path = absolutePath(trace.info().path);
    for (const Job& job : m_jobs) {
        const auto& records = job->job.records;
        for (std::size_t record = 0; record < records.size(); ++record) {
            if (absolutePath(records[record].file) == path) {
                return {job, record};
            }
        }
    }
    return {};
}

void AdviceFinder::restart() {
    m_adviceTask.cancel();
    m_trace.reset();
    m_shown.reset();
    m_error.clear();
    combine({});
    const auto& trace = m_view.trace();
    if (m_wanted && trace && trace->isComplete()) {
        m_trace = trace;
        m_place = placeOf(*trace);
        m_adviceTask.start([trace, place = m_place, graphs = m_paths.graphs()](
                               const std::stop_token& stop) -> Result<SharedAdvice> {
            const auto graph = graphs->of(trace, stop);
            if (!graph) {
                return tl::unexpected(graph.error());
            }
            return advise::findAdvice(*trace, {.graph = graph->get(), .stop = stop})
                .map([&](advise::Advice advice) {
                    if (place.job) {
                        const ranks::Job& job = place.job->job;
                        advise::addStragglers(advice, job, job.records[place.record].rank);
                    }
                    return std::make_shared<const ShownAdvice>(trace, *graph, std::move(advice));
                });
        });
    }
    emit changed();
}

void AdviceFinder::combine(std::vector<std::size_t> rows) {
    m_combined = std::move(rows);
    m_saving.reset();
    if (m_combined.empty() || !m_shown) {
        m_savingTask.cancel();
    } else {
        m_savingTask.start([advice = m_shown, rows = m_combined](const std::stop_token& stop) {
            std::vector<const advise::Finding*> findings;
            findings.reserve(rows.size());
            for (const std::size_t row : rows) {
                findings.push_back(&advice->advice.findings[row]);
            }
            return advise::combine(*advice->graph, findings, stop);
        });
    }
    emit savingChanged();
}

void AdviceFinder::explain(std::size_t row) {
    if (!m_shown || row >= m_shown->advice.findings.size()) {
        return;
    }
    const advise::Finding& finding = m_shown->advice.findings[row];
    if (!finding.events.empty()) {
        m_paths.chooseStepAt(finding.events.front().span.start);
    }
    m_paths.tryAlone({QString::fromStdString(finding.title), true,
                      std::make_shared<const std::vector<path::NodeChange>>(finding.changes)});
}

}  // namespace kinetoscope::session
