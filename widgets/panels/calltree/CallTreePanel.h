// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStackedWidget>
#include <optional>

#include "widgets/calls/FlameGraph.h"
#include "widgets/panels/calltree/CallTreeBar.h"
#include "widgets/panels/calltree/CallersView.h"
#include "widgets/panels/parts/Panel.h"

namespace kinetoscope::panels {

/// Who called what in the window, by CPU or by GPU time: as a flame graph, as rows from the callers
/// or from the called on, or callers and callees of one name.
class CallTreePanel final : public Panel {
    Q_OBJECT

public:
    explicit CallTreePanel(const PanelContext& context, QWidget* parent = nullptr);
    [[nodiscard]] bool busy() const override { return m_maker.busy(); }
    void setInFront(bool inFront) override { m_maker.setWanted(inFront); }

private:
    /// In how many ways the focus was looked for in vain.
    enum class Searched : std::uint8_t { NotYet, AmongAllFrames, Everywhere };

    void connectBar();
    void connectRows();
    void connectFlames();
    [[nodiscard]] CallRows* rowsInFront();
    void takeTrace();
    void remake();
    void showTree();
    void showViews();
    void showTopDown();
    void fillTopDown();
    void makeViews();
    void setFilter(const QString& text);
    void focusOn(NameId name);
    void searchFocus();
    void goTo(trace::SliceId slice);
    void tellState();
    void tellEmpty();
    [[nodiscard]] QString describe(const calltree::CallNode& node) const;
    [[nodiscard]] QString describeTree();

    session::ViewState& m_view;
    CallTreeMaker m_maker;
    bool m_wantsGpu = true;
    std::optional<NameId> m_focus;
    Searched m_searched = Searched::NotYet;

    CallTreeBar* m_bar;
    QStackedWidget* m_stack;
    calls::FlameGraph* m_flames;
    CallRows m_topDown{"topDown"};
    CallRows m_bottomUp{"bottomUp"};
    CallersView* m_around;
};

}  // namespace kinetoscope::panels
