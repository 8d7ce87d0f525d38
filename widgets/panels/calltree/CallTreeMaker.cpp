// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/calltree/CallTreeMaker.h"

#include <mutex>

#include "core/calltree/TreeViews.h"

namespace kinetoscope::panels {

using calltree::CallTree;
using calltree::Weight;

/// What launched the GPU work of a trace, found out once. Forgotten when another trace is shown,
/// so its address stands for the trace.
class CallTreeMaker::LinkCache {
public:
    std::shared_ptr<const query::LaunchLinks> of(const trace::Trace& wanted) {
        {
            const std::lock_guard lock(m_mutex);
            if (m_trace == &wanted) {
                return m_links;
            }
        }
        auto made = std::make_shared<const query::LaunchLinks>(wanted);
        const std::lock_guard lock(m_mutex);
        m_trace = &wanted;
        m_links = made;
        return made;
    }
    void forget() {
        const std::lock_guard lock(m_mutex);
        m_trace = nullptr;
        m_links.reset();
    }

private:
    std::mutex m_mutex;
    const trace::Trace* m_trace = nullptr;
    std::shared_ptr<const query::LaunchLinks> m_links;
};

CallTreeMaker::CallTreeMaker(session::ViewState& view, QObject* parent)
    : QObject(parent),
      m_view(view),
      m_links(std::make_shared<LinkCache>()),
      m_runner(view, [](const trace::Trace&, const analysis::WindowChoice&,
                        const std::stop_token&) { return Result<FlameTree>(FlameTree()); }),
      m_task([this](const Result<TreeViews>& views) {
          if (views) {
              takeViews(*views);
          }
          emit busyChanged();
      }) {
    for (const auto signal : {&session::ViewState::traceChanged, &session::ViewState::traceGrown}) {
        connect(&view, signal, this, [this] { m_links->forget(); });
    }
    connect(&view, &session::ViewState::rangeChanged, this, [this] {
        if (m_view.selectedTracks() != m_tracks) {
            remake();
        }
    });
    connect(&m_runner, &session::WindowRunnerBase::changed, this, &CallTreeMaker::takeTree);
    connect(&m_runner, &session::WindowRunnerBase::busyChanged, this, &CallTreeMaker::busyChanged);
    remake();
}

void CallTreeMaker::make(calltree::Frames frames, Weight weight) {
    m_frames = frames;
    m_weight = weight;
    remake();
}

void CallTreeMaker::remake() {
    m_tracks = m_view.selectedTracks();
    m_runner.setMake([links = m_links, frames = m_frames, weight = m_weight, tracks = m_tracks](
                         const trace::Trace& trace, const analysis::WindowChoice& window,
                         const std::stop_token& stop) {
        calltree::CallTreeOptions options;
        options.frames = frames;
        options.weight = weight;
        options.window = window;
        options.tracks = tracks;
        options.stop = stop;
        const auto known = weight == Weight::GpuTime ? links->of(trace) : nullptr;
        options.links = known.get();
        return calltree::makeCallTree(trace, options).map([](CallTree&& tree) {
            calls::FlameWidths widths(tree);
            return FlameTree{std::move(tree), std::move(widths)};
        });
    });
}

void CallTreeMaker::takeTree() {
    if (!tree()) {
        m_task.cancel();
        takeViews({});
    }
    emit treeChanged();
}

void CallTreeMaker::want(TreeView view, std::optional<NameId> focus) {
    if (!tree()) {
        return;
    }
    TreeViews views = m_made;
    if (views.of != tree()) {
        views = {};
        views.of = tree();
    }
    const bool up = view == TreeView::BottomUp && !views.bottomUp;
    const bool around = view == TreeView::Callers && (!views.names || views.focus != focus);
    if (!up && !around) {
        takeViews(views);
        return;
    }
    m_task.start([views, up, around, focus,
                  trace = traceOf()](const std::stop_token& stop) mutable -> Result<TreeViews> {
        const auto make = [](Tree& to, Result<CallTree> made) {
            if (!made) {
                throw Stopped{};
            }
            to = std::make_shared<const CallTree>(std::move(*made));
        };
        if (up) {
            make(views.bottomUp, calltree::bottomUp(*trace, *views.of, stop));
        }
        if (around && !views.names) {
            make(views.names, calltree::byName(*trace, *views.of, stop));
        }
        if (around && focus) {
            make(views.callers, calltree::callersOf(*trace, *views.of, *focus, stop));
            make(views.callees, calltree::calleesOf(*trace, *views.of, *focus, stop));
        }
        if (around) {
            views.focus = focus;
        }
        return views;
    });
    emit busyChanged();
}

void CallTreeMaker::takeViews(const TreeViews& views) {
    m_made = views;
    emit viewsChanged();
}

}  // namespace kinetoscope::panels
