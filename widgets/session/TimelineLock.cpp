// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/session/TimelineLock.h"

#include <QSet>
#include <algorithm>
#include <limits>

#include "core/base/SaturatedTime.h"

namespace kinetoscope::session {

namespace {

constexpr int kMaxAnnotations = 200;
constexpr TimeNs kFarthestOffset = (TimeNs{1} << 62) - 1;  // between the ends of what is read

/// Names of the user's annotations by their first start.
QStringList annotationsOf(const trace::Trace& trace) {
    std::vector<trace::SliceId> slices;
    for (trace::SliceId slice = 0; slice < trace.sliceCount(); ++slice) {
        if (trace.category(slice) == trace::Category::UserAnnotation) {
            slices.push_back(slice);
        }
    }
    std::ranges::stable_sort(slices, {}, [&](trace::SliceId slice) { return trace.start(slice); });
    QStringList names;
    QSet<NameId> seen;
    for (const trace::SliceId slice : slices) {
        if (!seen.contains(trace.nameId(slice))) {
            seen.insert(trace.nameId(slice));
            names << QString::fromStdString(std::string(trace.name(slice)));
        }
    }
    return names;
}

TimeNs firstOf(const trace::Trace& trace, const QString& annotation) {
    const std::string name = annotation.toStdString();
    TimeNs first = std::numeric_limits<TimeNs>::max();
    for (trace::SliceId slice = 0; slice < trace.sliceCount(); ++slice) {
        if (trace.category(slice) == trace::Category::UserAnnotation && trace.name(slice) == name) {
            first = std::min(first, trace.start(slice));
        }
    }
    return first;
}

TimeNs startOf(const compare::ComparedRun& run) {
    TimeNs first = std::numeric_limits<TimeNs>::max();
    for (const report::GpuReport& gpu : run.report.gpus) {
        first = std::min(first, gpu.window.start);
    }
    return run.report.gpus.empty() ? run.trace->extent().start : first;
}

}  // namespace

TimelineLock::TimelineLock(ViewState& base, ViewState& candidate, QObject* parent)
    : QObject(parent), m_base(base), m_candidate(candidate) {
    connect(&base, &ViewState::visibleChanged, this, &TimelineLock::baseMoved);
    connect(&candidate, &ViewState::visibleChanged, this, &TimelineLock::candidateMoved);
}

bool TimelineLock::hasSteps() const {
    return m_baseRun != nullptr && !m_baseRun->report.steps.empty() &&
           !m_candidateRun->report.steps.empty();
}

void TimelineLock::setRuns(const compare::ComparedRun* base,
                           const compare::ComparedRun* candidate) {
    m_baseRun = base;
    m_candidateRun = candidate;
    m_annotations.clear();
    if (base != nullptr) {
        const QStringList known = annotationsOf(*candidate->trace);
        const QSet<QString> others(known.begin(), known.end());
        for (const QString& name : annotationsOf(*base->trace)) {
            if (others.contains(name) && m_annotations.size() < kMaxAnnotations) {
                m_annotations << name;
            }
        }
    }
    m_annotation = m_annotations.value(0);
    setMode(Mode::FirstStep);
}

void TimelineLock::setMode(Mode mode) {
    if (m_baseRun == nullptr) {
        return;
    }
    const bool lacksSteps = mode == Mode::FirstStep && !hasSteps();
    const bool lacksAnnotations = mode == Mode::Annotation && m_annotations.isEmpty();
    m_mode = lacksSteps || lacksAnnotations ? Mode::Start : mode;
    switch (m_mode) {
        case Mode::FirstStep:
            setOffset(m_candidateRun->report.steps.front().span.start -
                      m_baseRun->report.steps.front().span.start);
            break;
        case Mode::Annotation:
            setOffset(firstOf(*m_candidateRun->trace, m_annotation) -
                      firstOf(*m_baseRun->trace, m_annotation));
            break;
        case Mode::Start:
            setOffset(startOf(*m_candidateRun) - startOf(*m_baseRun));
            break;
        case Mode::Free:
            setOffset(m_offset);
            break;
    }
}

void TimelineLock::setAnnotation(const QString& name) {
    if (m_annotations.contains(name)) {
        m_annotation = name;
        setMode(Mode::Annotation);
    }
}

void TimelineLock::align(TimeNs base, TimeNs candidate) {
    m_mode = Mode::Free;
    setOffset(candidate - base);
}

void TimelineLock::setOffset(TimeNs offset) {
    m_offset = std::clamp(offset, -kFarthestOffset, kFarthestOffset);
    baseMoved();
    emit changed();
}

void TimelineLock::follow(ViewState& view, TimeSpan span) {
    m_moving = true;
    view.setVisible(span);
    m_moving = false;
}

void TimelineLock::baseMoved() {
    if (!m_moving && m_baseRun != nullptr) {
        follow(m_candidate, movedSpan(m_base.visible(), m_offset));
    }
}

void TimelineLock::candidateMoved() {
    if (m_moving || m_baseRun == nullptr) {
        return;
    }
    const TimeSpan visible = m_candidate.visible();
    const bool isPan = visible.duration() == m_base.visible().duration();
    if (m_mode == Mode::Free && isPan) {
        m_offset = std::clamp(addTime(visible.start, -m_base.visible().start), -kFarthestOffset,
                              kFarthestOffset);
        emit changed();
        return;
    }
    follow(m_base, movedSpan(visible, -m_offset));
}

}  // namespace kinetoscope::session
