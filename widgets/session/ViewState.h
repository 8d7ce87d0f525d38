// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <memory>
#include <optional>
#include <vector>

#include "core/analysis/Window.h"
#include "core/base/Time.h"
#include "core/trace/Trace.h"
#include "widgets/session/RowChoices.h"
#include "widgets/session/Selection.h"
#include "widgets/session/SliceMarks.h"
#include "widgets/session/TraceLayout.h"

namespace kinetoscope::session {

/// What is looked at: the trace, the visible time, the selection. The selected time is the window
/// of all analyses, and no second thing. Panels never know each other; they change this and listen
/// to it. Lives in the GUI thread.
class ViewState final : public QObject {
    Q_OBJECT

public:
    explicit ViewState(QObject* parent = nullptr);

    /// How one trace was looked at.
    struct Snapshot {
        TimeSpan visible;
        Selection selection;
        std::optional<NameId> highlight;
        analysis::WindowChoice window;
        std::vector<trace::TrackId> tracks;
        RowChoices rows;

        friend bool operator==(const Snapshot&, const Snapshot&) = default;
    };
    [[nodiscard]] Snapshot snapshot() const;
    /// Of the trace shown now.
    void restore(const Snapshot& snapshot);

    /// Shows another trace (null: none): the view fits it, selections are cleared. Without its
    /// layout that is worked out here, which takes long for large traces.
    void setTrace(std::shared_ptr<const trace::Trace> trace,
                  std::shared_ptr<TraceLayout> layout = nullptr);
    /// Shows more of the same trace: all choices stay, but those of slices where its oldest ones
    /// were dropped. A view of the whole trace or of its end follows.
    void growTrace(std::shared_ptr<const trace::Trace> trace, std::shared_ptr<TraceLayout> layout);
    [[nodiscard]] const std::shared_ptr<const trace::Trace>& trace() const { return m_trace; }
    /// Of trace(); null without one.
    [[nodiscard]] const std::shared_ptr<TraceLayout>& layout() const { return m_layout; }

    /// The time on screen; never empty, never beyond fitSpan() by more than half its length.
    void setVisible(TimeSpan span);
    [[nodiscard]] TimeSpan visible() const { return m_visible; }
    /// The part of the visible time that is in the trace: the view has margins beside it.
    [[nodiscard]] TimeSpan visibleOfTrace() const {
        return m_trace ? m_trace->extent().clip(m_visible) : m_visible;
    }
    /// The whole trace with a little room on both sides.
    [[nodiscard]] TimeSpan fitSpan() const;
    void fit() { setVisible(fitSpan()); }
    /// factor < 1 zooms in; `anchor` stays where it is on screen.
    void zoom(double factor, TimeNs anchor);
    void pan(TimeNs by);
    /// Shows the span with that share of its length on both sides, at most the whole trace.
    void zoomTo(TimeSpan span, double margin = 0.02);

    /// Nothing clears, and so does what is not in the trace.
    void setSelection(const Selection& selection);
    [[nodiscard]] const Selection& selection() const { return m_selection; }
    /// kNoSlice clears.
    void select(trace::SliceId slice) { setSelection(selectionOf(slice)); }
    /// kNoSlice where nothing or something else is selected.
    [[nodiscard]] trace::SliceId selected() const { return sliceOf(m_selection); }
    /// Makes it visible, see below.
    void reveal(const Selection& selection);
    void reveal(trace::SliceId slice) { reveal(selectionOf(slice)); }
    /// Where the span fits on screen the scale stays, else it is shown with some room on both
    /// sides. Never shows more than a little of what lies beyond the trace's ends.
    void reveal(TimeSpan span);

    /// Window of the analyses (report, busy, kernel table). A range is clipped to the trace; an
    /// empty one means none.
    void setWindow(const analysis::WindowChoice& window);
    [[nodiscard]] const analysis::WindowChoice& window() const { return m_window; }

