// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <QStringList>
#include <memory>
#include <optional>
#include <vector>

#include "core/trace/Trace.h"
#include "widgets/session/CompareState.h"
#include "widgets/session/CompatRunner.h"
#include "widgets/session/DurationState.h"
#include "widgets/session/FindState.h"
#include "widgets/session/ReportRunner.h"
#include "widgets/session/Run.h"
#include "widgets/session/ViewState.h"
#include "widgets/session/notes/TraceNotes.h"

namespace kinetoscope::session {

/// The open runs and which of them is shown. GUI thread.
class Session final : public QObject {
    Q_OBJECT

public:
    explicit Session(ViewState& view, QObject* parent = nullptr);

    /// Shows the run; a path that is open already gets the new trace and keeps its view. Without
    /// its layout that is worked out here.
    void add(const QString& path, std::shared_ptr<const trace::Trace> trace,
             std::shared_ptr<TraceLayout> layout = nullptr);
    /// The same trace with more rows: nothing comes to the front, and all choices stay, but those
    /// of slices where its oldest ones were dropped. A new path is added.
    void grow(const QString& path, std::shared_ptr<const trace::Trace> trace,
              std::shared_ptr<TraceLayout> layout = nullptr);
    /// The run's file or folder was moved there.
    void setPath(int index, const QString& path);
    void close(int index);
    void setCurrent(int index);

    [[nodiscard]] const std::vector<Run>& runs() const { return m_runs; }
    [[nodiscard]] int currentIndex() const { return m_current; }  ///< -1: nothing is open
    [[nodiscard]] const Run* current() const;
    [[nodiscard]] int indexOf(const QString& path) const;  ///< -1: not open

    /// Files that are not runs go to the panels for them.
    void openCaches(const QStringList& folders) { emit cachesRequested(folders); }
    void openTable(const QString& path) { emit tableRequested(path); }
    void openResult(const QString& path) { emit resultRequested(path); }
    /// A trace that a panel knows of.
    void openTrace(const QString& path) { emit traceRequested(path); }

    [[nodiscard]] ViewState& view() { return m_view; }
    /// The view that the user looks at: view(), or the side of a comparison that was used last.
    [[nodiscard]] ViewState& viewInUse() { return m_comparing ? m_compare.usedView() : m_view; }
    /// Whether the timelines of a comparison are shown instead of the one of the current run.
    void setComparing(bool comparing);
    [[nodiscard]] bool isComparing() const { return m_comparing; }
    [[nodiscard]] ReportRunner& reports() { return m_reports; }
    [[nodiscard]] CompatRunner& compat() { return m_compat; }
    [[nodiscard]] CompareState& compare() { return m_compare; }
    [[nodiscard]] FindState& find() { return m_find; }
    [[nodiscard]] DurationState& durations() { return m_durations; }
    [[nodiscard]] TraceNotes& notes() { return m_notes; }

signals:
    void cachesRequested(const QStringList& folders);
    void tableRequested(const QString& path);
    void resultRequested(const QString& path);
    void traceRequested(const QString& path);
    void runsChanged();
    /// Before runsChanged(): the run has another path.
    void moved(const QString& from, const QString& to);
    void currentChanged();
    void viewInUseChanged();

private:
    void show(int index);
    void replace(int index, std::shared_ptr<const trace::Trace> trace,
                 std::shared_ptr<TraceLayout> layout);
    void keepView();
    void retitle();

    ViewState& m_view;
    std::vector<Run> m_runs;
    int m_current = -1;
    ReportRunner m_reports;
    CompatRunner m_compat;
    CompareState m_compare;
    bool m_comparing = false;
    FindState m_find;
    DurationState m_durations;
    TraceNotes m_notes;
};

}  // namespace kinetoscope::session
