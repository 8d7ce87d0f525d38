// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "core/analysis/IdleList.h"
#include "widgets/session/Selection.h"
#include "widgets/session/WindowRunner.h"

namespace kinetoscope::session {

/// The idle gaps of all GPUs of a trace, each from its first operation to its last one, and the
/// rows they are seen on.
struct TraceGaps {
    analysis::IdleList list;
    std::vector<std::optional<std::int32_t>> gpuOfTrack;  ///< of the tracks with GPU operations

    [[nodiscard]] std::optional<std::int32_t> gpuOf(trace::TrackId track) const {
        return track < gpuOfTrack.size() ? gpuOfTrack[track] : std::nullopt;
    }
    /// The gap of the GPU that holds this time; null: the GPU was busy, or not in use yet or any
    /// more, or the gap is shorter than kMinGapNs.
    [[nodiscard]] const analysis::NamedGap* at(std::int32_t gpu, TimeNs time) const;
    [[nodiscard]] const analysis::NamedGap* find(const SelectedGap& gap) const {
        return at(gap.gpu, gap.span.start);
    }
    /// The next gap of the same GPU, or the one before; null: there is none.
    [[nodiscard]] const analysis::NamedGap* neighbour(const SelectedGap& gap, bool next) const;
};

[[nodiscard]] inline SelectedGap selectionOf(const analysis::NamedGap& gap) {
    return {gap.gpu, gap.span};
}

/// Finds the idle gaps of the shown trace on a worker, once for all: those of the whole trace for
/// the timeline and Details, those of the window for a table of them. GUI thread.
class IdleFinder final : public WindowRunnerBase {
    Q_OBJECT

public:
    /// The one of this view, which owns it.
    [[nodiscard]] static IdleFinder& of(ViewState& view);
    ~IdleFinder() override;

    /// Of the window and of the trace in traceOf(); null before they are found and when that
    /// failed. They are looked for while setWanted().
    [[nodiscard]] const std::shared_ptr<const analysis::IdleList>& result() const {
        return m_result;
    }
    [[nodiscard]] bool busy() const override;

    /// Of the shown trace; null before they are found.
    [[nodiscard]] const TraceGaps* gaps() const;
    /// Starts to look for gaps() unless they are there; found() follows.
    void want();

signals:
    /// gaps() are there.
    void found();

protected:
    void start(const std::shared_ptr<const trace::Trace>& trace,
               const analysis::WindowChoice& window) override;
    void cancel() override;
    void forgetResult() override { m_result.reset(); }

private:
    using List = std::shared_ptr<const analysis::IdleList>;
    using Gaps = std::shared_ptr<const TraceGaps>;

    explicit IdleFinder(ViewState& view);

    void startWhole(const std::shared_ptr<const trace::Trace>& trace);
    void deliverWhole(const Result<Gaps>& gaps);
    void takeWindow(const Result<List>& list);

    ViewState& m_view;
    List m_result;
    bool m_othersWait = false;                    ///< those that called want()
    bool m_windowWaits = false;                   ///< for the gaps of the whole trace
    std::weak_ptr<const trace::Trace> m_wholeOf;  ///< whose gaps were looked for last
    LatestTask<List> m_windowTask;
    LatestTask<Gaps> m_wholeTask;
};

}  // namespace kinetoscope::session
