// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QComboBox>
#include <QLineEdit>
#include <QToolButton>

#include "core/calltree/MakeCallTree.h"
#include "widgets/session/ViewState.h"
#include "widgets/style/ElidedLabel.h"

namespace kinetoscope::panels {

/// Above a call tree: how calls are shown, of what and by which time.
class CallTreeBar final : public QWidget {
    Q_OBJECT

public:
    enum Shown { Flames, TopDown, BottomUp, CallersAndCallees };

    explicit CallTreeBar(session::ViewState& view, QWidget* parent = nullptr);

    [[nodiscard]] Shown shown() const { return static_cast<Shown>(m_shown->currentIndex()); }
    [[nodiscard]] calltree::Frames frames() const;
    [[nodiscard]] calltree::Weight weight() const;
    [[nodiscard]] QString filter() const { return m_filter->text(); }
    void setShown(Shown shown) { m_shown->setCurrentIndex(shown); }
    void setFrames(calltree::Frames frames);
    void setWeight(calltree::Weight weight);
    void setCanGoBack(bool can) { m_back->setEnabled(can); }
    void setState(const QString& text) { m_state->setText(text); }

signals:
    void shownChanged();
    /// By the user.
    void framesChosen();
    void weightChosen();
    void backWanted();
    void filterChanged(const QString& text);

private:
    void fillChoices();
    void layOut();

    session::ViewState& m_view;
    QComboBox* m_shown;
    QComboBox* m_frames;
    QComboBox* m_time;
    QToolButton* m_back;
    style::ElidedLabel* m_state;
    QLineEdit* m_filter;
};

}  // namespace kinetoscope::panels
