// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

#include "widgets/calls/CallTreeView.h"
#include "widgets/panels/calltree/CallTreeMaker.h"

namespace kinetoscope::panels {

/// A call tree as rows, with what can be done with one of them.
class CallRows final : public QObject {
    Q_OBJECT

public:
    /// `name` is the view's object name.
    explicit CallRows(const char* name, QObject* parent = nullptr);

    /// Owned by its later parent.
    [[nodiscard]] calls::CallTreeView& view() { return *m_view; }
    [[nodiscard]] calls::CallTreeModel& model() { return m_model; }
    /// Shares are of `whole` nanoseconds.
    void show(const std::shared_ptr<const trace::Trace>& trace, const TreeViews::Tree& tree,
              TimeNs whole);
    /// Null without one.
    [[nodiscard]] const calltree::CallNode* current() const;

signals:
    void currentChanged();
    void longestWanted(trace::SliceId slice);
    void callersWanted(NameId name);

private:
    void goToLongest();

    calls::CallTreeModel m_model;
    calls::CallTreeView* m_view;
};

}  // namespace kinetoscope::panels
