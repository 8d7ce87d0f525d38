// SPDX-License-Identifier: GPL-3.0-or-later
// Time of a frame while panning and zooming the timeline with its strips over ten million slices.
#include <fmt/format.h>

#include <QApplication>
#include <QElapsedTimer>
#include <QPaintEvent>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <set>
#include <string>
#include <vector>

#include "tests/bench/LargeTrace.h"
#include "widgets/plots/BusyStripPlot.h"
#include "widgets/plots/TimelineView.h"
#include "widgets/session/ViewState.h"
#include "widgets/style/WindowStyle.h"
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

/// Milliseconds of each frame; processor time tells what a busy machine adds.
struct Frames {
    std::vector<double> wall;
    std::vector<double> cpu;
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
        const TimeSpan before = m_state.visible();
        m_watch.painted.clear();
        QElapsedTimer timer;
        const std::clock_t cpu = std::clock();
        timer.start();
        change();
        if (m_state.visible() == before) {
            return;
        }
        while (m_watch.painted != m_expected && timer.elapsed() < 5'000) {
            QCoreApplication::processEvents();
        }
        m_frames.wall.push_back(static_cast<double>(timer.nsecsElapsed()) / 1e6);
        m_frames.cpu.push_back(1e3 * static_cast<double>(std::clock() - cpu) / CLOCKS_PER_SEC);
    }

    [[nodiscard]] Frames sorted() const {
        Frames result = m_frames;
        std::ranges::sort(result.wall);
        std::ranges::sort(result.cpu);
        return result;
    }

private:
    ViewState& m_state;
    PaintWatch m_watch;
    std::set<QObject*> m_expected;
    Frames m_frames;
};

/// In and out again, with pans on every level; the place under the pointer wanders.
Frames measure(ViewState& state, TimelineView& view) {
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

double quantile(const std::vector<double>& sorted, double share) {
    const auto at = static_cast<std::size_t>(share * static_cast<double>(sorted.size() - 1) + 0.5);
    return sorted[at];
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
    const Frames frames = measure(state, view);
    if (frames.wall.empty() || view.strips().size() != 2 * LargeTrace::kGpus) {
        std::fputs("No frame was drawn, or not with four strips.\n", stderr);
        return EXIT_FAILURE;
    }
    const double p50 = quantile(frames.wall, 0.50);
    const double p95 = quantile(frames.wall, 0.95);
    const double p99 = quantile(frames.wall, 0.99);
    const double cpu95 = quantile(frames.cpu, 0.95);
    fmt::print(
        "{} slices, {} frames at 1920 x 1080: p50 {:.1f} ms, p95 {:.1f} ms (processor {:.1f} ms), "
        "p99 {:.1f} ms, max {:.1f} ms; trace built in {} ms, laid out and drawn in {} ms\n",
        trace->sliceCount(), frames.wall.size(), p50, p95, cpu95, p99, frames.wall.back(), buildMs,
        openMs);
    fmt::print(R"({{"benchmark": "frame_time", "slices": {}, "frames": {}, "p50_ms": {:.3f}, )"
               R"("p95_ms": {:.3f}, "p95_cpu_ms": {:.3f}, "p99_ms": {:.3f}, "max_ms": {:.3f}, )"
               R"("open_ms": {}}})"
               "\n",
               trace->sliceCount(), frames.wall.size(), p50, p95, cpu95, p99, frames.wall.back(),
               openMs);
    return EXIT_SUCCESS;
}

}  // namespace
}  // namespace kinetoscope

int main(int argc, char** argv) {
    if (!qEnvironmentVariableIsSet("QT_QPA_PLATFORM")) {
        qputenv("QT_QPA_PLATFORM", "offscreen");
    }
    QApplication application(argc, argv);
    kinetoscope::style::applyTheme(kinetoscope::style::ThemeChoice::Light);
    return kinetoscope::run();
}
