// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <memory>
#include <stop_token>
#include <vector>

#include "widgets/session/LatestTask.h"
#include "widgets/session/SliceMarks.h"

namespace kinetoscope::session {

class ViewState;

/// Makes slices of the shown trace stand out in the timeline, worked out on a worker. GUI thread.
class Emphasiser {
public:
    using Slices = std::vector<trace::SliceId>;
    /// Which ones, in any order. Runs on the worker.
    using Find = std::function<Slices(const trace::Trace&, const std::stop_token&)>;

    /// The view outlives it.
    explicit Emphasiser(ViewState& view);

    void emphasise(Find find);
    /// Ends only what this one has emphasised.
    void end();
    [[nodiscard]] bool busy() const { return m_task.busy(); }

private:
    using Marks = std::shared_ptr<const SliceMarks>;

    ViewState& m_view;
    Marks m_marks;
    LatestTask<Marks> m_task;
};

}  // namespace kinetoscope::session
