// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/session/CompatRunner.h"

#include <filesystem>

#include "core/report/ReportText.h"
#include "core/text/Printable.h"
#include "widgets/session/paths/FilePath.h"

namespace kinetoscope::session {

namespace {

constexpr std::size_t kNameWidth = 36;

/// For a place as narrow as a panel: the file's name in place of its path.
QString inPanel(std::string message, const std::string& trace) {
    const std::string path = sidecar::sidecarPath(trace);
    if (const auto at = message.find(path); at != std::string::npos) {
        const std::string name = std::filesystem::path(path).filename().string();
        message.replace(at, path.size(), text::fitWidth(text::printable(name), kNameWidth));
    }
    return QString::fromStdString(message);
}

CompatFigures makeFigures(const trace::Trace& trace, const std::string& path,
                          const std::optional<sidecar::EnteredRun>& entered,
                          const std::stop_token& stop) {
    CompatFigures figures;
    if (entered) {
        figures.entered = *entered;
    } else if (const auto kept = sidecar::readSidecar(path)) {
        figures.entered = kept->run;
    } else {
        figures.problem = kept.error().message;
    }
    analysis::CompatOptions options = sidecar::compatOptions(figures.entered);
    options.stop = stop;
    figures.report = analysis::makeCompatReport(trace, options);
    figures.text = text::printableLines(report::compatText(figures.report));
    return figures;
}

}  // namespace

CompatRunner::CompatRunner(const ReportRunner& reports, std::function<QString()> path,
                           QObject* parent)
    : QObject(parent),
      m_reports(reports),
      m_path(std::move(path)),
      m_task([this](Result<CompatFigures> figures) { deliver(std::move(figures)); }) {
    connect(&reports, &ReportRunner::reportChanged, this, &CompatRunner::follow);
}

void CompatRunner::setWanted(bool wanted) {
    if (wanted == m_wanted) {
        return;
    }
    m_wanted = wanted;
    if (!wanted || !m_figures) {
        restart();
    }
}

// A report of another window is not of another trace; a growing trace keeps its facts.
void CompatRunner::follow() {
    if (m_reports.traceOf() == m_trace) {
        return;
    }
    const bool grown = m_trace && m_reports.traceOf();
    m_trace = m_reports.traceOf();
    if (!grown) {
        m_figures.reset();
        m_entered.reset();
        m_problem.clear();
    }
    if (const auto unkept = m_unkept.find(m_path()); unkept != m_unkept.end()) {
        m_entered = unkept->second;
    }
    restart();
}

void CompatRunner::restart() {
    if (m_wanted && m_trace) {
        m_task.start([trace = m_trace, path = encodedPath(m_path()),
                      entered = m_entered](const std::stop_token& stop) -> Result<CompatFigures> {
            return makeFigures(*trace, path, entered, stop);
        });
    } else {
        m_task.cancel();
    }
    emit changed();
}

void CompatRunner::deliver(Result<CompatFigures> figures) {
    if (figures) {
        m_figures = std::make_shared<const CompatFigures>(std::move(*figures));
        m_entered = m_figures->entered;
        m_problem = m_figures->problem.empty() ? m_problem
                                               : inPanel(m_figures->problem, encodedPath(m_path()));
    } else {
        m_figures.reset();
        m_problem = QString::fromStdString(figures.error().message);
    }
    emit changed();
}

void CompatRunner::enter(const sidecar::EnteredRun& run) {
    if (!m_figures || run == m_entered) {
        return;
    }
    m_entered = run;
    const QString path = m_path();
    if (const auto kept = sidecar::changeSidecar(
            encodedPath(path), [&run](sidecar::Sidecar& all) { all.run = run; })) {
        m_unkept.erase(path);
        m_problem.clear();
    } else {
        m_unkept[path] = run;
        m_problem = tr("%1. The values last until the window is closed.")
                        .arg(inPanel(kept.error().message, encodedPath(path)));
    }
    restart();
}

}  // namespace kinetoscope::session
