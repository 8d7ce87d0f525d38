// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <QStringList>

#include "core/compare/ComparedRun.h"
#include "widgets/session/ViewState.h"

namespace kinetoscope::session {

/// Keeps the time axes of two runs together: the candidate shows the baseline's time plus an
/// offset. GUI thread.
class TimelineLock final : public QObject {
    Q_OBJECT

public:
    enum class Mode {
        FirstStep,   ///< both first steps begin at one place
        Annotation,  ///< the first annotations of one name do
        Start,       ///< the first GPU operations do
        Free         ///< panning the candidate alone changes the offset
    };

    TimelineLock(ViewState& base, ViewState& candidate, QObject* parent = nullptr);

    /// Other runs: back to the first step, or to the start where a run has none.
    void setRuns(const compare::ComparedRun* base, const compare::ComparedRun* candidate);

    /// Falls back to Start where the runs lack what the mode needs.
    void setMode(Mode mode);
    [[nodiscard]] Mode mode() const { return m_mode; }
    /// Names of annotations that both runs have, in the baseline's order.
    [[nodiscard]] const QStringList& annotations() const { return m_annotations; }
    void setAnnotation(const QString& name);
    [[nodiscard]] const QString& annotation() const { return m_annotation; }

    /// Puts two times at one place; the mode becomes Free.
    void align(TimeNs base, TimeNs candidate);
    /// Candidate's time minus baseline's time at one place.
    [[nodiscard]] TimeNs offset() const { return m_offset; }

signals:
    void changed();  ///< mode, annotation or offset

private:
    void baseMoved();
    void candidateMoved();
    void follow(ViewState& view, TimeSpan span);
    void setOffset(TimeNs offset);
    [[nodiscard]] bool hasSteps() const;

    ViewState& m_base;
    ViewState& m_candidate;
    const compare::ComparedRun* m_baseRun = nullptr;
    const compare::ComparedRun* m_candidateRun = nullptr;
    Mode m_mode = Mode::Start;
    QStringList m_annotations;
    QString m_annotation;
    TimeNs m_offset = 0;
    bool m_moving = false;  ///< one moves because the other did
};

}  // namespace kinetoscope::session
