// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSplitter>
#include <array>

#include "widgets/panels/calltree/CallRows.h"
#include "widgets/style/ElidedLabel.h"

namespace kinetoscope::panels {

/// Every name of a call tree, and beside them the callers and callees of the chosen one.
class CallersView final : public QSplitter {
    Q_OBJECT

public:
    explicit CallersView(QWidget* parent = nullptr);

    void show(const std::shared_ptr<const trace::Trace>& trace, const TreeViews& views);
    [[nodiscard]] CallRows& names() { return m_names; }
    [[nodiscard]] std::array<CallRows*, 3> rows() { return {&m_names, &m_callers, &m_callees}; }

signals:
    /// A row of names became the current one.
    void nameChosen(NameId name);

private:
    void showFocus(const trace::Trace* trace, const TreeViews& views);

    CallRows m_names{"names"};
    CallRows m_callers{"callers"};
    CallRows m_callees{"callees"};
    style::ElidedLabel* m_callersTitle;
    style::ElidedLabel* m_calleesTitle;
};

}  // namespace kinetoscope::panels
