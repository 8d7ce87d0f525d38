// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "core/calltree/MakeCallTree.h"
#include "widgets/calls/FlameLayout.h"
#include "widgets/session/LatestTask.h"
#include "widgets/session/WindowRunner.h"

namespace kinetoscope::panels {

/// Results made from a call tree once they are shown.
struct TreeViews {
    using Tree = std::shared_ptr<const calltree::CallTree>;

    Tree of;
    Tree bottomUp;
    Tree names;                   ///< every name once
    std::optional<NameId> focus;  ///< whose callers and callees these are
    Tree callers;
    Tree callees;
};

/// A tree and how wide its frames are drawn: of millions of calls that takes longer than a frame.
struct FlameTree {
    calltree::CallTree tree;
    calls::FlameWidths widths;
};

enum class TreeView : std::uint8_t { BottomUp, Callers };

/// The call tree of the window and the selected rows, made on workers while it is shown. GUI
/// thread.
class CallTreeMaker final : public QObject {
    Q_OBJECT

public:
    using Tree = TreeViews::Tree;

    explicit CallTreeMaker(session::ViewState& view, QObject* parent = nullptr);

    void setWanted(bool wanted) { m_runner.setWanted(wanted); }
    /// From now on the tree is made in this way.
    void make(calltree::Frames frames, calltree::Weight weight);
    /// Makes them beside the tree, if they do not exist yet; emits viewsChanged().
    void want(TreeView view, std::optional<NameId> focus);

    /// Null before the first one is ready and when it failed.
    [[nodiscard]] Tree tree() const {
        const auto& made = m_runner.result();
        return made ? Tree(made, &made->tree) : nullptr;
    }
    [[nodiscard]] std::shared_ptr<const calls::FlameWidths> widths() const {
        const auto& made = m_runner.result();
        return made ? std::shared_ptr<const calls::FlameWidths>(made, &made->widths) : nullptr;
    }
    [[nodiscard]] const std::shared_ptr<const trace::Trace>& traceOf() const {
        return m_runner.traceOf();
    }
    [[nodiscard]] const TreeViews& views() const { return m_made; }
    [[nodiscard]] const QString& error() const { return m_runner.error(); }
    [[nodiscard]] bool busy() const { return m_runner.busy() || m_task.busy(); }

signals:
    void treeChanged();
    void viewsChanged();
    void busyChanged();

private:
    class LinkCache;

    void remake();
    void takeTree();
    void takeViews(const TreeViews& views);

    session::ViewState& m_view;
    std::shared_ptr<LinkCache> m_links;
    session::WindowRunner<FlameTree> m_runner;
    session::LatestTask<TreeViews> m_task;
    TreeViews m_made;
    calltree::Frames m_frames = calltree::Frames::All;
    calltree::Weight m_weight = calltree::Weight::GpuTime;
    std::vector<trace::TrackId> m_tracks;  ///< the selected rows that the tree is about
};

}  // namespace kinetoscope::panels
