// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <memory>
#include <optional>

#include "core/analysis/Window.h"
#include "core/base/Time.h"
#include "core/trace/Trace.h"
#include "widgets/session/Selection.h"
#include "widgets/session/TraceLayout.h"

namespace kinetoscope::session {

/// What is looked at: the trace, the visible time, the selection. Panels never know each other;
/// they change this and listen to it. Lives in the GUI thread.
class ViewState final : public QObject {
    Q_OBJECT

public:
    explicit ViewState(QObject* parent = nullptr);

    /// How one trace was looked at.
    struct Snapshot {
        TimeSpan visible;
        Selection selection;
        std::optional<TimeSpan> range;
        std::optional<NameId> highlight;
        analysis::WindowChoice window;
    };
    [[nodiscard]] Snapshot snapshot() const;
    /// Of the trace shown now.
    void restore(const Snapshot& snapshot);

    /// Shows another trace (null: none): the view fits it, selections are cleared. Without its
    /// layout that is worked out here, which takes long for large traces.
    void setTrace(std::shared_ptr<const trace::Trace> trace,
                  std::shared_ptr<TraceLayout> layout = nullptr);
    /// Shows more of the same trace: all choices stay. A view of the whole trace or of its end
    /// follows.
    void growTrace(std::shared_ptr<const trace::Trace> trace, std::shared_ptr<TraceLayout> layout);
    [[nodiscard]] const std::shared_ptr<const trace::Trace>& trace() const { return m_trace; }
    /// Of trace(); null without one.
    [[nodiscard]] const std::shared_ptr<TraceLayout>& layout() const { return m_layout; }

    /// The time on screen; never empty, never beyond fitSpan() by more than half its length.
    void setVisible(TimeSpan span);
    [[nodiscard]] TimeSpan visible() const { return m_visible; }
    /// The whole trace with a little room on both sides.
    [[nodiscard]] TimeSpan fitSpan() const;
    void fit() { setVisible(fitSpan()); }
    /// factor < 1 zooms in; `anchor` stays where it is on screen.
    void zoom(double factor, TimeNs anchor);
    void pan(TimeNs by);
    /// Shows the span with a little room on both sides.
    void zoomTo(TimeSpan span);

    /// Nothing clears, and so does what is not in the trace.
    void setSelection(const Selection& selection);
    [[nodiscard]] const Selection& selection() const { return m_selection; }
    /// kNoSlice clears.
    void select(trace::SliceId slice) { setSelection(selectionOf(slice)); }
    /// kNoSlice where nothing or something else is selected.
    [[nodiscard]] trace::SliceId selected() const { return sliceOf(m_selection); }
    /// Makes it visible: pans, and zooms when it is far too small or too large.
    void reveal(const Selection& selection);
    void reveal(trace::SliceId slice) { reveal(selectionOf(slice)); }

    void selectRange(std::optional<TimeSpan> range);
    [[nodiscard]] std::optional<TimeSpan> selectedRange() const { return m_range; }

    /// Window of the analyses (report, busy, kernel table).
    void setWindow(const analysis::WindowChoice& window);
    [[nodiscard]] const analysis::WindowChoice& window() const { return m_window; }
    /// Zooms to a step and makes it the window.
    void showStep(std::int64_t number, TimeSpan span);
    /// The selected range becomes the window, now and when it changes; without one nothing happens.
    void useRangeAsWindow();

    /// All slices of one name are emphasised (e.g. the row of the kernel table); nullopt: none.
    void highlightName(std::optional<NameId> name);
    [[nodiscard]] std::optional<NameId> highlightedName() const { return m_highlight; }
    /// Somebody wants to see more of the kernel of this slice, its source for example.
    void askForKernel(trace::SliceId slice);
    /// Somebody wants to see who calls this name and what it calls.
    void askForCalls(NameId name);

signals:
    void traceChanged();
    void traceGrown();
    void visibleChanged();
    void selectionChanged();
    void rangeChanged();
    void windowChanged();
    void highlightChanged();
    void kernelRequested(const QString& name);
    void callsRequested(NameId name);

private:
    std::shared_ptr<const trace::Trace> m_trace;
    std::shared_ptr<TraceLayout> m_layout;
    TimeSpan m_visible{0, 1};
    Selection m_selection;
    std::optional<TimeSpan> m_range;
    std::optional<NameId> m_highlight;
    analysis::WindowChoice m_window;
};

}  // namespace kinetoscope::session
