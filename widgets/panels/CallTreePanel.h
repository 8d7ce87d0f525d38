// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QStackedWidget>
#include <QToolButton>
#include <memory>
#include <optional>

#include "core/calltree/MakeCallTree.h"
#include "widgets/calls/CallTreeView.h"
#include "widgets/calls/FlameGraph.h"
#include "widgets/panels/parts/Panel.h"
#include "widgets/session/LatestTask.h"
#include "widgets/session/WindowRunner.h"
#include "widgets/style/ElidedLabel.h"

namespace kinetoscope::panels {

/// Who called what in the window, by CPU or by GPU time: as a flame graph, as rows from the callers
/// or from the called on, or callers and callees of one name.
class CallTreePanel final : public Panel {
    Q_OBJECT

public:
    explicit CallTreePanel(const PanelContext& context, QWidget* parent = nullptr);
    ~CallTreePanel() override;
    [[nodiscard]] bool busy() const override { return m_runner.busy() || m_views.busy(); }
    void setInFront(bool inFront) override { m_runner.setWanted(inFront); }

private:
    enum Shown { Flames, TopDown, BottomUp, CallersAndCallees };
    using Tree = std::shared_ptr<const calltree::CallTree>;
    struct LinkCache;

    /// What is made of a tree once somebody looks at it.
    struct Views {
        Tree of;
        Tree bottomUp;
        Tree names;
        std::optional<NameId> focus;
        Tree callers;
        Tree callees;
    };
    struct Rows {
        calls::CallTreeModel model;
        calls::CallTreeView* view = nullptr;
    };

    [[nodiscard]] QWidget* makeToolBar();
    [[nodiscard]] QWidget* makeCallers();
    [[nodiscard]] calls::CallTreeView* makeRows(Rows& rows, const char* name);
    void connectFlames();
    [[nodiscard]] Rows* rowsInFront();
    void takeTrace();
    void remake();
    void refresh();
    void makeViews();
    void showViews(const Views& views);
    void show(Shown shown);
    void focusOn(NameId name);
    void searchFocus();
    void showFocus();
    void tellState();
    void tellEmpty();
    void goTo(trace::SliceId slice);
    [[nodiscard]] QString describe(const calltree::CallNode& node) const;
    [[nodiscard]] Shown shown() const;

    session::ViewState& m_view;
    std::shared_ptr<LinkCache> m_links;
    session::WindowRunner<calltree::CallTree> m_runner;
    session::LatestTask<Views> m_views;
    Views m_made;
    std::vector<trace::TrackId> m_tracks;  ///< the selected rows that the tree is about
    bool m_wantsGpu = true;
    std::optional<NameId> m_focus;
    int m_searched = 0;  ///< ways in which the focus was looked for in vain

    QComboBox* m_frames;
    QComboBox* m_time;
    QComboBox* m_shown;
    QToolButton* m_back;
    style::ElidedLabel* m_state;
    QLineEdit* m_filter;
    QStackedWidget* m_stack;
    calls::FlameGraph* m_flames;
    Rows m_topDown;
    Rows m_bottomUp;
    Rows m_names;
    Rows m_callers;
    Rows m_callees;
    style::ElidedLabel* m_callersTitle;
    style::ElidedLabel* m_calleesTitle;
};

}  // namespace kinetoscope::panels
