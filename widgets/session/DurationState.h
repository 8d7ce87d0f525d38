// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "core/stats/DurationHistogram.h"
#include "core/stats/DurationSummary.h"
#include "widgets/session/FindState.h"
#include "widgets/session/LatestTask.h"
#include "widgets/session/SliceMarks.h"
#include "widgets/session/ViewState.h"

namespace kinetoscope::session {

/// Quantiles that are shown.
inline constexpr std::array kDurationQuantiles{0.05, 0.25, 0.5, 0.75, 0.95};

/// How long the slices take that are looked at.
struct DurationResult {
    std::shared_ptr<const trace::Trace> trace;
    FindResult::Slices slices;  ///< by start; never null
    stats::DurationSummary all;
    std::vector<double> quantiles;  ///< of kDurationQuantiles
    std::vector<stats::DurationBin> bins;
};

/// The durations of what was chosen last: a name (the row of a table), what the search found, or
/// else the name of the selected slice; in the window where a step or time is selected. A brushed
/// part of them is emphasised in the timeline and is all that the search finds. GUI thread.
class DurationState final : public QObject {
    Q_OBJECT

public:
    enum class Source { None, Name, Found, Selected };

    DurationState(ViewState& view, FindState& find, QObject* parent = nullptr);

    /// Whether it is shown; nothing is computed while it is not.
    void setWanted(bool wanted);
    void setScale(stats::BinScale scale);
    [[nodiscard]] stats::BinScale scale() const { return m_scale; }

    [[nodiscard]] Source source() const { return m_source; }
    /// The name, or what is looked for; empty for None.
    [[nodiscard]] const QString& sourceText() const { return m_sourceText; }
    /// Null before the first one is ready, and without a source.
    [[nodiscard]] const std::shared_ptr<const DurationResult>& result() const { return m_result; }
    [[nodiscard]] const QString& error() const { return m_error; }
    [[nodiscard]] bool busy() const { return m_task.busy() || m_brushTask.busy(); }

    /// Durations of [start, end); nullopt: all.
    void setBrush(std::optional<TimeSpan> durations);
    [[nodiscard]] std::optional<TimeSpan> brush() const { return m_brush; }
    /// Duration of the selected slice where it is one of them.
    [[nodiscard]] std::optional<TimeNs> selectedDuration() const;

signals:
    void changed();  ///< source, result, error or busy()
    void brushChanged();

private:
    void choose(Source wanted);
    void restart();
    void deliver(Result<DurationResult> result);
    void emphasise();
    [[nodiscard]] std::optional<NameId> nameOf(Source source) const;

    ViewState& m_view;
    FindState& m_find;
    bool m_wanted = false;
    bool m_stale = true;
    stats::BinScale m_scale = stats::BinScale::Logarithmic;
    Source m_source = Source::None;
    QString m_sourceText;
    QString m_seenSearch;  ///< what was looked for when the search was last seen
    std::shared_ptr<const DurationResult> m_result;
    QString m_error;
    std::optional<TimeSpan> m_brush;
    GrowthPace m_pace;
    LatestTask<DurationResult> m_task;
    LatestTask<std::shared_ptr<const SliceMarks>> m_brushTask;
};

}  // namespace kinetoscope::session
