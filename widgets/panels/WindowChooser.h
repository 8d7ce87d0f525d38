// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QComboBox>
#include <QLabel>
#include <QWidget>
#include <vector>

#include "widgets/session/Session.h"

namespace kinetoscope::panels {

/// Chooses the time that figures are measured over: GPU work, the whole trace, the selected time or
/// a step; shows its length, and that they are being computed.
class WindowChooser final : public QWidget {
    Q_OBJECT

public:
    WindowChooser(session::Session& session, session::ViewState& view, QWidget* parent = nullptr);

private:
    void rebuild();
    void showCurrent();
    void choose(int index);
    void tellLength();

    session::Session& m_session;
    session::ViewState& m_view;
    QComboBox* m_choice;
    std::vector<TimeSpan> m_steps;  ///< of the last items
    QLabel* m_length;
};

}  // namespace kinetoscope::panels
