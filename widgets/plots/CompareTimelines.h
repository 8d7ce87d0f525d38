// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QComboBox>
#include <QLabel>
#include <QToolButton>
#include <QWidget>

#include "widgets/session/CompareState.h"
#include "widgets/session/TimelineLock.h"
#include "widgets/session/ViewState.h"

namespace kinetoscope::plots {

class TimelineView;

/// The baseline's timeline above the candidate's, their time axes locked. A kernel selected in one
/// is selected in the other and in the comparison's table. `state` outlives it.
class CompareTimelines final : public QWidget {
    Q_OBJECT

public:
    explicit CompareTimelines(session::CompareState& state, QWidget* parent = nullptr);

    [[nodiscard]] session::ViewState& base() { return m_base; }
    [[nodiscard]] session::ViewState& candidate() { return m_candidate; }
    [[nodiscard]] session::TimelineLock& lock() { return m_lock; }
    [[nodiscard]] TimelineView& baseView() { return *m_baseView; }
    [[nodiscard]] TimelineView& candidateView() { return *m_candidateView; }

signals:
    void closeRequested();

private:
    [[nodiscard]] QWidget* makeToolBar();
    [[nodiscard]] QWidget* makeSide(QLabel* title, TimelineView* view);
    void showPair();
    void shareColors();
    void mirror(bool fromBase);
    void highlightKernel();
    void dropKernel(const session::ViewState& view);
    void goToKernel(int kernel);
    void goToStep(int row);
    void alignSelection();
    void tellLock();
    void tellTitles();

    session::CompareState& m_state;
    session::ViewState& m_base;
    session::ViewState& m_candidate;
    session::TimelineLock m_lock;
    TimelineView* m_baseView;
    TimelineView* m_candidateView;
    QLabel* m_baseTitle;
    QLabel* m_candidateTitle;
    QComboBox* m_mode;
    QComboBox* m_annotation;
    QLabel* m_offset;
    QToolButton* m_align;
    bool m_mirroring = false;
    bool m_highlighting = false;
};

}  // namespace kinetoscope::plots
