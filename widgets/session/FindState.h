// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <QTimer>
#include <memory>
#include <optional>
#include <vector>

#include "core/query/find/FilterSlices.h"
#include "core/stats/DurationSummary.h"
#include "widgets/session/GrowthPace.h"
#include "widgets/session/LatestTask.h"
#include "widgets/session/SliceMarks.h"
#include "widgets/session/ViewState.h"

namespace kinetoscope::session {

/// Of which time slices are found.
enum class FindTime : std::uint8_t {
    Whole,
    Window,  ///< those that begin in the window of the analyses
    Visible  ///< those that run in the time on screen
};

/// Filters of the slices whose names match; ids are those of the shown trace.
struct FindFilter {
    std::optional<trace::CategoryId> category = {};
    std::optional<std::uint32_t> process = {};
    std::optional<trace::TrackId> track = {};
    FindTime time = FindTime::Whole;
    std::optional<TimeSpan> lasts = {};  ///< of these durations

    friend bool operator==(const FindFilter&, const FindFilter&) = default;
};

/// The hits. The lists are by start and never null.
struct FindResult {
    using Slices = std::shared_ptr<const std::vector<trace::SliceId>>;

    std::shared_ptr<const trace::Trace> trace;
    QString text;               ///< what was looked for
    Slices matches;             ///< by name alone
    query::SliceCounts counts;  ///< of those at the wanted time
    Slices ofAllDurations;      ///< all that is wanted but the durations
    Slices hits;
    stats::DurationSummary durations;  ///< of the hits
    std::shared_ptr<const SliceMarks> marks;
};

/// The search in the shown trace: what is looked for, what was found and which hit is the chosen
/// one. The search bar, the list of hits and the marks in the timeline are views of it. A worker
/// looks; the newest wish wins. GUI thread.
class FindState final : public QObject {
    Q_OBJECT

public:
    explicit FindState(ViewState& view, QObject* parent = nullptr);

    /// A text, or a regular expression between slashes; empty ends the search. Searches after a
    /// pause in typing.
    void setText(const QString& text);
    [[nodiscard]] const QString& text() const { return m_text; }
    void setFilter(const FindFilter& filter);
    [[nodiscard]] const FindFilter& filter() const { return m_filter; }

    /// Null without a search, before the first one is done and when it failed.
    [[nodiscard]] const std::shared_ptr<const FindResult>& result() const { return m_result; }
    [[nodiscard]] std::size_t count() const { return m_result ? m_result->hits->size() : 0; }
    /// Why nothing was searched; empty when something was.
    [[nodiscard]] const QString& error() const { return m_error; }
    /// The error is a lack of memory or threads, not the expression.
    [[nodiscard]] bool isOutOfMeans() const { return m_outOfMeans; }
    /// From a wish until its answer.
    [[nodiscard]] bool busy() const { return m_delay.isActive() || m_task.busy(); }

    /// Goes to the next hit (by > 0) or the one before, at first to the first one in view; once the
    /// hits are known.
    void step(int by);
    /// Goes to a hit.
    void choose(trace::SliceId hit);
    /// kNoSlice: none.
    [[nodiscard]] trace::SliceId chosen() const { return m_chosen; }
    /// Place of the chosen one among the hits.
    [[nodiscard]] std::optional<std::size_t> chosenAt() const { return placeOf(m_chosen); }

signals:
    void textChanged();
    void filterChanged();
    void changed();  ///< result, error or busy()
    void chosenChanged();

private:
    void search();
    void searchLater();
    void forget();
    void deliver(Result<FindResult> result);
    void setChosen(trace::SliceId hit);
    void followSelection();
    void newTrace();
    [[nodiscard]] std::optional<std::size_t> placeOf(trace::SliceId slice) const;
    [[nodiscard]] std::size_t firstInView() const;

    ViewState& m_view;
    QString m_text;
    FindFilter m_filter;
    QTimer m_delay;
    std::shared_ptr<const FindResult> m_result;
    QString m_error;
    bool m_outOfMeans = false;
    trace::SliceId m_chosen = trace::kNoSlice;
    int m_pendingStep = 0;  ///< wished before the hits were known
    GrowthPace m_pace;
    LatestTask<FindResult> m_task;
};

}  // namespace kinetoscope::session