    /// A span of time, and the rows that it is about (none: all), become the window; nullopt ends
    /// the selection, a chosen step too.
    void selectRange(std::optional<TimeSpan> range, std::vector<trace::TrackId> tracks = {});
    void selectStep(std::int64_t number, TimeSpan span);
    /// The same, and zooms to it.
    void showStep(std::int64_t number, TimeSpan span);
    /// Whether figures are about a part of the trace: a range or a step.
    [[nodiscard]] bool isPartSelected() const {
        return m_window.kind == analysis::WindowKind::Range ||
               m_window.kind == analysis::WindowKind::Step;
    }
    /// The time of the window, in the trace's own time, where that is a range or a known step.
    [[nodiscard]] std::optional<TimeSpan> selectedRange() const;
    /// Ascending; empty: all rows.
    [[nodiscard]] const std::vector<trace::TrackId>& selectedTracks() const { return m_tracks; }

    /// All slices of one name are emphasised (e.g. the row of the kernel table); nullopt: none.
    void highlightName(std::optional<NameId> name);
    [[nodiscard]] std::optional<NameId> highlightedName() const { return m_highlight; }
    /// Only these slices are emphasised, instead of those of a name; null: none are.
    void setEmphasis(std::shared_ptr<const SliceMarks> slices);
    [[nodiscard]] const std::shared_ptr<const SliceMarks>& emphasis() const { return m_emphasis; }
    /// These slices are marked, and one of them more than the others; null: none are.
    void setMarks(std::shared_ptr<const SliceMarks> marks, trace::SliceId chosen);
    [[nodiscard]] const std::shared_ptr<const SliceMarks>& marks() const { return m_marks; }
    [[nodiscard]] trace::SliceId chosenMark() const { return m_chosenMark; }
    /// Which rows the timeline shows.
    void setRowChoices(RowChoices rows);
    [[nodiscard]] const RowChoices& rowChoices() const { return m_rows; }

    /// Somebody wants to see more of the kernel of this slice, its source for example.
    void askForKernel(trace::SliceId slice);
    /// Request to show the callers and callees of this name.
    void askForCalls(NameId name);
    /// Somebody wants the operator of this slice measured, or what launched it: see isBenchable().
    void askForBench(trace::SliceId slice);
    /// Whether it is an operator, or work of a GPU, in a file that a worker can read again.
    [[nodiscard]] bool isBenchable(trace::SliceId slice) const;
    /// Somebody wants the list of what has this in its name, or the panel of this id in front.
    void askToFind(const QString& pattern) { emit findRequested(pattern); }
    void askForPanel(const QString& id) { emit panelRequested(id); }

signals:
    void traceChanged();
    void traceGrown();
    /// After traceChanged(), in place of traceGrown(): the slices have other ids than before.
    void traceShortened();
    void visibleChanged();
    void selectionChanged();
    void windowChanged();
    /// The selected time or its rows; after windowChanged(), where that comes too.
    void rangeChanged();
    void highlightChanged();
    void emphasisChanged();
    void marksChanged();
    void rowChoicesChanged();
    void kernelRequested(const QString& name);
    void callsRequested(NameId name);
    /// Of an operator whose event begins at this byte of the file's text.
    void benchRequested(const QString& path, quint64 offset);
    void findRequested(const QString& pattern);
    void panelRequested(const QString& id);

private:
    [[nodiscard]] analysis::WindowChoice cutOff(analysis::WindowChoice window) const;
    [[nodiscard]] TimeNs longestView() const;
    [[nodiscard]] TimeSpan movedInside(TimeSpan span) const;
    [[nodiscard]] TimeSpan followed(TimeSpan view, bool whole, TimeNs end) const;
    [[nodiscard]] TimeSpan fromFirstSlice(TimeSpan span) const;
    void shortenTrace(std::shared_ptr<const trace::Trace> trace,
                      std::shared_ptr<TraceLayout> layout);
    void choose(const analysis::WindowChoice& window, std::vector<trace::TrackId> tracks);

    std::shared_ptr<const trace::Trace> m_trace;
    std::shared_ptr<TraceLayout> m_layout;
    TimeSpan m_visible{0, 1};
    Selection m_selection;
    std::optional<NameId> m_highlight;
    std::shared_ptr<const SliceMarks> m_emphasis;
    std::shared_ptr<const SliceMarks> m_marks;
    trace::SliceId m_chosenMark = trace::kNoSlice;
    analysis::WindowChoice m_window;
    std::vector<trace::TrackId> m_tracks;
    RowChoices m_rows;
};

}  // namespace kinetoscope::session
