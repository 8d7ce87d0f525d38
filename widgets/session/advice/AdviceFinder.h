// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include "core/advise/Finding.h"
#include "core/ranks/view/ShownJob.h"
#include "widgets/session/LatestTask.h"
#include "widgets/session/path/SharedGraph.h"

namespace kinetoscope::session {

class PathFinder;
class ViewState;

/// The findings of the rules in a trace.
struct ShownAdvice {
    std::shared_ptr<const trace::Trace> trace;
    SharedGraph::Graph graph;  ///< of that trace
    advise::Advice advice;
};

/// Finds what to change first in the shown trace, on a worker and while it is shown, and what
/// several findings save together. GUI thread.
class AdviceFinder final : public QObject {
    Q_OBJECT

public:
    using Job = std::shared_ptr<const ranks::view::ShownJob>;

    /// The one of this view, which owns it.
    [[nodiscard]] static AdviceFinder& of(ViewState& view);
    ~AdviceFinder() override;

    /// The open jobs. If the trace is of a rank of one, its findings are those of the job,
    /// stragglers included.
    void setJobs(std::vector<Job> jobs);
    /// Whether it is shown; nothing is computed while it is not.
    void setWanted(bool wanted);
    /// Null before it is found and when that failed.
    [[nodiscard]] const std::shared_ptr<const ShownAdvice>& shown() const { return m_shown; }
    [[nodiscard]] const QString& error() const { return m_error; }
    [[nodiscard]] bool busy() const { return m_adviceTask.busy() || m_savingTask.busy(); }

    /// These rows of the findings together; none: nothing.
    void combine(std::vector<std::size_t> rows);
    /// Of the combined rows; none before they are replayed, and without any.
    [[nodiscard]] const std::optional<advise::Saving>& saving() const { return m_saving; }
    [[nodiscard]] bool isReplaying() const { return m_savingTask.busy(); }

    /// Makes the finding a what-if of the critical path, in the step of its longest event.
    void explain(std::size_t row);

signals:
    /// shown() or error().
    void changed();
    void savingChanged();

private:
    using SharedAdvice = std::shared_ptr<const ShownAdvice>;

    explicit AdviceFinder(ViewState& view);
    /// The trace as a rank of a job; no job: it is of none.
    struct JobPlace {
        Job job;
        std::size_t record = 0;

        friend bool operator==(const JobPlace&, const JobPlace&) = default;
    };
    [[nodiscard]] JobPlace placeOf(const trace::Trace& trace) const;
    void restart();

    ViewState& m_view;
    PathFinder& m_paths;
    bool m_wanted = false;
    std::shared_ptr<const trace::Trace> m_trace;  ///< of m_shown, or of what is being found
    std::vector<Job> m_jobs;
    JobPlace m_place;  ///< of m_trace
    SharedAdvice m_shown;
    QString m_error;
    std::vector<std::size_t> m_combined;
    std::optional<advise::Saving> m_saving;
    LatestTask<SharedAdvice> m_adviceTask;
    LatestTask<advise::Saving> m_savingTask;
};

}  // namespace kinetoscope::session
