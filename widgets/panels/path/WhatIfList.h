// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>
#include <QLineEdit>
#include <QTableWidget>

#include "widgets/session/path/PathFinder.h"

namespace kinetoscope::panels {

/// What-ifs to tick and to edit: each with the length that the step would have after it alone, and
/// below that after all that are ticked, and what would be critical then.
class WhatIfList final : public QWidget {
    Q_OBJECT

public:
    /// It outlives the list.
    explicit WhatIfList(session::PathFinder& paths, QWidget* parent = nullptr);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void refresh();
    void fitChange();
    void follow();
    void showAnswers();
    void addWritten();
    void takeRows();
    void removeCurrent();

    session::PathFinder& m_paths;
    std::vector<session::WhatIf> m_shown;  ///< by row
    QTableWidget* m_rows;
    QLineEdit* m_more;
    QLabel* m_together;
    bool m_filling = false;  ///< cells change, but not by the user
};

}  // namespace kinetoscope::panels
