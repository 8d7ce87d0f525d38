// SPDX-License-Identifier: GPL-3.0-or-later
// Time of a frame while panning and zooming the timeline with its strips over ten million slices.
#include <fmt/format.h>

#include <QApplication>
#include <QDeadlineTimer>
#include <QElapsedTimer>
#include <QPaintEvent>
#include <cstdio>
#include <cstdlib>
#include <set>

#include "tests/bench/LargeTrace.h"
#include "tests/bench/WindowBench.h"
#include "widgets/plots/BusyStripPlot.h"
#include "widgets/plots/TimelineView.h"
#include "widgets/session/ViewState.h"
#include "widgets/timeline/TimelineWidget.h"

namespace kinetoscope {
using namespace plots;
using namespace query;
using namespace session;
using namespace style;
using namespace timeline;
using namespace trace;
namespace {

constexpr std::size_t kSlices = 10'000'000;
constexpr int kFrames = 200;

/// Which widgets were painted since the last reset.
class PaintWatch final : public QObject {
public:
    std::set<QObject*> painted;

    bool eventFilter(QObject* watched, QEvent* event) override {
        if (event->type() == QEvent::Paint) {
            painted.insert(watched);
        }
        return false;
    }
};

/// A frame: the view changes, and all that shows it is painted.
class FrameTimer {
public:
    FrameTimer(ViewState& state, TimelineView& view) : m_state(state) {
        view.timeline().installEventFilter(&m_watch);
        m_expected.insert(&view.timeline());
        for (BusyStripPlot* strip : view.strips()) {
            for (QWidget* canvas : strip->findChildren<QWidget*>()) {
                canvas->installEventFilter(&m_watch);
                m_expected.insert(canvas);
            }
        }
    }

    template <class Change>
    void frame(Change change) {
        m_frames.time([&] {
            const TimeSpan before = m_state.visible();
            m_watch.painted.clear();
            change();
            const QDeadlineTimer end(5'000);
            while (m_state.visible() != before && m_watch.painted != m_expected &&
                   !end.hasExpired()) {
                QCoreApplication::processEvents();
            }
            return m_state.visible() != before;
        });
    }

    [[nodiscard]] bench::Frames sorted() const {
        bench::Frames result = m_frames;
        result.sort();
        return result;
    }

private:
    ViewState& m_state;
    PaintWatch m_watch;
    std::set<QObject*> m_expected;
    bench::Frames m_frames;
};

/// In and out again, with pans on every level; the place under the pointer wanders.
bench::Frames measure(ViewState& state, TimelineView& view) {
    FrameTimer timer(state, view);
    const auto anchor = [&state](int step) {
        const TimeSpan visible = state.visible();
        return visible.start + visible.duration() / 10 * (1 + step % 9);
    };
    for (int step = 0; step < kFrames / 2; ++step) {
        const double factor = step < kFrames / 4 ? 0.75 : 1 / 0.75;
        timer.frame([&] { state.zoom(factor, anchor(step)); });
        const TimeNs by = state.visible().duration() / 12;
        timer.frame([&] { state.pan(step % 2 == 0 ? by : -by); });
    }
    return timer.sorted();
}

int run() {
    ViewState state;
    TimelineView view(state);
    view.resize(1920, 1080);
    view.show();
    QElapsedTimer timer;
    timer.start();
    const auto trace = LargeTrace(kSlices).make();
    const auto buildMs = timer.restart();
    state.setTrace(trace);
    QCoreApplication::processEvents();
    const auto openMs = timer.elapsed();
    const bench::Frames frames = measure(state, view);
    if (frames.count() == 0 || view.strips().size() != 2 * LargeTrace::kGpus) {
        std::fputs("No frame was drawn, or not with four strips.\n", stderr);
        return EXIT_FAILURE;
    }
    fmt::print("{} slices, {}; trace built in {} ms, laid out and drawn in {} ms\n",
               trace->sliceCount(), frames.words(), buildMs, openMs);
    fmt::print(R"({{"benchmark": "frame_time", "slices": {}, {}, "open_ms": {}}})"
               "\n",
               trace->sliceCount(), frames.json(), openMs);
    return EXIT_SUCCESS;
}

}  // namespace
}  // namespace kinetoscope

int main(int argc, char** argv) {
    return kinetoscope::bench::runInWindow(argc, argv, kinetoscope::run);
}
